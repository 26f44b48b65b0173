/** Stars, planets and moons with their orbits. */
import {
  addScaled,
  dot,
  fill,
  length,
  type OrbitState,
  vector,
  type Vector,
} from '@orrery/page-kit'
import { BodyDisc, type Lamps } from './body-disc.ts'
import { BodyLight, createLamp, magnitudeOf } from './body-lamps.ts'
import type { Frame, Lens } from '../scene/frame.ts'
import { Glows } from '../sky/glows.ts'
import { KeptOrbit } from './kept-orbit.ts'
import { rgb } from '../scene/looks.ts'
import { OrbitLines } from './orbit-lines.ts'
import type { SceneBody } from '../scene/scene-body.ts'
import type { Drawable, SceneLayer } from '../scene/scene-layer.ts'
import { SteadySides } from '../scene/seen-sides.ts'
import type { SurfaceMaps } from './surface-maps.ts'
import type { Surroundings } from '../scene/surroundings.ts'

/** Bodies get a disc from this radius on the screen [px]; a smaller one is a point of light. */
const DISC_PIXELS = 0.6
const POINT_PIXELS = 2.2

/** From this radius [px] a body has a surface of its own. */
const MAP_PIXELS = 5

/** Orbits are drawn from this size on the screen [px], and fully from twice that. */
const ORBIT_PIXELS = 10

interface BodyParts {
  readonly body: SceneBody
  readonly disc: BodyDisc
  readonly orbit: KeptOrbit
  readonly colour: readonly [number, number, number]
}

export class BodyLayer implements SceneLayer {
  readonly version = 0
  readonly drawables: readonly Drawable[]
  /** centre of each body from the camera [m], as last placed */
  readonly centres: readonly Vector[]
  /** their radii on the screen [px] */
  readonly pixelRadii: Float64Array
  showsOrbits = true
  readonly #bodies: readonly SceneBody[]
  readonly #parts: readonly BodyParts[]
  readonly #glows: Glows
  readonly #orbits: OrbitLines
  readonly #maps: SurfaceMaps | undefined
  readonly #light: BodyLight
  readonly #lamps: Lamps = { main: createLamp(), other: createLamp() }
  readonly #toParent = vector()
  readonly #sides = new SteadySides()
  readonly #position = vector()
  readonly #velocity = vector()
  readonly #at = { body: 0, offset: vector() }

