/** What a database holds after a crash, and the world that comes of it. */
import { Engine, createPool, systemClock } from '@orrery/engine'
import { type OpenedWorld, openStored } from '@orrery/game'
import type { ShipState } from '@orrery/protocol'
import { utcFromLattice } from '@orrery/sim'
import { type Era, eras, journal, snapshots } from '@orrery/store'
import { isDeepStrictEqual } from 'node:util'
import { shipState } from '../../packages/gateway/src/wire-views.ts'
import { fly } from '../replay/flight.ts'
import { storedRecords } from '../replay/records.ts'
import type { Sql } from './game-directory.ts'
import type { KeptOrder } from './order-book.ts'

/** Room for ships; the worlds here have a hundred or two. */
const SHIPS_MAX = 2000

/** Control commands of all eras that are stored. */
export async function keptOrders(sql: Sql): Promise<KeptOrder[]> {
  const orders: KeptOrder[] = []
  for (const { era } of await eras(sql).list()) {
    for await (const { rows } of journal(sql).batches(era, 0)) {
      for (const { actor, lattice, command } of rows) {
        const { kind, control } = Object(command)
        if (kind !== 'control' || actor === null) continue
        const { thrustLevel: thrust, attitude, pointing } = control
        const turn: string | undefined = pointing ?? (attitude && JSON.stringify(attitude))
        const gameTime = new Date(utcFromLattice(lattice)).toISOString()
        orders.push({
          pilot: actor,
          gameTime,
          ...(thrust !== undefined && { thrust }),
          ...(turn !== undefined && { turn }),
        })
      }
    }
  }
  return orders
}

/** An era once more, from its first snapshot to the last clock of its journal. */
export interface Replayed {
  readonly era: number
  readonly index: number
  readonly commands: number
  /** digests that are stored and were made again */
  readonly digests: number
  readonly ships: ReadonlyMap<string, ShipState>
  /** digests that came out otherwise */
  readonly differences: readonly string[]
}

/**
 * Flies all eras again, oldest first.
 *
 * @param without  eras that need not be
 * @throws {Error} when an era's first snapshot does not open
 */
export async function replayed(sql: Sql, without: ReadonlySet<number>): Promise<Replayed[]> {
  const replays: Replayed[] = []
  for (const era of await eras(sql).list()) {
    if (!without.has(era.era)) replays.push(await replayedEra(sql, era))
  }
  return replays
}

async function replayedEra(sql: Sql, { era, snapshotId }: Era): Promise<Replayed> {
  const first = await snapshots(sql).byId(snapshotId)
  if (!first) throw new Error(`The first snapshot of era ${era} is not there.`)
  const found = new Map<number, string>()
  const flight = await fly({
    opened: await openStored(first, { shipsMax: SHIPS_MAX }),
    records: storedRecords(sql, first),
    stops: [],
    onDigest: ({ index, digest }) => void found.set(index, digest),
    onStop: () => Promise.resolve(),
  })
  const { opened, commands } = flight
  const { world } = opened
  const stored = await journal(sql).digests(era, { from: first.lattice, to: world.index })
  const compared = stored.filter(({ lattice }) => found.has(lattice))
  const differences = compared
    .filter(({ lattice, digest }) => found.get(lattice) !== digest)
    .map(({ lattice, digest }) => {
      return `digest ${lattice} of era ${era}: stored ${digest}, replayed ${found.get(lattice)}`
    })
  const ships = await shipsOf(opened)
  return { era, index: world.index, commands, digests: compared.length, ships, differences }
}

/** All ships of a world, as clients see them. */
async function shipsOf(opened: OpenedWorld): Promise<Map<string, ShipState>> {
  const { world } = opened
  const engine = new Engine({
    ...opened,
    pool: createPool(world, 1, console.error),
    clock: systemClock,
    tickRate: 1,
    timeScale: 1,
    paused: true,
    onPublish: () => undefined,
    onFault: console.error,
  })
  const ships = new Map<string, ShipState>()
  for (const shipId of world.roster.byId.keys()) {
    const view = await engine.ship(shipId)
    if (view) ships.set(shipId, JSON.parse(JSON.stringify(shipState(view))))
  }
  await engine.stop()
  return ships
}

/** What ships have that the others have not, or not to the bit the same. */
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
