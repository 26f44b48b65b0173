/** Stations and jump gates. */
import { createShipSample } from '@orrery/client/flight'
import { DoubleSide } from 'three'
import { attitudeAlong, turnAboutAxis } from '../space/attitude.ts'
import { cross, length, normalize, vector, type Vector } from '@orrery/page-kit'
import type { Ambient } from '../scene/ambient.ts'
import type { Berths } from './berths.ts'
import type { Frame, Lens } from '../scene/frame.ts'
import { GATE_RADIUS, VEIL_FRAGMENT, VEIL_VERTEX, gateRing, gateVeil } from './gate-model.ts'
import { LightPoints } from './light-points.ts'
import { shaderMaterial } from '../scene/materials.ts'
import { ModelMesh, rise } from './model-mesh.ts'
import { modelMaterial } from './model-shader.ts'
import type { Drawable, SceneLayer } from '../scene/scene-layer.ts'
import type { CraftObject, CraftWorld } from '../scene/surroundings.ts'
import type { Solid } from './solid.ts'
import { STATION_RADIUS, stationSpine, stationWheel } from './station-model.ts'

/** One of them as last drawn. */
export interface SeenObject {
  readonly object: CraftObject
  /** from the camera [m] */
  readonly position: Vector
  /** own axes to those of space; only of those that are drawn with a shape */
  readonly attitude: Float64Array
  /** radius on the screen [px]; 0 while its place is not known */
  pixels: number
}

const COLOUR = [1, 0.82, 0.5] as const

/** A model fades in between these radii on the screen [px], its point out a little later. */
const MODEL_PIXELS = [0.8, 2] as const
const POINT_PIXELS = [1.6, 4] as const

/** Models of each kind. */
const CAPACITY = 8

const SURFACE_ORDER = 0
const VEIL_ORDER = 2

/** Of a wheel [rad/s]. */
const SPIN = 0.06

export class ObjectLayer implements SceneLayer {
  readonly drawables: readonly Drawable[]
  readonly version = 0
  seen: readonly SeenObject[] = []
  readonly #ambient: Ambient
  readonly #berths: Berths
  readonly #points: LightPoints
  readonly #spines: ModelMesh
  readonly #wheels: ModelMesh
  readonly #rings: ModelMesh
  readonly #veils: ModelMesh
  readonly #meshes: readonly ModelMesh[]
  readonly #seconds = { value: 0 }
  readonly #state = createShipSample()
  readonly #axis = vector()
  readonly #wheel = Float64Array.of(1, 0, 0, 0)
  #known: readonly CraftObject[] = []
  #angle = 0
  #lastMs = 0

  constructor(ambient: Ambient, berths: Berths) {
    this.#ambient = ambient
    this.#berths = berths
    this.#points = new LightPoints(COLOUR, ambient)
    const material = modelMaterial(ambient)
    const solid = (made: Solid, radius: number): ModelMesh => {
      const options = { capacity: CAPACITY, order: SURFACE_ORDER, isSurface: true, radius }
      return new ModelMesh(made.geometry(), material, options)
    }
    this.#spines = solid(stationSpine(), STATION_RADIUS)
    this.#wheels = solid(stationWheel(), STATION_RADIUS)
    this.#rings = solid(gateRing(), GATE_RADIUS)
    this.#veils = veils(this.#seconds)
    this.#meshes = [this.#spines, this.#wheels, this.#rings, this.#veils]
    this.drawables = [this.#points, ...this.#meshes]
  }

  place(frame: Frame, { focal, pixelRatio }: Lens): void {
    const { world } = frame.surroundings.craft ?? {}
    for (const mesh of this.#meshes) mesh.clear()
    this.#berths.clear()
    this.#points.isVisible = false
    this.#turn(frame)
    this.#note(world?.objects() ?? [])
    if (!world || this.seen.length === 0) return
    const points = this.#points.reserve(this.seen.length)
    this.#points.near = Infinity
    this.#points.far = 0
    for (const [i, seen] of this.seen.entries()) {
      const weight = this.#place(seen, frame, world, focal)
      for (let axis = 0; axis < 3; axis++) points[4 * i + axis] = seen.position[axis]
      points[4 * i + 3] = weight
    }
    this.#points.upload(this.seen.length, 1.25 * pixelRatio)
    for (const mesh of this.#meshes) mesh.upload()
  }

  /** Wheels turn with the time of the page, and stand while the game does. */
  #turn({ nowMs, surroundings }: Frame): void {
    const seconds = Math.min(nowMs - this.#lastMs, 100) / 1000
    this.#lastMs = nowMs
    if (surroundings.scale === 0) return
    this.#angle = (this.#angle + SPIN * seconds) % (2 * Math.PI)
    this.#seconds.value = (this.#seconds.value + seconds) % 1000
  }

  #note(objects: readonly CraftObject[]): void {
    if (objects === this.#known) return
    this.#known = objects
    this.seen = objects.map((object) => {
      const attitude = Float64Array.of(1, 0, 0, 0)
      return { object, position: vector(), attitude, pixels: 0 }
    })
  }

  /** Returns how bright its point is. */
  #place(seen: SeenObject, frame: Frame, world: CraftWorld, focal: number): number {
    const { object, position } = seen
    const { camera, surroundings, time } = frame
    const state = this.#state
    seen.pixels = 0
    position.fill(0)
    if (!world.objectAt(state, object.id, time, surroundings.bodies[camera.body].name)) return 0
    for (let axis = 0; axis < 3; axis++) position[axis] = state.r[axis] - camera.offset[axis]
    const distance = length(position)
    this.#points.near = Math.min(this.#points.near, distance)
    this.#points.far = Math.max(this.#points.far, distance)
    seen.pixels = (focal * object.radius) / distance
    if (seen.pixels < MODEL_PIXELS[0]) return 1
    const parent = world.system?.bodies[object.rail.parent].name
    if (!world.objectAt(state, object.id, time, parent)) return 1
    this.#addModel(seen, rise(seen.pixels, MODEL_PIXELS))
    return 1 - rise(seen.pixels, POINT_PIXELS)
  }

  /** The state is relative to its parent. */
  #addModel({ object, position, attitude }: SeenObject, strength: number): void {
    const { r, v } = this.#state
    if (object.kind === 'station') {
      normalize(this.#axis, cross(this.#axis, r, v))
      attitudeAlong(attitude, this.#axis, this.#ambient.toStar)
      const scale = object.radius / STATION_RADIUS
      this.#berths.open(position, attitude, scale)
      this.#spines.add({ position, attitude, scale, strength })
      turnAboutAxis(this.#wheel, attitude, this.#angle)
      this.#wheels.add({ position, attitude: this.#wheel, scale, strength })
      return
    }
    attitudeAlong(attitude, normalize(this.#axis, v), r)
    const scale = object.radius / GATE_RADIUS
    this.#rings.add({ position, attitude, scale, strength })
    this.#veils.add({ position, attitude, scale, strength })
  }

  dispose(): void {
    this.#points.dispose()
    for (const mesh of this.#meshes) mesh.dispose()
  }
}

function veils(seconds: { readonly value: number }): ModelMesh {
  const material = shaderMaterial({
    vertexShader: VEIL_VERTEX,
    fragmentShader: VEIL_FRAGMENT,
    uniforms: { seconds },
    depthWrite: false,
    side: DoubleSide,
  })
  const options = { capacity: CAPACITY, order: VEIL_ORDER, isSurface: false, radius: GATE_RADIUS }
  return new ModelMesh(gateVeil().geometry(), material, options)
}
