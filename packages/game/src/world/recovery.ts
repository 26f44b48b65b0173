import { STAR_SYSTEMS } from '@orrery/catalog'
import {
  EngineError,
  type ManeuverEvent,
  type Pool,
  type SystemDigest,
  type Universe,
  type WallClock,
  createReplay,
  imageClock,
} from '@orrery/engine'
import type { GameModules } from '@orrery/engine/modules'
import type { GameLog } from '../game-config.ts'
import { BLOCK_QUANTA, PHYSICS, QUANTA_PER_SECOND } from '@orrery/sim'
import type {
  ClockPlan,
  ClockRow,
  Journal,
  Snapshot,
  SnapshotSummary,
  Snapshots,
} from '@orrery/store'
import { presentClock } from './present-clock.ts'
import { takeUpHandOffs } from './taken-up-hand-offs.ts'
import { type OpenedUniverse, openStored } from './stored-universe.ts'

/** A stored universe does not open, and no older one of its era either. */
export class RecoveryError extends Error {
  override readonly name = 'RecoveryError'
  readonly code: 'ERR_RECOVERY' | 'ERR_RECOVERY_NEWER'
  /** of the release that can open it; this one's else */
  readonly physics: number

  constructor(message: string, physics: number = PHYSICS) {
    super(message)
    this.physics = physics
    this.code = physics > PHYSICS ? 'ERR_RECOVERY_NEWER' : 'ERR_RECOVERY'
  }
}

export interface RecoveryOptions {
  readonly snapshots: Pick<Snapshots, 'list' | 'byId'>
  readonly journal: Pick<Journal, 'batches' | 'digests' | 'inTransit'>
  readonly era: number
  /** snapshot that the era's journal begins with */
  readonly firstId: number
  readonly shipsMax: number
  readonly modules?: GameModules | undefined
  readonly createPool: (universe: Universe) => Pool
  /** called with events of ships' maneuvers on the way, some of them for the second time */
  readonly onManeuver: (event: ManeuverEvent) => void
  readonly logger: GameLog
  readonly clock: Pick<WallClock, 'monotonicMs'>
  /**
   * wall time since the last clock was kept [s]: then a universe whose owner was killed goes on
   * where that would be by now; without it, at that clock
   */
  readonly silentSeconds?: (() => Promise<number>) | undefined
  /** by which its clock ran, if any */
  readonly plan?: () => ReturnType<ClockPlan['load']>
}

/** A digest that came out otherwise than it was kept. */
export interface DigestMismatch {
  readonly systemId: string
  /** lattice index */
  readonly index: number
  readonly kept: string
  readonly found: string
}

/** The universe as it was last published, with what flies it. */
export interface RecoveredUniverse extends OpenedUniverse {
  readonly pool: Pool
  /** version of the physics that stored it; another one's journal cannot go on */
  readonly physics: number
  /** kept digests that the replay came to */
  readonly compared: number
  readonly mismatches: readonly DigestMismatch[]
  /** past the clock last kept, so that none is kept */
  readonly digests: readonly SystemDigest[]
  /** how long it took to catch up; the next start would take as long */
  readonly caughtUpMs: number
}

/**
 * Opens the newest usable snapshot of an era and replays each system's journal after it, to the
 * clock last kept or past it; each digest on the way is compared with the one that was kept.
 * Undefined when the era has neither snapshot nor journal.
 *
 * @throws {RecoveryError} when the journal has commands and no snapshot opens, or was written by
 *   another version of the physics, which it names
 */
export async function recoverUniverse(
  options: RecoveryOptions,
): Promise<RecoveredUniverse | undefined> {
  const { era, createPool, journal, logger, clock: wall } = options
  const found = await newestUsable(options)
  if (!found) return undefined
  const { snapshot, opened, sources } = found
  const { universe } = opened
  const pool = createPool(universe)
  const startMs = wall.monotonicMs()
  try {
    const { clock, commands, digests, keptTo } = await catchUp(options, found, pool)
    takeUpHandOffs(universe, await journal.inTransit(era), logger)
    const caughtUpMs = wall.monotonicMs() - startMs
    const from = Math.min(...Array.from(sources.values(), ({ lattice }) => lattice))
    const comparison = await compare(options, from, digests)
    logger.info(
      {
        snapshot: snapshot.id,
        era,
        commands,
        game_seconds: (universe.worlds[0].index - snapshot.lattice) / QUANTA_PER_SECOND,
        digests: digests.length,
        duration_ms: Math.round(caughtUpMs),
      },
      'world recovered',
    )
    const versions = Array.from(sources.values(), ({ physics }) => physics)
    return {
      ...opened,
      ...(clock && momentOf(clock)),
      pool,
      physics: versions.find((version) => version !== PHYSICS) ?? PHYSICS,
      ...comparison,
      digests: digests.filter(({ index }) => index >= keptTo),
      caughtUpMs,
    }
  } catch (error) {
    await pool.close()
    throw error
  }
}

