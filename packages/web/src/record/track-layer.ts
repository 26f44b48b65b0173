/** A recorded track in the picture: each part about its body where that is now, with its events. */
import { type Vector, addScaled, vector } from '@orrery/page-kit'
import type { Frame, Lens } from '../scene/frame.ts'
import { Ribbon, type RibbonPoint } from '../scene/ribbon.ts'
import type { SceneLayer } from '../scene/scene-layer.ts'
import type { Surroundings } from '../scene/surroundings.ts'
import type { LabelItem, LabelSource } from '../view/label-source.ts'
import {
  type FlightRecord,
  POINTS_MAX,
  type RecordedEvent,
  type TrackPoint,
} from './flight-record.ts'

const STYLE = {
  colour: [0.75, 1, 0.55],
  burn: [1, 0.55, 0.15],
  width: 1.6,
  isDashed: false,
} as const

/** Events that have a name in the picture. */
const NAMES_MAX = 24

const PRIORITY = 24

const ORIGIN = vector()
const centre = vector()
const look: RibbonPoint = { strength: 1, isBurning: false, along: 0, isLast: false }

export class TrackLayer implements SceneLayer, LabelSource {
  readonly drawables: readonly [Ribbon]
  readonly version = 0
  readonly #ribbon = new Ribbon(STYLE, POINTS_MAX)
  readonly #record: FlightRecord
  readonly #events: readonly (readonly [RecordedEvent, TrackPoint])[]
  #items: readonly LabelItem[] = []

  constructor(record: FlightRecord) {
    this.drawables = [this.#ribbon]
    this.#record = record
    const { events, track } = record
    const placeOf = (ms: number): TrackPoint =>
      track.find((point) => point[0] >= ms) ?? track[track.length - 1]
    const named = events.slice(-NAMES_MAX)
    this.#events = named.map((event) => [event, placeOf(event.ms)] as const)
  }

  items(): readonly LabelItem[] {
    return this.#items
  }

  /** Places the events of a moment. */
  follow({ camera, surroundings }: Frame): void {
    if (surroundings.id !== this.#record.system.id) {
      this.#items = []
      return
    }
    this.#items = this.#events.map(([{ text }, point], i) => {
      const position = vector()
      this.#centre(position, camera, point[1], surroundings)
      addScaled(position, position, vector(point[2], point[3], point[4]), 1)
      const key = `record ${i}`
      return { key, text, kind: 'mark', position, pixels: 4, priority: PRIORITY, thing: undefined }
    })
  }

  place({ camera, surroundings }: Frame, lens: Lens): void {
    this.#ribbon.clear()
    const { system, track } = this.#record
    if (surroundings.id !== system.id) return
    let body = -1
    for (const [i, [, about, x, y, z]] of track.entries()) {
      if (about !== body) this.#centre(centre, camera, about, surroundings)
      body = about
      look.isLast = track[i + 1]?.[1] !== about
      this.#ribbon.add(x + centre[0], y + centre[1], z + centre[2], look)
    }
    this.#ribbon.finish(lens, 1)
  }

  dispose(): void {
    this.#ribbon.dispose()
  }

  /** Writes where a body of the record is, from the camera; far away where it is not known. */
  #centre(
    out: Vector,
    camera: Frame['camera'],
    body: number,
    { bodies, chain }: Surroundings,
  ): void {
    const name = this.#record.bodies[body]
    const known = bodies.findIndex((one) => one.name === name)
    chain.difference(out, camera, { body: Math.max(known, 0), offset: ORIGIN })
  }
}
