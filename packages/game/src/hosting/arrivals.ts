import { type Database, isAway } from '@orrery/database'
import { type Engine, type WallClock, errorText } from '@orrery/engine'
import { journal } from '@orrery/store'
import type { GameLog } from '../game-config.ts'
import { type InterruptibleSleep, createInterruptibleSleep } from '../interruptible-sleep.ts'

/** Time until ships that nothing announced are looked for. */
const LOOK_MS = 500

/** The same while a ship comes that could not arrive yet. */
const COMING_MS = 10

/** A ship that is between two star systems. */
export type HandOff = ReturnType<Engine['followed']['underWay']>[number]

export interface ArrivalsOptions {
  readonly sql: Database['sql']
  readonly engine: Pick<Engine, 'followed' | 'completeHandOffs'>
  readonly era: () => number
  readonly clock: WallClock
  readonly logger: GameLog
}

/** Takes in ships that come from star systems of others, each still under way by its row. */
export class Arrivals {
  readonly #options: ArrivalsOptions
  readonly #sleep: InterruptibleSleep
  readonly #stopping = new AbortController()
  #hasNews = false
  #running: Promise<void> | undefined

  constructor(options: ArrivalsOptions) {
    this.#options = options
    this.#sleep = createInterruptibleSleep(options.clock)
  }

  /** A ship has left a system of another, or such a system is this process's now. */
  announced(): void {
    this.#hasNews = true
    this.#sleep.interrupt()
  }

  start(): void {
    this.#running ??= this.#run()
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    this.#sleep.interrupt()
    await this.#running
  }

  /** Ships that are known to be under way and have arrived by their rows. */
  async arrived(): Promise<readonly HandOff[]> {
    const underWay = this.#options.engine.followed.underWay()
    if (underWay.length === 0) return []
    const isInTransit = await this.#inTransit()
    return underWay.filter((one) => !isInTransit(one))
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping
    while (!signal.aborted) {
      this.#hasNews = false
      const looked = await this.#takeInIfThere()
      if (signal.aborted || this.#hasNews) continue
      await this.#sleep.start(this.#isComing(looked) ? COMING_MS : LOOK_MS)
    }
  }

  /** Returns those that could arrive, which have arrived or are under way no more. */
  async #takeInIfThere(): Promise<readonly HandOff[]> {
    const { engine, logger } = this.#options
    const due = engine.followed.underWay().filter((one) => engine.followed.arrival(one) === 'now')
    if (due.length === 0) return due
    try {
      // A ship may have arrived since a departure that is known here, and have departed again.
      const coming = new Set(due.filter(await this.#inTransit()))
      if (coming.size > 0) await engine.completeHandOffs((one) => coming.has(one))
    } catch (error) {
      if (!isAway(error)) logger.error({ reason: errorText(error) }, 'ships do not arrive')
    }
    return due
  }

  async #inTransit(): Promise<(handOff: HandOff) => boolean> {
    const { era, sql } = this.#options
    const rows = await journal(sql).inTransit(era())
    const keys = new Set(rows.map((row) => `${row.systemId} ${row.lattice} ${row.shipId}`))
    return ({ from, index, shipId }) => keys.has(`${from} ${index} ${shipId}`)
  }

  /** Whether ships come but some: the clock may have reached a departure since these were due. */
  #isComing(looked: readonly HandOff[]): boolean {
    const { followed } = this.#options.engine
    return followed
      .underWay()
      .some((one) => !looked.includes(one) && followed.arrival(one) !== 'elsewhere')
  }
}
