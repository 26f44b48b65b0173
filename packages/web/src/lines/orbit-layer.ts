/** The orbits on which the own ship and its target are at this moment. */
import { createShipSample } from '@orrery/client/flight'
import type { Thing } from '../readings/thing.ts'
import { addScaled, vector } from '@orrery/page-kit'
import { BodyIndex } from '../bodies/body-index.ts'
import type { Frame, Lens } from '../scene/frame.ts'
import { OrbitLines, OrbitPieces, type OrbitView } from '../bodies/orbit-lines.ts'
import type { SceneLayer } from '../scene/scene-layer.ts'
import { sidesIn } from '../scene/seen-sides.ts'

const OWN_COLOUR = [0.45, 0.7, 1] as const
const TARGET_COLOUR = [0.5, 1, 0.6] as const
const OPACITY = 0.45

const ORIGIN = vector()
const state = createShipSample()
const place = vector()

export class OrbitLayer implements SceneLayer {
  readonly drawables: readonly [OrbitLines] = [new OrbitLines(2)]
  readonly version = 0
  readonly #pieces = new OrbitPieces()
  readonly #bodies = new BodyIndex()
  readonly #targetOf: () => Thing | undefined

  /** @param targetOf  what the own ship is directed at now */
  constructor(targetOf: () => Thing | undefined) {
    this.#targetOf = targetOf
  }

  place(frame: Frame, lens: Lens): void {
    const [lines] = this.drawables
    const view = { opacity: OPACITY, sidesOf: sidesIn(frame, lens), focal: lens.focal }
    const { ship } = frame.surroundings.flight ?? {}
    lines.clear()
    if (ship) this.#add({ kind: 'ship', id: ship.id }, frame, { ...view, colour: OWN_COLOUR })
    const target = this.#targetOf()
    if (target) this.#add(target, frame, { ...view, colour: TARGET_COLOUR })
    lines.upload()
  }

  dispose(): void {
    this.drawables[0].dispose()
  }

  #add(thing: Thing, frame: Frame, view: OrbitView): void {
    const { camera, surroundings } = frame
    if (!readState(thing, frame)) return
    const body = this.#bodies.of(state.reference, surroundings)
    surroundings.chain.difference(place, camera, { body, offset: ORIGIN })
    addScaled(place, place, state.r, 1)
    const { gm } = surroundings.bodies[body]
    this.#pieces.trace(place, { position: state.r, velocity: state.v, gm }, view)
    this.drawables[0].add(this.#pieces)
  }
}

/** Reads the state about the reference body; the orbit of a body is drawn with the body. */
function readState(thing: Thing, { time, surroundings }: Frame): boolean {
  const { world } = surroundings.flight ?? {}
  if (!world || thing.kind === 'body') return false
  if (thing.kind === 'ship') return world.shipAt(state, thing.id, time)
  const rail = world.objects().find(({ id }) => id === thing.id)?.rail
  const center = rail && world.system?.bodies[rail.parent].name
  if (!rail || center === undefined) return false
  state.reference = rail.parent
  return world.objectAt(state, thing.id, time, center)
}
