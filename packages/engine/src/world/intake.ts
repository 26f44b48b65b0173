import {
  CHUNK_SLOTS,
  CONTROL_QUANTA,
  type Control,
  ORDERS_MAX,
  QUANTA_PER_SECOND,
  WATCHERS_MAX,
  type WorldState,
  boundaryAtOrAfter,
  merged,
  plainControl,
  standsAlone,
  watchedBy,
  writeControl,
} from '@orrery/sim'
import { EngineError } from '../engine-error.ts'
import { requireSound } from '../orders/sound-control.ts'
import { type Roster, type RosterEntry, placesIn } from './roster.ts'
import { NO_WATCHERS, type Watchers, sightingRow, watchersOf } from './watchers.ts'

/** A control command that waits for the lattice index at which it acts. */
export interface PendingControl {
  readonly ship: RosterEntry
  readonly index: number
  readonly sequence: number
  control: Control
  /** later commands of the ship for this index still merge into it, until it is read */
  isOpen?: boolean
  /** under which it was sent, and what merged into it */
  commandIds?: string[]
  /** settles when its row is durable or refused */
  kept?: Promise<void>
}

/** A rename whose row is not read. */
export interface OpenRename {
  readonly index: number
  readonly sequence: number
  readonly actor: string | null
  /** under which it was sent, and what merged into it */
  readonly commandIds: string[]
  name: string
  /** settles when its row is durable or refused */
  kept: Promise<void> | undefined
}

/** An accepted control command. */
export interface AcceptedControl {
  /** lattice index at which it acts */
  readonly index: number
  /** resolves when it is durable; rejects when that is not known in time */
  readonly kept: Promise<void>
}

/** An index that a command asks for is so far past the shown one at most [real or game s]. */
const AHEAD_S = 2

/** Control commands of one ship that may wait at a time. */
export const PENDING_PER_SHIP_MAX = 64

/**
 * Where commands enter the world. Each takes a sequence number; a control command also takes
 * the index at which it acts, which never falls for one ship.
 */
export interface Intake {
  sequence: number
  /** why no command is taken */
  refusal: string | undefined
  /** by ship number, the last rename, while its row is not read: a later one merges into it */
  readonly renames: Map<number, OpenRename>
  pending: PendingControl[]
  /** those that act in the running tick, as in the rows of the order table */
  due: readonly PendingControl[]
  readonly lastOfShip: Map<number, { count: number; last: PendingControl }>
}

export function createIntake(): Intake {
  return {
    sequence: 0,
    refusal: undefined,
    renames: new Map(),
    pending: [],
    due: [],
    lastOfShip: new Map(),
  }
}

/** @throws {EngineError} 'ERR_SYSTEM_STOPPED' when a system takes no command */
export function requireTaking({ refusal }: Intake): void {
  if (refusal !== undefined) throw new EngineError('ERR_SYSTEM_STOPPED', refusal)
}

/** @throws {EngineError} 'ERR_SYSTEM_STOPPED' when another process takes its commands */
export function requireOwn({
  isFollowed,
  state,
}: {
  readonly isFollowed: boolean
  readonly state: WorldState
}): void {
  if (!isFollowed) return
  throw new EngineError('ERR_SYSTEM_STOPPED', `Another server flies ${state.system.name}.`)
}

/** The lattice index at which a control command would act, see `acceptControl`. */
export function actingIndex(
  { lastOfShip }: Intake,
  { number }: RosterEntry,
  shown: number,
  settled: number,
  wanted: number = -Infinity,
): number {
  const earliest = boundaryAtOrAfter(shown, CONTROL_QUANTA)
  const undecided = boundaryAtOrAfter(settled + 1, CONTROL_QUANTA)
  return Math.max(wanted, earliest, undecided, lastOfShip.get(number)?.last.index ?? 0)
}

/**
 * Accepts a control command. Commands of one ship for one index merge field by field, the later
 * value winning, as long as the earlier one has not been read; then each acts in its turn, as
 * maneuvers and undocking always do.
 *
 * @param shown     lattice index shown to players at arrival, need not be whole
 * @param settled   index up to which the world is decided: the published one, or the target of a
 *                  tick that runs or broke
 * @param wanted    index at which it is to act: a control boundary, honoured unless it is too early
 * @throws {EngineError} 'ERR_CONTROL' when a number is not finite or out of range,
 *   'ERR_COMMANDS_PENDING' when too many wait already
 */
export function acceptControl(
  intake: Intake,
  ship: RosterEntry,
  control: Control,
  shown: number,
  settled: number,
  wanted?: number,
): PendingControl {
  requireSound(control)
  const known = intake.lastOfShip.get(ship.number)
  const index = actingIndex(intake, ship, shown, settled, wanted)
  const merges = !standsAlone(control) && !(known && standsAlone(known.last.control))
  if (merges && known?.last.index === index && known.last.isOpen) {
    known.last.control = plainControl(merged(known.last.control, control))
    return known.last
  }
  // Those of a running tick wait again if it breaks.
  const waiting = intake.pending.length + intake.due.length
  if ((known?.count ?? 0) >= PENDING_PER_SHIP_MAX || waiting >= ORDERS_MAX) {
    throw new EngineError(
      'ERR_COMMANDS_PENDING',
      `${known?.count ?? waiting} commands already wait to act.`,
    )
  }
  const sequence = ++intake.sequence
  const pending = { ship, index, sequence, control: plainControl(control), isOpen: true }
  addPending(intake, pending)
  return pending
}