/** A stored world that opens. */
export interface Found {
  /** the newest */
  readonly snapshot: Snapshot
  /** each system as the newest snapshot has it that it is in */
  readonly opened: OpenedUniverse
  /** the snapshot of each system, by its id; one that the catalog has gained has none */
  readonly sources: ReadonlyMap<string, SnapshotSummary>
}

/**
 * The newest snapshots of an era that open, so that each system is from one, and all of the journal
 * is after them; others are logged and left unchanged.
 */
export async function newestUsable(
  options: Pick<
    RecoveryOptions,
    'snapshots' | 'journal' | 'era' | 'firstId' | 'shipsMax' | 'modules' | 'logger'
  >,
): Promise<Found | undefined> {
  const { snapshots, journal, era, firstId, logger } = options
  const stored = (await snapshots.list()).filter(
    (one) => one.era === era && one.kind !== 'backup' && one.id >= firstId,
  )
  let found: Found | undefined
  for (const { id, physics, sequences } of stored) {
    if (Object.keys(sequences).every((systemId) => found?.sources.has(systemId))) continue
    // An older world would be without all that was done since.
    if (physics > PHYSICS) throw newerPhysics(physics)
    const snapshot = await snapshots.byId(id)
    if (!snapshot) continue
    try {
      found = completed(found, snapshot, await openStored(snapshot, options))
    } catch (error) {
      // An older world would lack the module, too.
      if (!(error instanceof EngineError) || error.code === 'ERR_MODULE') throw error
      logger.error({ snapshot: id, reason: error.message }, 'a stored world does not open')
    }
  }
  if (found) return found
  const isEmpty = stored.length === 0 && (await isWithoutJournal(journal, era))
  if (isEmpty) return undefined
  const ids = stored.map(({ id }) => id).join(', ')
  throw new RecoveryError(`No stored world of era ${era} opens (snapshots: ${ids || 'none'})`)
}

/** With those systems of an older snapshot that are in no newer one. */
function completed(found: Found | undefined, snapshot: Snapshot, opened: OpenedUniverse): Found {
  const sources = new Map(found?.sources)
  const added = Object.keys(snapshot.sequences).filter((systemId) => !sources.has(systemId))
  for (const systemId of added) sources.set(systemId, snapshot)
  if (!found) return { snapshot, opened, sources }
  const worlds = found.opened.universe.worlds.map((world, place) =>
    added.includes(world.state.system.id) ? opened.universe.worlds[place] : world,
  )
  const universe = { ...found.opened.universe, worlds }
  return { ...found, opened: { ...found.opened, universe }, sources }
}

async function isWithoutJournal(
  { batches }: RecoveryOptions['journal'],
  era: number,
): Promise<boolean> {
  const systemIds = STAR_SYSTEMS.map(({ system }) => system.id)
  for (const systemId of systemIds) {
    for await (const { rows } of batches({ era, systemId }, -1)) if (rows.length > 0) return false
  }
  return true
}

/** What was done again. */
interface CaughtUp {
  /** the last one; undefined where the newest snapshot is past it */
  readonly clock: ClockRow | undefined
  readonly commands: number
  readonly digests: readonly SystemDigest[]
}

