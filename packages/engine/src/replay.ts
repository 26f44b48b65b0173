import {
  BEAT_QUANTA,
  BLOCK_QUANTA,
  CONTROL_QUANTA,
  EVENTS_MAX,
  FROZEN,
  ORDERS_MAX,
  QUANTA_PER_SECOND,
  type Round,
  advanceChunk,
  updateSightings,
  watchedBy,
} from '@orrery/sim'
import type { KeptCommand } from './commands/command-row.ts'
import { EngineError, errorText } from './engine-error.ts'
import { type SystemDigest, flyWorlds, takeUpEvents } from './flown-universe.ts'
import { POINTING_MAX, addPending, writeOrders } from './world/intake.ts'
import { parseKeptCommand } from './commands/kept-command.ts'
import type { ManeuverEvent } from './world/maneuver.ts'
import { emitManeuvers } from './maneuvers/maneuver-log.ts'
import { isDue } from './pool/chunk-queue.ts'
import type { Pool } from './pool/pool.ts'
import { type Sliced, inSlices } from './time/slices.ts'
import type { ShipNotice } from './views/ship-view.ts'
import { watchersOf } from './world/watchers.ts'
import { freezeShip } from './objects/fleet.ts'
import { type World, completeNear } from './world/world.ts'
import { requireModules } from './world/world-modules.ts'
import { applyCommand } from './commands/world-command.ts'

export interface ReplayOptions {
  /** as it was restored from an image */
  readonly world: World
  /** flies the ships; when it is undefined the calling thread does, in slices */
  readonly pool: Pool | undefined
  /** place of the world in the pool's universe; the first by default */
  readonly place?: number
  /** called with the world's digest at each multiple of 64 s that is passed */
  readonly onDigest?: (digest: SystemDigest) => void
  /** called with the events of maneuvers at the end of `flyTo`, with its tick */
  readonly onManeuver?: (event: ManeuverEvent) => void
  readonly onEvent?: (notice: ShipNotice) => void
  /** called with each command once it has acted, or waits for its index */
  readonly onCommand?: (command: KeptCommand, row: KeptRow) => void
}

/** A command as it was kept. */
export interface KeptRow {
  readonly sequence: number
  readonly index: number
  /** a {@link KeptCommand}, not parsed yet */
  readonly command: unknown
}

/** Simulates once more what happened in a star system, to the same bits. */
export interface Replay {
  readonly world: World
  /**
   * Takes the next command: a structural one acts where it acted, after the flight to there; a
   * control, and a ship that was frozen, wait for their index.
   *
   * @throws {EngineError} 'ERR_REPLAY' naming a row that cannot be
   */
  apply(row: KeptRow): Promise<void>
  /**
   * Flies to a published index. All rows up to its clock row have been applied.
   *
   * @param tick  number of the tick in the events
   * @throws {EngineError} 'ERR_REPLAY' when the index is in the past
   */
  flyTo(index: number, tick: number): Promise<void>
}

/** Flight on the calling thread between two pauses, at least. */
const SLICE_MS = 2

/** Longest flight of a chunk between two looks at the time. */
const SLICE_QUANTA = 8 * QUANTA_PER_SECOND

/** Each order may bring as many events: it is noted, seen, locked and lost within one flight. */
const EVENTS_PER_ORDER = 4

export function createReplay(options: ReplayOptions): Replay {
  const { world, onDigest, onManeuver, onEvent, onCommand } = options
  const flier = flierOf(options)

  /** frozen at an index that is not flown to yet */
  let frozen: { readonly ship: number; readonly index: number }[] = []

  async function fly(to: number): Promise<void> {
    const due = frozen.filter(({ index }) => index <= to)
    frozen = frozen.filter(({ index }) => index > to)
    for (const { ship, index } of due.toSorted((a, b) => a.index - b.index)) {
      await flyOn(index - 1)
      freeze(world, ship, index)
    }
    await flyOn(to)
  }

  async function flyOn(to: number): Promise<void> {
    while (world.index < to) {
      const end = flightEnd(world, to)
      completeNear(world, end)
      writeOrders(world.intake, world.roster, world.state, end)
      await flyWorlds([world], flier, end, onDigest)
      world.index = end
      takeUpEvents(world, onEvent)
    }
  }

  return {
    world,
    async apply(row) {
      const command = named(row, () => requireNext(world, row))
      if (command.kind === 'control') named(row, () => wait(world, row, command))
      else if (command.kind === 'freeze_ship') {
        frozen.push({ ship: command.ship, index: row.index })
        world.intake.sequence = row.sequence
      } else if (command.kind === 'module_fault') {
        const { kind: _kind, ...fault } = command
        named(row, () => requireModules(world, fault.module).expect({ ...fault, index: row.index }))
        world.intake.sequence = row.sequence
      } else {
        await fly(row.index)
        named(row, () => applyCommand(world, command))
      }
      onCommand?.(command, row)
    },
    async flyTo(index, tick) {
      if (index < world.index) {
        throw new EngineError('ERR_REPLAY', `Index ${index} lies before ${world.index}.`)
      }
      await fly(index)
      emitManeuvers(world.maneuvers, tick, onManeuver)
    },
  }
}

