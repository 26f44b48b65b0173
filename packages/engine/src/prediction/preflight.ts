import { type FlownManeuver, IDLE } from '@orrery/sim'
import { Piscina } from 'piscina'
import { EngineError } from '../engine-error.ts'
import type { WorldCommand } from '../commands/world-command.ts'
import { isUnburnt } from '../maneuvers/foreseen-failure.ts'
import { type ShipPlace, type Universe, findShip } from '../world/universe.ts'
import { waitingOrders } from './copied-ships.ts'
import type { Predicted } from './foresight.ts'
import type { ForeseenEnd } from './foreseen-end.ts'
import { influencesOnCopies, mayChangeOrder } from './left-out.ts'
import { predictionTask } from './request.ts'
import type { PredictionTask } from './trajectory.ts'

/** Orders that wait to be flown ahead, of a ship one; what finds no room is left alone. */
const WAITING_MAX = 1024

/**
 * Processor time of a flight [ms]: of a first one, which shows most ends, and of a second one of
 * what was too far for that, once no first one waits: a year of coasting takes half of it.
 */
const FIRST_MS = 3000
export const FLIGHT_MS_MAX = 60_000

/** Time between two looks for orders, and after which an idle thread ends [ms]. */
const LOOK_MS = 250
const IDLE_MS = 60_000

/** What became of orders that were to be flown ahead. */
export interface PreflightCounts {
  /** they end as they should, or fail without a burn */
  good: number
  /** they would fail after burns or at the ground, and were ended before */
  ended: number
  /** they would fail, but had burnt or were over when that was known */
  late: number
  /** left alone: the end is not known in the time, or depends on pilots or modules */
  unknown: number
  /** left alone: too many waited */
  noRoom: number
}

/** A universe under way, and how a command reaches it. */
interface Commanded extends Pick<Predicted, 'universe' | 'whenSettled'> {
  execute(command: WorldCommand): Promise<number>
}

export interface PreflightOptions {
  /** looks for orders by itself; true by default */
  readonly isOn?: boolean
  readonly waitingMax?: number
  /** processor time of first flights [ms] */
  readonly firstMs?: number
}

interface ThreadTask {
  readonly task: PredictionTask
  readonly msMax: number
}

/**
 * Ends each order in good time that would fail after it has burnt: a thread of the lowest priority
 * flies it ahead from the published state, as a prediction does, and one that fails there and has
 * not burnt yet ends by a command of the server's own.
 */
export class Preflight {
  readonly #engine: Commanded
  readonly #onError: (error: unknown) => void
  readonly #isOn: boolean
  readonly #waitingMax: number
  readonly #firstMs: number
  readonly #counts: PreflightCounts = { good: 0, ended: 0, late: 0, unknown: 0, noRoom: 0 }
  /** lattice indices at which what waits began, by id of the ship, the next first */
  readonly #waiting = new Map<string, number>()
  /** likewise, what waits for a second flight */
  readonly #far = new Map<string, number>()
  #thread: Piscina<ThreadTask, ForeseenEnd> | undefined
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> | undefined
  #isLooking = false
  #isStopped = false

  /** @param onError  called when a thread fails */
  constructor(
    engine: Commanded,
    onError: (error: unknown) => void,
    { isOn = true, waitingMax = WAITING_MAX, firstMs = FIRST_MS }: PreflightOptions = {},
  ) {
    this.#engine = engine
    this.#onError = onError
    this.#isOn = isOn
    this.#waitingMax = waitingMax
    this.#firstMs = firstMs
  }

  get counts(): Readonly<PreflightCounts> {
    return this.#counts
  }

