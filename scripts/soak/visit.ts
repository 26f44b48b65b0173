/** One socket of a bot: what it orders, and what comes to it. */
import { type Order, type View, type Wire, connectSocket, type GameSocket } from '@orrery/client'
import { type Flight, createShipSample, openFlight } from '@orrery/client/flight'
import type { Chance } from '@orrery/testkit'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  STATION_ID,
  randomControl,
  randomManeuver,
  randomRule,
  randomThrust,
} from '../trials/random-orders.ts'
import { type Pace, followGaps } from './frame-gaps.ts'
import type { Tally } from './tally.ts'

export interface VisitOptions {
  readonly url: string
  readonly token: string
  readonly username: string
  readonly wire: Wire
  /** whether the own ship is flown here, which needs binary frames, and orders name their index */
  readonly isFlown: boolean
  readonly pace: Pace
  readonly random: Chance
  readonly tally: Tally
}

/** Between two actions [ms]. */
const REST_MS_MIN = 500
const REST_MS_MAX = 5000

/** Codes of errors after which an order surely does not act. */
const REFUSAL = /^E(?!008)/

/** For a socket to be closed after its account was deleted [ms]. */
const CLOSED_MS_MAX = 30_000

/** Rules of a ship before one is deleted. */
const RULES_MAX = 4

/** What JSON bots see: a frame of all ships would be 200 kB. */
const VIEWS: readonly View[] = [{ ids: [] }, { radius: 300_000 }, { radius: 1_000_000 }]

const state = createShipSample()

export class Visit {
  /** when the last frame came */
  frameMs: number = -Infinity
  /** whether the socket may be closed now */
  isEnding = false
  readonly #options: VisitOptions
  readonly #socket: GameSocket
  readonly #flight: Flight | undefined
  /** whether an order since the last check may or may not have acted */
  #isUnsure = false
  /** aborted when no connection will follow */
  readonly #over = new AbortController()

  constructor(options: VisitOptions) {
    this.#options = options
    const { url, token, wire, isFlown, pace, random, tally } = options
    const view = wire === 'json' ? random.pick(VIEWS) : {}
    this.#socket = connectSocket({ url, token, wire, view })
    this.#flight = isFlown ? openFlight({ socket: this.#socket }) : undefined
    const noteFrame = (): void => {
      this.frameMs = performance.now()
    }
    this.#socket.on('tick', noteFrame)
    this.#socket.on('frame', noteFrame)
    followGaps(this.#socket, pace, (sinceMs, ms) => tally.gap(wire, sinceMs, ms))
    this.#socket.on('error', ({ id, code, message }) => {
      if (id === undefined && !this.isEnding) tally.fault(`socket: ${code} ${message}`)
    })
    this.#socket.on('disconnected', ({ code, reason, error }) => {
      if (!this.isEnding) tally.fault(`closed with ${code} ${reason}`)
      if (error) this.#over.abort()
    })
    this.#flight?.ship.on('checked', ({ isEqual }) => {
      tally.checks++
      if (!isEqual && !this.#isUnsure) tally.fault('a check of an own ship differs')
      // The ship is the server's again: the next check differs for a reason of its own.
      this.#isUnsure = false
    })
    this.#flight?.ship.on('corrected', ({ reason }) => tally.corrected(reason))
    tally.visits++
  }

  /** Acts until the time is over, or the socket is closed for good. */
  async act(endMs: number, over: AbortSignal): Promise<void> {
    const { random } = this.#options
    const signal = AbortSignal.any([over, this.#over.signal])
    await this.#socket.opened.catch(() => undefined)
    while (!signal.aborted && performance.now() < endMs) {
      await random.pick(ACTIONS)(this)
      const restMs = REST_MS_MIN + random.below(REST_MS_MAX - REST_MS_MIN)
      await sleep(restMs, undefined, { signal }).catch(() => undefined)
    }
  }

  /** Waits until the server has closed the socket for good, for a while. */
  async closedByServer(): Promise<boolean> {
    const { signal } = this.#over
    await sleep(CLOSED_MS_MAX, undefined, { signal }).catch(() => undefined)
    return signal.aborted
  }

  close(): void {
    this.isEnding = true
    this.#flight?.close()
    this.#socket.close()
  }

  async steer(): Promise<void> {
    const { random } = this.#options
    // As a page does before it shows the ship.
    if (this.#flight) {
      const { clock, ship, world } = this.#flight
      world.shipAt(state, ship.id, clock.now())
    }
    await this.order({ type: 'control', ...randomControl(random, randomThrust(random)) })
  }

  async order(order: Order): Promise<void> {
    const ship = this.#flight?.ship ?? this.#socket
    await this.#request(order.type, async () => {
      try {
        return await ship.order(order)
      } catch (error) {
        this.#isUnsure ||= !REFUSAL.test(Object(error).code)
        throw error
      }
    })
  }

  async rename(): Promise<void> {
    const { username, random } = this.#options
    await this.#request('rename', () => this.#socket.rename(`${username} ${random.below(1e6)}`))
  }

  async giveRule(): Promise<void> {
    const rules = (await this.#request('rules', () => this.#socket.rules())) ?? []
    if (rules.length >= RULES_MAX) {
      await this.#request('delete rule', () => this.#socket.deleteRule(rules[0].rule_id))
    }
    const rule = randomRule(this.#options.random)
    await this.#request('save rule', () => this.#socket.saveRule(rule))
  }

  async look(): Promise<void> {
    const { wire, random } = this.#options
    if (wire === 'binary') return
    await this.#request('subscribe', () => this.#socket.subscribe(random.pick(VIEWS)))
  }

  startManeuver(): Promise<void> {
    const maneuver = randomManeuver(this.#options.random, this.#socket.gameTimeNow())
    return this.order({ type: 'maneuver_start', ...maneuver })
  }

  #request<Answer>(what: string, send: () => Promise<Answer>): Promise<Answer | undefined> {
    return this.#options.tally.request(what, send)
  }
}

/** One of these is chosen at a time; repeated entries have a greater weight. */
const ACTIONS: readonly ((visit: Visit) => Promise<void>)[] = [
  (visit) => visit.steer(),
  (visit) => visit.steer(),
  (visit) => visit.steer(),
  (visit) => visit.startManeuver(),
  (visit) => visit.order({ type: 'maneuver_abort' }),
  (visit) => visit.order({ type: 'dock', station_id: STATION_ID }),
  (visit) => visit.order({ type: 'undock' }),
  (visit) => visit.rename(),
  (visit) => visit.giveRule(),
  (visit) => visit.look(),
]
