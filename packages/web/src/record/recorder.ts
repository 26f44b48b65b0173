/** Records the flight of the ship that is flown, in the game or in a practice. */
import { createShipSample } from '@orrery/client/flight'
import { type Signal, signal } from '@preact/signals'
import { angleBetween, type Vector } from '@orrery/page-kit'
import type { Game } from '../game/game.ts'
import type { Session } from '../session/session.ts'
import type { Stage } from '../view/stage.ts'
import { EVENTS_MAX, type FlightRecord, POINTS_MAX, type TrackPoint } from './flight-record.ts'

/** Between two points of the track about a body [rad], or [ms] of game time where that is less. */
const ANGLE = 0.02
const SPAN_MS = 60_000

const state = createShipSample()

export class Recorder {
  readonly isOn: Signal<boolean> = signal(false)
  /** points of the track so far */
  readonly count: Signal<number> = signal(0)
  readonly #game: Game
  readonly #stage: Stage
  #session: Session | undefined
  #bodies: string[] = []
  #track: TrackPoint[] = []
  /** the least of time between two points, doubled when there is no room [ms] */
  #spanMs = SPAN_MS
  #angle = ANGLE
  #last: Vector | undefined
  #stop = (): void => undefined

  constructor(game: Game, stage: Stage) {
    this.#game = game
    this.#stage = stage
  }

  start(): void {
    this.#stop()
    this.#session = this.#game.session.peek()
    this.#bodies = []
    this.#track = []
    this.#last = undefined
    this.#spanMs = SPAN_MS
    this.#angle = ANGLE
    this.isOn.value = this.#session !== undefined
    this.#stop = this.#stage.onFrame(() => this.#note())
  }

  /** Ends it; what was recorded stays, undefined where it is too short. */
  stop(): FlightRecord | undefined {
    this.#note(true)
    this.#stop()
    this.isOn.value = false
    return this.#record()
  }

  #note(isLast: boolean = false): void {
    const session = this.#session
    if (!this.isOn.peek() || !session) return
    // Another ship, or the way back from a practice, is another flight.
    if (this.#game.session.peek() !== session) {
      this.#stop()
      return
    }
    const { clock, ship, world } = session.flight
    const time = clock.now()
    if (!world.shipAt(state, ship.id, time)) return
    const ms = clock.utc(time)
    const [lastMs = -Infinity, body] = this.#track.at(-1) ?? []
    if (ms <= lastMs) return
    const turned = this.#last ? angleBetween(this.#last, state.r) : Infinity
    const isSame = body !== undefined && this.#bodies[body] === state.body
    const isNear = turned < this.#angle && ms - lastMs < this.#spanMs
    if (isSame && isNear && !isLast) return
    this.#last = state.r.slice()
    this.#add(ms, state.body, state.r)
  }

  #add(ms: number, body: string, r: ArrayLike<number>): void {
    if (!this.#bodies.includes(body)) this.#bodies.push(body)
    if (this.#track.length === POINTS_MAX) {
      this.#track = this.#track.filter((_, i) => i % 2 === 0)
      this.#spanMs *= 2
      this.#angle *= 2
    }
    const [x, y, z] = Array.from(r, Math.round)
    this.#track.push([Math.round(ms), this.#bodies.indexOf(body), x, y, z])
    this.count.value = this.#track.length
  }

  #record(): FlightRecord | undefined {
    const session = this.#session
    const system = session?.flight.world.system
    if (!session || !system || this.#track.length < 2) return undefined
    const { log = this.#game.log } = session
    const fromMs = this.#track[0][0]
    const { flight } = session
    return {
      format: 'orrery-flight',
      version: 1,
      ship: flight.world.ship(flight.ship.id)?.name ?? '',
      system: { id: system.id, name: system.name },
      isPractice: session.flight.ship.mode.mode === 'practised',
      bodies: this.#bodies,
      track: this.#track,
      events: log.entries
        .peek()
        .filter(({ ms }) => ms >= fromMs)
        .slice(0, EVENTS_MAX)
        .toReversed(),
    }
  }
}