const WITHIN_TICK: ReadonlySet<KeptCommand['kind']> = new Set([
  'control',
  'freeze_ship',
  'module_fault',
])

function requireNext({ index, intake }: World, row: KeptRow): KeptCommand {
  if (row.sequence !== intake.sequence + 1) {
    throw new EngineError('ERR_REPLAY', `The one before is ${intake.sequence}.`)
  }
  const command = parseKeptCommand(row.command)
  const first = WITHIN_TICK.has(command.kind) ? index + 1 : index
  if (!Number.isSafeInteger(row.index) || row.index < first) {
    throw new EngineError('ERR_REPLAY', `The world at ${index} has passed ${row.index}.`)
  }
  return command
}

/** Freezes a ship as it was frozen: what happens at a beat, its watchers had seen before. */
function freeze(world: World, number: number, index: number): void {
  const { roster, state } = world
  const slot = roster.byNumber.get(number)?.slot
  if (slot === undefined || state.ships.condition[slot] === FROZEN) return
  if (index % BEAT_QUANTA === 0) updateSightings(state, index)
  freezeShip(world, slot, index)
}

/** Lets a control command wait, as when it was accepted. */
function wait(
  { intake, roster }: World,
  { sequence, index }: KeptRow,
  { ship: number, control }: Extract<KeptCommand, { kind: 'control' }>,
): void {
  const ship = roster.byNumber.get(number)
  if (!ship) throw new EngineError('ERR_SHIP_UNKNOWN', `No ship number ${number}.`)
  if (index % CONTROL_QUANTA !== 0) {
    throw new EngineError('ERR_REPLAY', `Nothing is steered at index ${index}.`)
  }
  addPending(intake, { ship, index, sequence, control })
  intake.sequence = sequence
}

/**
 * How far one flight may go towards an index: not past a barrier, at which all ships meet anyway,
 * and only as far as its orders, the events they may bring and the watchers they make find room.
 * Those of one index had room when they were accepted, and act together.
 */
function flightEnd({ index, intake, roster, state }: World, to: number): number {
  const end = Math.min(to, (Math.floor(index / BLOCK_QUANTA) + 1) * BLOCK_QUANTA)
  const due = intake.pending.filter((pending) => pending.index <= end)
  const rows = roster.byId.size <= POINTING_MAX ? Infinity : watchersOf(state).free.length
  const ordersMax = EVENTS_MAX / EVENTS_PER_ORDER
  if (due.length <= Math.min(ordersMax, rows)) return end
  due.sort((a, b) => a.index - b.index)
  let watchers = 0
  for (const [count, pending] of due.entries()) {
    if (watchedBy(pending.control) > 0) watchers++
    const isFull = count >= ordersMax || watchers > rows
    if (isFull && pending.index > due[0].index) return pending.index - 1
    if (count >= ORDERS_MAX) {
      throw new EngineError('ERR_REPLAY', `More than ${count} commands act at ${due[0].index}.`)
    }
  }
  return end
}

/** Flies the rounds of one world, by a pool of more or on the calling thread. */
function flierOf({ world, pool, place = 0 }: ReplayOptions): Pick<Pool, 'advance'> {
  return {
    async advance([round]) {
      if (!round) return
      if (pool) return pool.advance([...Array<undefined>(place), round])
      await inSlices(advanced(world, round))
    },
  }
}

/** A chunk at a time, and each in spans of `SLICE_QUANTA`. */
function* advanced({ flight, state, index }: World, { target, meetingOnly }: Round): Sliced<void> {
  let startMs = performance.now()
  for (let chunk = 0; chunk < state.chunks; chunk++) {
    let to = index
    do {
      to = Math.min(to + SLICE_QUANTA, target)
      if (!isDue(state, chunk, { target: to, meetingOnly })) continue
      advanceChunk(flight, chunk, to)
      if (performance.now() - startMs < SLICE_MS) continue
      yield
      startMs = performance.now()
    } while (to < target)
  }
}

/** Names the row in what is wrong with it. */
function named<Result>({ sequence }: KeptRow, act: () => Result): Result {
  try {
    return act()
  } catch (cause) {
    const message = `Command ${sequence} cannot be: ${errorText(cause)}`
    throw new EngineError('ERR_REPLAY', message, { cause })
  }
}