/** Does again what was journalled after the snapshots, one system after the other. */
async function catchUp(
  options: RecoveryOptions,
  found: Found,
  pool: Pool,
): Promise<CaughtUp & { readonly keptTo: number }> {
  const { opened, snapshot } = found
  const { worlds } = opened.universe
  const all: (CaughtUp & { readonly replay: ReturnType<typeof createReplay> })[] = []
  for (const place of worlds.keys()) all.push(await catchUpSystem(options, found, pool, place))
  const clocks = all.flatMap(({ clock }) => clock ?? [])
  const last = clocks.toSorted((a, b) => a.lattice - b.lattice).at(-1)
  const kept = last && last.lattice >= snapshot.lattice ? last : undefined
  const clock = kept && (await gone(options, found, kept))
  const { lattice, tick } = clock ?? snapshot
  // The catalog may have gained a system since the clock was written, or one was left out.
  for (const [place, { replay }] of all.entries()) {
    if (clock || worlds[place].index < lattice) await replay.flyTo(lattice, tick)
  }
  return {
    clock,
    commands: all.reduce((sum, { commands }) => sum + commands, 0),
    digests: all.flatMap(({ digests }) => digests),
    keptTo: kept?.lattice ?? Infinity,
  }
}

/** Where a universe goes on: what was stopped, from there, and what was killed, from now. */
async function gone(
  { plan, silentSeconds }: RecoveryOptions,
  { snapshot: { kind, lattice, physics } }: Found,
  clock: ClockRow,
): Promise<ClockRow> {
  const isStopped = kind === 'stop' && lattice === clock.lattice
  if (!silentSeconds || isStopped || physics !== PHYSICS) return clock
  return presentClock(clock, await silentSeconds(), await plan?.())
}

async function catchUpSystem(
  { journal, era, onManeuver }: RecoveryOptions,
  { sources, opened: { universe } }: Found,
  pool: Pool,
  place: number,
): Promise<CaughtUp & { readonly replay: ReturnType<typeof createReplay> }> {
  const world = universe.worlds[place]
  const systemId = world.state.system.id
  const digests: SystemDigest[] = []
  /** passed in the journal, and not flown to yet */
  let clocks: ClockRow[] = []
  const replay = createReplay({
    world,
    pool,
    place,
    onDigest: (digest) => digests.push(digest),
    onManeuver: (event) => onManeuver({ ...event, tick: tickOf(event, clocks) }),
  })
  const fly = async (clock: ClockRow | undefined): Promise<void> => {
    if (clock) await replay.flyTo(clock.lattice, clock.tick)
    clocks = []
  }
  let last: ClockRow | undefined
  let commands = 0
  const source = sources.get(systemId)
  const after = source?.sequences[systemId] ?? 0
  for await (const { rows, clock } of journal.batches({ era, systemId }, after)) {
    if (rows.length > 0 || clock.lattice > world.index) requirePhysics(source)
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
  return { clock: last, commands, digests, replay }
}

/** The tick of an event: that of the first clock past it. */
function tickOf({ index, tick }: ManeuverEvent, clocks: readonly ClockRow[]): number {
  return clocks.find(({ lattice }) => lattice >= index)?.tick ?? tick
}

function newerPhysics(physics: number): RecoveryError {
  const message = `The world is flown by a release with physics ${physics}, this one has ${PHYSICS}`
  return new RecoveryError(message, physics)
}

function requirePhysics(source: SnapshotSummary | undefined): void {
  const { physics = PHYSICS } = source ?? {}
  if (physics === PHYSICS) return
  const message =
    `The journal was written by a release with physics ${physics}, this one has ${PHYSICS}: ` +
    'start and stop that release once more, then this one'
  throw new RecoveryError(message, physics)
}

async function compare(
  { journal, era }: RecoveryOptions,
  from: number,
  digests: readonly SystemDigest[],
): Promise<Pick<RecoveredUniverse, 'compared' | 'mismatches'>> {
  const span = { from, to: Number.MAX_SAFE_INTEGER }
  const mismatches: DigestMismatch[] = []
  let compared = 0
  for (const [systemId, found] of Map.groupBy(digests, (digest) => digest.systemId)) {
    const kept = await journal.digests({ era, systemId }, span)
    const digestAt = new Map(kept.map((row) => [row.lattice, row.digest]))
    for (const { index, digest } of found) {
      const expected = digestAt.get(index)
      if (expected === undefined) continue
      compared++
      if (expected !== digest) mismatches.push({ systemId, index, kept: expected, found: digest })
    }
  }
  return { compared, mismatches }
}

function momentOf({ lattice: index, remainder, tick }: ClockRow): Omit<OpenedUniverse, 'universe'> {
  return { gameClock: imageClock({ index, remainder }), tick }
}