/**
 * Refuses an index too far past the shown one. In a quick game a network's delays are many seconds
 * of game time, so the limit is one of real time there.
 *
 * @param scale  game seconds per second
 * @throws {EngineError} 'ERR_CONTROL'
 */
export function requireWithinReach(wanted: number, shown: number, scale: number): void {
  if (wanted <= shown + AHEAD_S * QUANTA_PER_SECOND * Math.max(scale, 1)) return
  throw new EngineError(
    'ERR_CONTROL',
    `Index ${wanted} is more than 2 s ahead of ${Math.floor(shown)}.`,
  )
}

/** Ends merging into commands whose rows have been read, or are about to be. */
export function sealPending(intake: Intake): void {
  intake.renames.clear()
  for (const pending of intake.pending) pending.isOpen = false
}

/** So many rows of the sighting table rules leave to ships that point. */
export const POINTING_MAX: number = WATCHERS_MAX / 2

/**
 * Refuses one more watcher when every row of the sighting table is or may be taken.
 *
 * @throws {EngineError} 'ERR_WATCHERS'
 */
export function requireRoomToWatch(intake: Intake, roster: Roster, state: WorldState): void {
  if (roster.byId.size <= POINTING_MAX) return
  let taken = WATCHERS_MAX - watchersOf(state).free.length
  for (const waiting of [intake.pending, intake.due]) {
    for (const { control } of waiting) if (watchedBy(control) > 0) taken++
  }
  if (taken < WATCHERS_MAX) return
  throw new EngineError('ERR_WATCHERS', `${taken} ships already point at another.`)
}

/** Queues a command, accepted now or restored; a restored one is not open. */
export function addPending(intake: Intake, pending: PendingControl): void {
  intake.pending.push(pending)
  const known = intake.lastOfShip.get(pending.ship.number)
  if (known) {
    known.count++
    known.last = pending
  } else {
    intake.lastOfShip.set(pending.ship.number, { count: 1, last: pending })
  }
}

/** Drops the commands of a ship that leaves the world. */
export function dropPending(intake: Intake, ship: RosterEntry): void {
  if (!intake.lastOfShip.delete(ship.number)) return
  intake.pending = intake.pending.filter((pending) => pending.ship.number !== ship.number)
}

/**
 * Moves the commands that act up to `target` into the state's order table, sorted by chunk,
 * index and sequence, with each chunk's range.
 */
export function writeOrders(
  intake: Intake,
  roster: Roster,
  state: WorldState,
  target: number,
): void {
  const { chunk: chunks } = state
  chunks.chunkOrderBegin.fill(0)
  chunks.chunkOrderEnd.fill(0)
  intake.due = []
  if (intake.pending.length === 0) return
  const due = intake.pending.filter((pending) => pending.index <= target)
  if (due.length === 0) return
  intake.pending = intake.pending.filter((pending) => pending.index > target)
  for (const { ship } of due) {
    const known = intake.lastOfShip.get(ship.number)
    if (known && --known.count === 0) intake.lastOfShip.delete(ship.number)
  }
  const chunkOf = (pending: PendingControl): number => Math.floor(pending.ship.slot / CHUNK_SLOTS)
  due.sort((a, b) => chunkOf(a) - chunkOf(b) || a.index - b.index || a.sequence - b.sequence)
  intake.due = due
  const watchers = due.some(({ control }) => watchedBy(control) > 0)
    ? watchersOf(state)
    : NO_WATCHERS
  for (const [row, pending] of due.entries()) {
    const chunk = chunkOf(pending)
    if (chunks.chunkOrderEnd[chunk] === 0) chunks.chunkOrderBegin[chunk] = row
    chunks.chunkOrderEnd[chunk] = row + 1
    writeOrder(state, roster, watchers, row, pending)
  }
}

/** Queues the commands of a broken tick again, except those that its chunks have passed. */
export function takeBackOrders(intake: Intake, { chunk }: WorldState): void {
  const remaining = intake.due.filter(
    ({ ship }, row) => row >= chunk.chunkOrderBegin[Math.floor(ship.slot / CHUNK_SLOTS)],
  )
  const pending = [...remaining, ...intake.pending].toSorted((a, b) => a.sequence - b.sequence)
  intake.pending = []
  intake.lastOfShip.clear()
  for (const each of pending) addPending(intake, each)
}

function writeOrder(
  state: WorldState,
  roster: Roster,
  watchers: Watchers,
  row: number,
  { ship, index, control }: PendingControl,
): void {
  const { orders } = state
  orders.orderIndex[row] = index
  orders.orderSlot[row] = ship.slot
  writeControl(orders, row, control, placesIn(roster))
  if (watchedBy(control) > 0) orders.orderSighting[row] = sightingRow(watchers, ship.slot)
}
