/** The world as it is stored now, and worlds on their way into the store. */
import type { Database } from '@orrery/database'
import { EngineError, type UniverseImage, universeImage } from '@orrery/engine'
import type { GameModules } from '@orrery/engine/modules'
import { type OpenedUniverse, openStored, storeUniverse } from '@orrery/game'
import { type Snapshot, type Snapshots, eras, settings } from '@orrery/store'
import { fly } from '../replay/flight.ts'
import { storedRecords } from '../replay/records.ts'
import { openSpan, passedOver } from '../replay/span.ts'

/** What a stored world does not hold. */
export interface WorldRoom {
  readonly shipsMax: number
  readonly modules?: GameModules | undefined
}

/** A world, and the era that it belongs to. */
export interface PresentWorld {
  readonly opened: OpenedUniverse
  readonly era: number
}

/** The world that the next start would open, or a running server has last stored. */
export async function presentWorld(
  sql: Database['sql'],
  room: WorldRoom,
): Promise<PresentWorld | undefined> {
  const { era } = await settings(sql).load()
  if (era === undefined || !(await eras(sql).byNumber(era))) return undefined
  const newest = { kind: 'moment', index: Infinity } as const
  const { start, opened } = await openSpan(
    sql,
    { era, from: newest, to: undefined, ...room },
    passedOver('backup'),
  )
  const flight = await fly({
    opened,
    records: (systemId) => storedRecords(sql, start, systemId),
    stops: [],
    onDigest: () => undefined,
    onStop: () => Promise.resolve(),
  })
  return { era, opened: flight.opened }
}

/** A stored world, or the reason why it does not open. */
export async function openedOrReason(
  stored: Pick<Snapshot, 'lattice' | 'header' | 'bytes'>,
  room: WorldRoom,
): Promise<OpenedUniverse | string> {
  try {
    return await openStored(stored, room)
  } catch (error) {
    if (error instanceof EngineError) return error.message
    throw error
  }
}

/** Stores a world; returns the snapshot's id. */
export function storedAs(records: Snapshots, opened: OpenedUniverse, era: number): Promise<number> {
  return storeUniverse(records, imageOf(opened), { era, kind: 'automatic' })
}

export function imageOf({ universe, gameClock, tick }: OpenedUniverse): UniverseImage {
  return universeImage(universe, gameClock, tick)
}
