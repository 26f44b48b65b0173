import type { Database } from '@orrery/database'
import type { Engine } from '@orrery/engine'
import { type Host, type HostRow, beginMove, listHosts, mayOwn } from '@orrery/store'
import { HOME_ID } from '../game-records.ts'
import { type Move, isLoaded, moveOf, rankedHosts } from './ranking.ts'

type Sql = Database['sql']

/** A host whose load is too high for so long gives a star system away. */
const LOADED_MS = 3000

/** Beats of a host that lives are never so old [s]. */
const SILENT_SECONDS = 2

export interface GivingOptions {
  readonly sql: Sql
  readonly host: Host
  readonly engine: Pick<Engine, 'status' | 'universe'>
  /** an operator wants it to own nothing */
  readonly isDrained: () => boolean
  /** a monotonic clock [ms] */
  readonly nowMs: () => number
}

/** The systems of a host that another one is to own, by the host's load or since it is drained. */
export class Giving {
  readonly #options: GivingOptions
  #loadedMs = Infinity

  constructor(options: GivingOptions) {
    this.#options = options
  }

  /**
   * What is to be given away now; the home system is another's only with all that is left.
   *
   * @param own  that it owns
   * @param free  those of them that no operator wants anywhere
   */
  async next(own: readonly string[], free: readonly string[]): Promise<Move | undefined> {
    const { isDrained } = this.#options
    const away = (systemIds: readonly string[]): string[] =>
      systemIds.filter((id) => id !== HOME_ID)
    if (!isDrained()) return this.#loaded(own, away(free))
    const [systemId] = away(own)
    return systemId === undefined ? undefined : this.#drained(systemId, own.includes(HOME_ID))
  }

  async #drained(systemId: string, isLeader: boolean): Promise<Move | undefined> {
    const { host, sql } = this.#options
    // One that flies systems would have to end that before it leads.
    const heir = isLeader ? await heirOf(sql, host) : undefined
    const others = (await candidates(sql, host)).filter((one) => one.incarnation !== heir)
    const target = await firstThere(sql, rankedHosts(systemId, others))
    return target === undefined ? undefined : { systemId, host: target }
  }

  async #loaded(own: readonly string[], free: readonly string[]): Promise<Move | undefined> {
    const { engine, host, nowMs, sql } = this.#options
    const self = { ...host, load: engine.status().utilisation }
    this.#loadedMs = isLoaded(self) ? Math.min(this.#loadedMs, nowMs()) : Infinity
    if (nowMs() - this.#loadedMs < LOADED_MS) return undefined
    this.#loadedMs = Infinity
    const ships = new Map(
      engine.universe.worlds.map(({ roster, state }) => [state.system.id, 1 + roster.byId.size]),
    )
    const shipsOf = (systemId: string): number => ships.get(systemId) ?? 0
    const total = own.reduce((sum, systemId) => sum + shipsOf(systemId), 0)
    const systems = free.map((systemId) => ({ systemId, share: shipsOf(systemId) / total }))
    const move = moveOf(self, systems, await candidates(sql, host))
    if (!move || !(await mayOwn(sql, move.host))) return undefined
    const isBegun = await beginMove(sql, { from: host.incarnation, to: move.host })
    return isBegun ? move : undefined
  }
}

/**
 * The host that is to lead in place of another one: one that owns nothing, which goes on at once;
 * else one that flies systems.
 */
export async function heirOf(sql: Sql, host: Host): Promise<string | undefined> {
  const ranked = rankedHosts(HOME_ID, await candidates(sql, host))
  const isIdle = ({ systems }: HostRow): boolean => systems.length === 0
  return firstThere(sql, [...ranked.filter(isIdle), ...ranked.filter((one) => !isIdle(one))])
}

/** Hosts that follow a host's systems, and may be given them. */
async function candidates(sql: Sql, host: Host): Promise<readonly HostRow[]> {
  return (await listHosts(sql)).filter(
    ({ ageSeconds, incarnation, isDrained, lag, physics, systems }) =>
      incarnation !== host.incarnation &&
      physics === host.physics &&
      !isDrained &&
      (ageSeconds ?? Infinity) < SILENT_SECONDS &&
      (lag !== null || systems.length > 0),
  )
}

async function firstThere(sql: Sql, hosts: readonly HostRow[]): Promise<string | undefined> {
  for (const { incarnation } of hosts) if (await mayOwn(sql, incarnation)) return incarnation
  return undefined
}