  /** Looks for orders now and then, if it is on. */
  start(): void {
    if (!this.#isOn) return
    this.#timer = setInterval(() => void this.look().catch(this.#onError), LOOK_MS).unref()
  }

  /** Takes up what has begun since the last time; of new worlds, what is under way. */
  async look(): Promise<void> {
    if (this.#isLooking) return
    this.#isLooking = true
    await this.#engine.whenSettled(() => this.#take()).finally(() => (this.#isLooking = false))
  }

  /** Resolves when nothing waits. */
  async settled(): Promise<void> {
    await this.#running
  }

  /** Ends its thread; what waits is left alone. */
  stop(): void {
    this.#isStopped = true
    clearInterval(this.#timer)
    void this.#thread?.destroy()
  }

  #take(): void {
    const waiting = this.#waiting
    for (const [shipId, since] of begun(this.#engine.universe)) {
      const hasRoom = waiting.size + this.#far.size < this.#waitingMax
      if (hasRoom || waiting.has(shipId)) waiting.set(shipId, since)
      else this.#counts.noRoom++
    }
    if (waiting.size > 0 && !this.#isStopped) this.#running ??= this.#run()
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) {
      const isFirst = this.#waiting.size > 0
      const line = isFirst ? this.#waiting : this.#far
      const [order] = line
      if (!order) break
      const [shipId, since] = order
      line.delete(shipId)
      try {
        const outcome = await this.#flyAhead(shipId, since, isFirst ? this.#firstMs : FLIGHT_MS_MAX)
        if (outcome === 'far' && isFirst) this.#far.set(shipId, since)
        else if (outcome) this.#counts[outcome === 'far' ? 'unknown' : outcome]++
      } catch (error) {
        if (error instanceof EngineError) this.#counts.unknown++
        else if (!this.#isStopped) this.#onError(error)
      }
    }
    this.#running = undefined
  }

  /** Returns what to count; undefined when the order is over before. */
  async #flyAhead(
    shipId: string,
    since: number,
    msMax: number,
  ): Promise<keyof PreflightCounts | 'far' | undefined> {
    const { universe } = this.#engine
    const made = await this.#engine.whenSettled(() => preflightTask(universe, shipId, since))
    if (made === undefined || made === 'unknown') return made
    this.#thread ??= this.#createThread()
    const end = await this.#thread.run({ task: made, msMax })
    if (typeof end === 'string') return end
    // Modules may have come to act meanwhile.
    if (await this.#engine.whenSettled(() => mayModulesChange(universe, shipId, made)))
      return 'unknown'
    try {
      await this.#engine.execute({ kind: 'fail_maneuver', shipId, since, ...end })
      return 'ended'
    } catch (error) {
      // The journal refuses by codes, too.
      if ('code' in Object(error)) return 'late'
      throw error
    }
  }

  #createThread(): Piscina<ThreadTask, ForeseenEnd> {
    const filename = new URL('preflight-thread.ts', import.meta.url).href
    const thread = new Piscina({ filename, minThreads: 0, maxThreads: 1, idleTimeout: IDLE_MS })
    return thread.on('error', this.#onError)
  }
}

export function createPreflight(...given: ConstructorParameters<typeof Preflight>): Preflight {
  return new Preflight(...given)
}

/** What autopilots of own systems have begun since the last time: ids, and since when. */
function* begun({ worlds }: Universe): Generator<[shipId: string, since: number]> {
  for (const world of worlds) {
    const { isFollowed, maneuvers, roster } = world
    const numbers = isFollowed ? [] : (maneuvers.begun ?? maneuvers.open.keys())
    for (const number of numbers) {
      const open = maneuvers.open.get(number)
      const ship = roster.byNumber.get(number)
      if (!ship || !open?.order || ENDLESS.has(open.order.maneuver)) continue
      if (isUnburnt(world, ship, open.since)) yield [ship.shipId, open.since]
    }
    if (isFollowed) maneuvers.begun = undefined
    else if (maneuvers.begun?.size !== 0) maneuvers.begun = new Set()
  }
}

const ENDLESS: ReadonlySet<FlownManeuver> = new Set(['hold_station'])

/** What an order is flown ahead from, between ticks; undefined when that is over. */
function preflightTask(
  universe: Universe,
  shipId: string,
  since: number,
): PredictionTask | 'unknown' | undefined {
  const place = findShip(universe, shipId)
  if (!place || place.world.isFollowed) return undefined
  const { entry, world } = place
  if (!isUnburnt(world, entry, since)) return undefined
  if (waitingOrders(world, entry.number).length > 0 || isChaseOfPilot(place)) return 'unknown'
  const task = predictionTask(universe, { shipId, seconds: 1, toEnd: true })
  return mayModulesChange(universe, shipId, task) ? 'unknown' : task
}

/** Whether modules may change how a ship's order ends. */
function mayModulesChange(universe: Universe, shipId: string, { copies }: PredictionTask): boolean {
  const { world } = findShip(universe, shipId) ?? {}
  return world !== undefined && mayChangeOrder(influencesOnCopies(world, copies))
}

/** Whether an order leads to a ship that burns or is under an order: its pilot decides where to. */
function isChaseOfPilot({ entry, world }: ShipPlace): boolean {
  const number = world.maneuvers.open.get(entry.number)?.order?.ship
  const target = number === undefined ? undefined : world.roster.byNumber.get(number)
  if (!target) return false
  const { activity, thrustLevel } = world.state.ships
  return activity[target.slot] !== IDLE || thrustLevel[target.slot] > 0
}
