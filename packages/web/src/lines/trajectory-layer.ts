/**
 * A flight to come as a line from the ship on. Each leg is drawn about its body where that is now:
 * so a flyby has its shape, and distances from the body are right at any time.
 */
import { type Forecast, createShipSample } from '@orrery/client/flight'
import {
  createLine,
  cutLine,
  LINE_VERTICES_MAX,
  NEAR_VERTICES,
  sampledLine,
  type TrajectoryLine,
  turnedBy,
  vector,
} from '@orrery/page-kit'
import type { Frame, Lens } from '../scene/frame.ts'
import { Ribbon, type RibbonPoint, type RibbonStyle } from '../scene/ribbon.ts'
import type { SceneLayer } from '../scene/scene-layer.ts'
import { BodyIndex } from '../bodies/body-index.ts'

/** Opacity at the end of the line, over that at the ship. */
const END_STRENGTH = 0.25

/** [px] */
const WIDTH = 1.6

/** After so much of it the flight is sampled again from the ship on [rad]. */
const SAMPLED_AGAIN = 2.5

const BURN = [1, 0.55, 0.15] as const

export const FORECAST_STYLE: RibbonStyle = {
  colour: [0.5, 0.8, 1],
  burn: BURN,
  width: WIDTH,
  isDashed: false,
}

export const PREVIEW_STYLE: RibbonStyle = {
  colour: [1, 0.84, 0.4],
  burn: BURN,
  width: WIDTH,
  isDashed: true,
}

const ROOM = LINE_VERTICES_MAX + NEAR_VERTICES

const ship = createShipSample()
const ahead = createLine(ROOM)
const centre = vector()
const point: RibbonPoint = { strength: 1, isBurning: false, along: 0, isLast: false }

export class TrajectoryLayer implements SceneLayer {
  readonly drawables: readonly [Ribbon]
  readonly version = 0
  readonly #ribbon: Ribbon
  readonly #bodies = new BodyIndex()
  #forecast: Forecast | undefined
  #line: TrajectoryLine = createLine(0)
  /** rising times at which the engine starts and stops by turns */
  #burns: readonly number[] = []
  #changes: readonly number[] = []
  #opacity = 1

  constructor(style: RibbonStyle) {
    this.#ribbon = new Ribbon(style, ROOM)
    this.drawables = [this.#ribbon]
  }

  /** Draws another forecast, or none. */
  show(forecast: Forecast | undefined, opacity: number = 1): void {
    this.#opacity = opacity
    if (forecast === this.#forecast) return
    this.#forecast = forecast
    if (!forecast) return
    this.#burns = timesOf(forecast, ['burn_begin', 'burn_end'])
    this.#changes = timesOf(forecast, ['burn_begin', 'burn_end', 'sphere'])
    this.#line = sampledLine(forecast, this.#changes)
  }

  place(frame: Frame, lens: Lens): void {
    this.#ribbon.clear()
    const { time, surroundings } = frame
    const flown = this.#forecast
    const world = surroundings.flight?.world
    if (!flown || flown.systemId !== surroundings.id) return
    if (!world?.shipAt(ship, flown.shipId, time)) return
    if (turnedBy(this.#line, time) > SAMPLED_AGAIN) {
      this.#line = sampledLine(flown, this.#changes, time)
    }
    cutLine(ahead, this.#line, { flown, ship, now: time })
    this.#addVertices(frame, Math.max(flown.to - time, 1))
    this.#ribbon.finish(lens, this.#opacity)
  }

  dispose(): void {
    this.#ribbon.dispose()
  }

  #addVertices({ time, camera, surroundings }: Frame, span: number): void {
    const { count, times, positions, bodies, angles, gaps } = ahead
    let body = -1
    let burn = 0
    for (let i = 0; i < count; i++) {
      if (bodies[i] !== body) {
        body = bodies[i]
        surroundings.chain.difference(centre, camera, {
          body: this.#bodies.of(body, surroundings),
          offset: ORIGIN,
        })
      }
      while (this.#burns[burn] <= times[i]) burn++
      point.isBurning = burn % 2 === 1
      point.strength = 1 - (1 - END_STRENGTH) * Math.min((times[i] - time) / span, 1)
      point.along = angles[i]
      point.isLast = gaps[i] === 1 || bodies[i + 1] !== body
      const at = 3 * i
      const [x, y, z] = centre
      this.#ribbon.add(positions[at] + x, positions[at + 1] + y, positions[at + 2] + z, point)
    }
  }
}

const ORIGIN = vector()

type MarkKind = Forecast['marks'][number]['kind']

function timesOf({ marks }: Forecast, kinds: readonly MarkKind[]): readonly number[] {
  return marks.filter(({ kind }) => kinds.includes(kind)).map(({ index }) => index)
}
