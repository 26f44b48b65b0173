import {
  EngineError,
  type ManeuverEvent,
  type Pool,
  type World,
  createReplay,
  imageClock,
} from '@orrery/engine'
import type { GameLog } from '../game-config.ts'
import { BLOCK_QUANTA, PHYSICS, QUANTA_PER_SECOND, type WorldDigest } from '@orrery/sim'
import type { ClockRow, Journal, Snapshot, Snapshots } from '@orrery/store'
import { type OpenedWorld, openStored } from './stored-world.ts'

/** A stored world does not open, and no older one of its era either. */
export class RecoveryError extends Error {
  override readonly name = 'RecoveryError'
  readonly code = 'ERR_RECOVERY'
}

export interface RecoveryOptions {
  readonly snapshots: Pick<Snapshots, 'list' | 'byId'>
  readonly journal: Pick<Journal, 'batches' | 'digests'>
  readonly era: number
  readonly shipsMax: number
  readonly createPool: (world: World) => Pool
  /** called with events of ships' maneuvers on the way, some of them for the second time */
  readonly onManeuver: (event: ManeuverEvent) => void
  readonly logger: GameLog
}

/** A digest that came out otherwise than it was kept. */
export interface DigestMismatch {
  /** lattice index */
  readonly index: number
  readonly kept: string
  readonly found: string
}

/** The world as it was last published, with what flies it. */
export interface RecoveredWorld extends OpenedWorld {
  readonly pool: Pool
  readonly mismatches: readonly DigestMismatch[]
  /** how long it took to catch up; the next start would take as long */
  readonly caughtUpMs: number
}

/**
 * Opens the newest usable snapshot of an era and replays the journal after it,
 * up to the clock last kept; each digest on the way is compared with the one that was kept.
 * Undefined when the era has neither snapshot nor journal.
 *
 * @throws {RecoveryError} when the journal has commands and no snapshot opens, or was written by
 *   another version of the physics
 */
export async function recoverWorld(options: RecoveryOptions): Promise<RecoveredWorld | undefined> {
  const { era, createPool, logger } = options
  const found = await newestUsable(options)
  if (!found) return undefined
  const { snapshot, opened } = found
  const pool = createPool(opened.world)
  const startMs = performance.now()
  try {
    const { clock, commands, digests } = await catchUp(options, found, pool)
    const caughtUpMs = performance.now() - startMs
    const mismatches = await compare(options, snapshot, digests)
    logger.info(
      {
        snapshot: snapshot.id,
        era,
        commands,
        game_seconds: (opened.world.index - snapshot.lattice) / QUANTA_PER_SECOND,
        digests: digests.size,
        duration_ms: Math.round(caughtUpMs),
      },
      'world recovered',
    )
    return { ...opened, ...(clock && momentOf(clock)), pool, mismatches, caughtUpMs }
  } catch (error) {
    await pool.close()
    throw error
  }
}

interface Found {
  readonly snapshot: Snapshot
  readonly opened: OpenedWorld
}

/** The newest snapshot of an era that opens; the others are logged and left unchanged. */
async function newestUsable(options: RecoveryOptions): Promise<Found | undefined> {
  const { snapshots, journal, era, logger } = options
  const stored = (await snapshots.list()).filter((one) => one.era === era && one.kind !== 'backup')
  for (const { id } of stored) {
    const snapshot = await snapshots.byId(id)
    if (!snapshot) continue
    try {
      return { snapshot, opened: await openStored(snapshot, options) }
    } catch (error) {
      if (!(error instanceof EngineError)) throw error
      logger.error({ snapshot: id, reason: error.message }, 'a stored world does not open')
    }
  }
  const isEmpty = stored.length === 0 && (await isWithoutJournal(journal, era))
  if (isEmpty) return undefined
  const ids = stored.map(({ id }) => id).join(', ')
  throw new RecoveryError(`No stored world of era ${era} opens (snapshots: ${ids || 'none'})`)
}

async function isWithoutJournal(
  { batches }: RecoveryOptions['journal'],
  era: number,
): Promise<boolean> {
  for await (const { rows } of batches(era, -1)) if (rows.length > 0) return false
  return true
}

/** Does again what was journalled after a snapshot. */
async function catchUp(
  { journal, era, onManeuver }: RecoveryOptions,
  { snapshot, opened: { world } }: Found,
  pool: Pool,
): Promise<{
  readonly clock: ClockRow | undefined
  readonly commands: number
  readonly digests: ReadonlyMap<number, string>
}> {
  const digests = new Map<number, string>()
  const onDigest = ({ index, digest }: WorldDigest): unknown => digests.set(index, digest)
  /** passed in the journal, and not flown to yet */
  let clocks: ClockRow[] = []
  const replay = createReplay({
    world,
    pool,
    onDigest,
    onManeuver: (event) => onManeuver({ ...event, tick: tickOf(event, clocks) }),
  })
  const fly = async (clock: ClockRow | undefined): Promise<void> => {
    if (clock) await replay.flyTo(clock.lattice, clock.tick)
    clocks = []
  }
  let last: ClockRow | undefined
  let commands = 0
  for await (const { rows, clock } of journal.batches(era, snapshot.sequence)) {
    if (rows.length > 0 || clock.lattice > world.index) requirePhysics(snapshot)
    for (const { sequence, lattice: index, command } of rows) {
      await replay.apply({ sequence, index, command })
    }
    commands += rows.length
    // The clock of the snapshot's own sequence may have been kept before the snapshot was taken.
    if (clock.lattice < world.index) continue
    clocks.push(clock)
    last = clock
    // Flights of a second each would take a fifth longer.
    if (clock.lattice - world.index >= BLOCK_QUANTA) await fly(clock)
  }
  await fly(clocks.at(-1))
  return { clock: last, commands, digests }
}

/** The tick of an event: that of the first clock past it. */
function tickOf({ index, tick }: ManeuverEvent, clocks: readonly ClockRow[]): number {
  return clocks.find(({ lattice }) => lattice >= index)?.tick ?? tick
}

function requirePhysics({ physics }: Snapshot): void {
  if (physics === PHYSICS) return
  const message =
    `The journal was written by a release with physics ${physics}, this one has ${PHYSICS}: ` +
    'start and stop that release once more, then this one'
  throw new RecoveryError(message)
}

async function compare(
  { journal, era }: RecoveryOptions,
  { lattice }: Snapshot,
  digests: ReadonlyMap<number, string>,
): Promise<DigestMismatch[]> {
  const kept = await journal.digests(era, { from: lattice, to: Number.MAX_SAFE_INTEGER })
  return kept.flatMap(({ lattice: index, digest }) => {
    const found = digests.get(index)
    return found === undefined || found === digest ? [] : [{ index, kept: digest, found }]
  })
}

function momentOf({ lattice: index, remainder, tick }: ClockRow): Omit<OpenedWorld, 'world'> {
  return { gameClock: imageClock({ index, remainder }), tick }
}
