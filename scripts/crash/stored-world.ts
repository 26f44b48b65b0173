/** The content of a database after a crash, and the world that a replay makes from it. */
import { STAR_SYSTEMS } from '@orrery/catalog'
import { createEngine, allShips, createPool, systemClock } from '@orrery/engine'
import type { GameModules } from '@orrery/engine/modules'
import { openedInside } from '@orrery/engine/testing'
import { type OpenedUniverse, openStored } from '@orrery/game'
import { shipState } from '@orrery/gateway'
import type { ShipState } from '@orrery/protocol'
import { utcFromLattice } from '@orrery/sim'
import { type Era, type JournalRow, eras, journal, snapshots } from '@orrery/store'
import { isDeepStrictEqual } from 'node:util'
import { createComparison } from '../replay/comparison.ts'
import { fly } from '../replay/flight.ts'
import { storedDigests, storedRecords } from '../replay/records.ts'
import type { Sql } from '../trials/game-directory.ts'
import type { StoredOrder } from './order-history.ts'

/** Capacity; the worlds here have a hundred or two. */
const SHIPS_MAX = 2000

/** Stored control commands of all eras. */
export async function storedOrders(sql: Sql): Promise<StoredOrder[]> {
  const orders: StoredOrder[] = []
  for (const { era } of await eras(sql).list()) {
    for (const { system } of STAR_SYSTEMS) {
      const key = { era, systemId: system.id }
      for await (const { rows } of journal(sql).batches(key, 0)) {
        orders.push(...rows.flatMap(storedOrder))
      }
    }
  }
  return orders
}

function storedOrder({ actor, lattice, command }: JournalRow): StoredOrder[] {
  const { kind, control } = Object(command)
  if (kind !== 'control' || actor === null) return []
  const { thrustLevel: thrust, attitude, angularRate, pointing, maneuver, undock } = control
  const named: string | undefined = undock ? 'undock' : (pointing ?? maneuver?.maneuver)
  const wanted: unknown = attitude ?? angularRate
  const turn: string | undefined = named ?? (wanted === undefined ? wanted : JSON.stringify(wanted))
  return [
    {
      pilot: actor,
      gameTime: new Date(utcFromLattice(lattice)).toISOString(),
      ...(thrust !== undefined && { thrust }),
      ...(turn !== undefined && { turn }),
    },
  ]
}

/** Result of a replay, from the first snapshot of an era to the last clock of its journal. */
export interface Replayed {
  readonly era: number
  readonly index: number
  readonly commands: number
  /** count of stored digests that the replay made, too */
  readonly digests: number
  readonly ships: ReadonlyMap<string, ShipState>
  /** digests that differ */
  readonly differences: readonly string[]
}

/**
 * Replays all eras, oldest first.
 *
 * @param without  eras to leave out
 * @param modules  of the game
 * @throws {Error} when an era's first snapshot does not open
 */
export async function replayed(
  sql: Sql,
  without: ReadonlySet<number>,
  modules?: GameModules,
): Promise<Replayed[]> {
  const replays: Replayed[] = []
  for (const era of await eras(sql).list()) {
    if (!without.has(era.era)) replays.push(await replayedEra(sql, era, modules))
  }
  return replays
}

async function replayedEra(
  sql: Sql,
  { era, snapshotId }: Era,
  modules: GameModules | undefined,
): Promise<Replayed> {
  const first = await snapshots(sql).byId(snapshotId)
  if (!first) throw new Error(`The first snapshot of era ${era} is not there.`)
  const opened = openedInside(await openStored(first, { shipsMax: SHIPS_MAX, modules }))
  const { universe } = opened
  const stored = await storedDigests(sql, era, universe)
  const comparison = createComparison({ era, universe }, stored, () => undefined)
  const flight = await fly({
    opened,
    records: (systemId) => storedRecords(sql, first, systemId),
    stops: [],
    onDigest: comparison.digest,
    onStop: () => Promise.resolve(),
  })
  const report = comparison.report(flight)
  return {
    era,
    index: report.to.index,
    commands: flight.commands,
    digests: report.digests_compared,
    ships: await shipsOf(flight.opened),
    differences: report.digests
      .filter(({ systems }) => systems.length > 0)
      .map((one) => `digest of era ${era}: ${JSON.stringify(one)}`),
  }
}

/** All ships of a universe in the form of the protocol. */
async function shipsOf(opened: OpenedUniverse): Promise<Map<string, ShipState>> {
  const { universe } = opened
  const engine = createEngine({
    ...opened,
    pool: createPool(universe, 1, console.error),
    clock: systemClock,
    tickRate: 1,
    timeScale: 1,
    paused: true,
    onPublish: () => undefined,
    onFault: console.error,
  })
  const ships = new Map<string, ShipState>()
  for (const { shipId } of allShips(universe)) {
    const view = await engine.ship(shipId)
    if (view) ships.set(shipId, JSON.parse(JSON.stringify(shipState(view))))
  }
  await engine.stop()
  return ships
}

/** Ships and fields that are not equal to the bit. */
export function shipDifferences(
  shown: ReadonlyMap<string, ShipState>,
  others: ReadonlyMap<string, ShipState>,
): string[] {
  const ids = new Set([...shown.keys(), ...others.keys()])
  return [...ids].flatMap((id) => {
    const one = shown.get(id)
    const other = others.get(id)
    if (!one || !other) return [`ship ${id} is only ${one ? 'shown' : 'there, not shown'}`]
    const fields = Object.keys(one) as (keyof ShipState)[]
    return fields
      .filter((field) => !isDeepStrictEqual(one[field], other[field]))
      .map((field) => {
        const texts = [one, other].map((ship) => JSON.stringify(ship[field]))
        return `${field} of ship ${id}: shown ${texts.join(', not ')}`
      })
  })
}