  constructor(bodies: readonly SceneBody[], maps: SurfaceMaps | undefined, isSoftware: boolean) {
    this.#bodies = bodies
    this.#maps = maps
    this.#light = new BodyLight(bodies)
    this.centres = bodies.map(() => vector())
    this.pixelRadii = new Float64Array(bodies.length)
    const hasTwoStars = bodies.filter(({ kind }) => kind === 'star').length > 1
    this.#parts = bodies.map((body) => {
      const disc = new BodyDisc(body, isSoftware, hasTwoStars)
      return { body, disc, orbit: new KeptOrbit(), colour: rgb(body.look.colours[1]) }
    })
    this.#glows = new Glows(bodies.length)
    this.#orbits = new OrbitLines(bodies.length)
    this.drawables = [...this.#parts.map(({ disc }) => disc), this.#glows, this.#orbits]
  }

  disc(body: number): BodyDisc {
    return this.#parts[body].disc
  }

  place(frame: Frame, lens: Lens): void {
    const { chain } = frame.surroundings
    for (let i = 0; i < this.#bodies.length; i++) {
      const centre = this.centres[i]
      this.#at.body = i
      chain.difference(centre, frame.camera, this.#at)
      const ratio = this.#bodies[i].radius / length(centre)
      this.pixelRadii[i] = (lens.focal * ratio) / Math.sqrt(Math.max(1 - ratio * ratio, 1e-6))
    }
    if (this.#sides.update(frame, lens)) for (const { orbit } of this.#parts) orbit.forget()
    this.#glows.clear()
    this.#orbits.clear()
    for (let i = 0; i < this.#bodies.length; i++) this.#placeBody(i, frame, lens)
    this.#glows.upload()
    this.#orbits.upload()
    this.#drawMap()
  }

  dispose(): void {
    for (const { disc } of this.#parts) disc.dispose()
    this.#glows.dispose()
    this.#orbits.dispose()
  }

  #placeBody(i: number, frame: Frame, lens: Lens): void {
    const { body, disc } = this.#parts[i]
    const { chain } = frame.surroundings
    const centre = this.centres[i]
    const pixels = this.pixelRadii[i]
    const isAhead = dot(centre, frame.forward) > -body.radius * disc.extent
    disc.isVisible = pixels > DISC_PIXELS && isAhead
    const glows = isAhead && (body.kind === 'star' || pixels < POINT_PIXELS)
    if (disc.isVisible || glows) this.#light.lampsOf(this.#lamps, chain, i)
    readRow(this.#toParent, chain.relative, i, -1)
    if (disc.isVisible) {
      const { forward, gameTimeMs } = frame
      disc.place({ centre, toParent: this.#toParent, forward, pixels }, this.#lamps, gameTimeMs)
      this.#light.castShadows(disc, chain, i, this.#lamps.main)
    }
    if (glows) this.#addGlow(i, lens)
    if (this.showsOrbits && body.parent >= 0) this.#addOrbit(i, frame, lens)
  }

  #addGlow(i: number, { width, height }: Lens): void {
    const { body, colour } = this.#parts[i]
    const centre = this.centres[i]
    const pixels = this.pixelRadii[i]
    // Just before the disc, whose soft edge it fills.
    const before = Math.max(1 - (1.01 * body.radius) / length(centre), 1e-3)
    const position = addScaled(this.#position, ORIGIN, centre, before)
    if (body.kind === 'star') {
      const radius = Math.max(pixels * 6, 110)
      const core = Math.max(pixels / radius, 0.018)
      this.#glows.add({ position, radius, width, height, colour, bright: 1, core })
      return
    }
    const magnitude = magnitudeOf(body, centre, this.#lamps.main)
    const flux = 10 ** (-0.4 * (magnitude - 2.2))
    const least = body.kind === 'planet' ? 0.55 : 0.22
    const fades = Math.min(Math.max((POINT_PIXELS - pixels) / (POINT_PIXELS - DISC_PIXELS), 0), 1)
    const bright = Math.min(Math.max(0.26 + 0.5 * flux ** 0.4, least), 1) * fades
    const radius = Math.min(Math.max(1.1 + 1.2 * flux ** 0.33, 1.7), 6)
    this.#glows.add({ position, radius, width, height, colour, bright, core: 0 })
  }

  #addOrbit(i: number, { surroundings }: Frame, { focal }: Lens): void {
    const { parent } = this.#bodies[i]
    const place = { object: this.centres[i], parent: this.centres[parent] }
    const nearest = Math.min(length(place.object), length(place.parent))
    const pixels = (focal * length(this.#toParent)) / nearest
    if (pixels < ORBIT_PIXELS) return
    const { colour, orbit } = this.#parts[i]
    const opacity = 0.55 * Math.min(pixels / ORBIT_PIXELS - 1, 1)
    const view = { colour, opacity, focal, sidesOf: this.#sides.of }
    this.#orbits.add(orbit.pieces(place, () => this.#stateOf(i, surroundings), view))
  }

  /** About its parent. */
  #stateOf(i: number, { chain, velocities }: Surroundings): OrbitState {
    const { gm, parent } = this.#bodies[i]
    return {
      position: readRow(this.#position, chain.relative, i, 1),
      velocity: readRow(this.#velocity, velocities, i, 1),
      gm: gm + this.#bodies[parent].gm,
    }
  }

  /** Draws all surfaces again: those on the graphics card are lost. */
  forgetMaps(): void {
    for (const { disc } of this.#parts) disc.forgetMap()
  }

  /** One surface per frame at most. */
  #drawMap(): void {
    if (!this.#maps) return
    for (let i = 0; i < this.#parts.length; i++) {
      const { body, disc } = this.#parts[i]
      if (disc.hasMap || this.pixelRadii[i] < MAP_PIXELS || !disc.isVisible) continue
      if (body.look.surface === 'plain') continue
      disc.useMap(this.#maps.draw(body))
      return
    }
  }
}

const ORIGIN = vector()

/** A row of three, times a factor. */
function readRow(out: Vector, rows: Float64Array, i: number, factor: number): Vector {
  return fill(out, rows[3 * i] * factor, rows[3 * i + 1] * factor, rows[3 * i + 2] * factor)
}
