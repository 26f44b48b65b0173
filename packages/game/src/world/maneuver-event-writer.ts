import { type ManeuverEvent, type WallClock, createBudgets } from '@orrery/engine'
import { QUANTA_PER_SECOND, utcFromLattice } from '@orrery/sim'
import type { ManeuverEvents, NewManeuverEvent } from '@orrery/store'
import { createInterruptibleSleep } from '../interruptible-sleep.ts'

/** Events that may wait to be written; more are dropped and counted. */
const WAITING_MAX = 10_000

/** Events that are written at a time. */
const BATCH_MAX = 1000

/** Sleep between two attempts while the database is away. */
const RETRY_MS = 1000

/** Sleep before checking again whether the journal has passed what waits. */
const LOOK_MS = 250

/** Events that are kept, the newest: whatever players do, they fill some 50 MB of the disk. */
const KEPT_MAX = 100_000

/** Events of a ship that are kept at once, and per second on the long run. */
const EVENTS_OF_SHIP = { most: 60, perSecond: 2 }

/** So many are written before the oldest are deleted again. */
const PRUNE_EVENTS = 10_000

/**
 * Brings maneuver events into the log, beside ticks, in their order, and not before the journal has
 * passed them: after a crash they might come out otherwise.
 */
export interface ManeuverEventWriter {
  /** @param from  'replay': one that the start brings again, which costs its ship nothing */
  add(event: ManeuverEvent, from?: 'replay'): void
  /** Drops what waits, and resolves when nothing is being written: its world is replaced. */
  discard(): Promise<void>
  /** Resolves when all that waits now is written, or dropped. */
  written(): Promise<void>
  /** events that are not written yet */
  waiting(): number
  /** events lost: no room, more than their ship may have, or the database away at the end */
  dropped(): number
  /** Writes what waits and the journal has passed, unless the database is away. */
  stop(): Promise<void>
}

export interface ManeuverEventWriterOptions {
  readonly records: Pick<ManeuverEvents, 'record' | 'prune'>
  readonly era: () => number
  /** lattice index up to which the journal of an era is durable */
  readonly durableIndex: (era: number) => number
  readonly clock: WallClock
  /** called once per outage */
  readonly onError: (error: unknown) => void
}

export function createManeuverEventWriter(
  options: ManeuverEventWriterOptions,
): ManeuverEventWriter {
  const { records, era, durableIndex, clock, onError } = options
  let waiting: NewManeuverEvent[] = []
  let dropped = 0
  let isAway = false
  let isStopping = false
  let writing: Promise<void> | undefined
  let batchWriting: Promise<void> | undefined
  const sleep = createInterruptibleSleep(clock)
  const budgets = createBudgets(clock, EVENTS_OF_SHIP)
  const prune = createPruning(() => pruned(records, onError))
  const dropOldest = (count: number): void => void (dropped += waiting.splice(0, count).length)

  const writeBatch = async (): Promise<void> => {
    const batch = passedEvents(waiting, durableIndex)
    if (batch.length === 0) {
      if (isStopping) dropOldest(waiting.length)
      // The journal of a past era does not advance.
      else if (waiting[0].era < era()) dropOldest(1)
      else await sleep.start(LOOK_MS)
      return
    }
    try {
      await records.record(batch)
      isAway = false
      // Unless they were discarded meanwhile.
      if (waiting[0] === batch[0]) waiting.splice(0, batch.length)
      await prune(batch.length)
    } catch (error) {
      if (!isAway) onError(error)
      isAway = true
      if (isStopping) dropOldest(waiting.length)
      else await sleep.start(RETRY_MS)
    }
  }

  const write = async (): Promise<void> => {
    // Behind the tick that brought them, all of its events together.
    await Promise.resolve()
    while (waiting.length > 0) await (batchWriting = writeBatch())
    writing = undefined
  }

  return {
    add: (event, from) => {
      const isFree = from === 'replay'
      if (waiting.length >= WAITING_MAX || !(isFree || pays(budgets, event))) dropped++
      else waiting.push(newEvent(event, era()))
      writing ??= write()
    },
    discard: async () => {
      waiting = []
      sleep.interrupt()
      // Not for what comes meanwhile: it may wait for the journal, and the journal for this.
      await batchWriting
    },
    written: () => allLeft(() => ({ waiting, batchWriting })),
    waiting: () => waiting.length,
    dropped: () => dropped,
    stop: () => {
      isStopping = true
      sleep.interrupt()
      return writing ?? Promise.resolve()
    },
  }
}

/** Charges the ship of an event for it; false where that has nothing left. */
function pays(budgets: ReturnType<typeof createBudgets>, { shipId }: ManeuverEvent): boolean {
  const hasLeft = budgets.hasLeft(shipId)
  if (hasLeft) budgets.spend(shipId, 1)
  return hasLeft
}

/** Waits until the last of what waits now waits no more. */
async function allLeft(
  now: () => {
    readonly waiting: readonly NewManeuverEvent[]
    readonly batchWriting: Promise<void> | undefined
  },
): Promise<void> {
  const last = now().waiting.at(-1)
  const isWaiting = (): boolean => last !== undefined && now().waiting.includes(last)
  while (isWaiting()) await now().batchWriting
}

/** What fails now is repeated by the next pruning. */
async function pruned(
  records: Pick<ManeuverEvents, 'prune'>,
  onError: (error: unknown) => void,
): Promise<void> {
  await records.prune(KEPT_MAX).catch(onError)
}

/** The oldest of what waits, up to what the journal has not passed. */
function passedEvents(
  waiting: readonly NewManeuverEvent[],
  durableIndex: (era: number) => number,
): NewManeuverEvent[] {
  const batch = waiting.slice(0, BATCH_MAX)
  const end = batch.findIndex(({ era, lattice }) => lattice > durableIndex(era))
  return end < 0 ? batch : batch.slice(0, end)
}

/** Prunes after so many written events, and at first, since an earlier run may have left some. */
function createPruning(prune: () => Promise<void>): (written: number) => Promise<void> {
  let unpruned = PRUNE_EVENTS
  return async (written) => {
    unpruned += written
    if (unpruned < PRUNE_EVENTS) return
    unpruned = 0
    await prune()
  }
}

function newEvent(event: ManeuverEvent, era: number): NewManeuverEvent {
  const { index, since, eventType, attitude, angularRate, details } = event
  return {
    era,
    lattice: index,
    systemId: event.systemId,
    shipNumber: event.shipNumber,
    ordinal: event.ordinal,
    shipId: event.shipId,
    maneuverType: event.maneuverType,
    eventType,
    phase: event.phase,
    fromPhase: event.fromPhase,
    tick: event.tick,
    gameTime: new Date(utcFromLattice(index)),
    elementErrors: event.elementErrors,
    effectivity: event.effectivity,
    distance: event.distance,
    statusText: event.statusText,
    extra: {
      reference_body: event.referenceBody,
      target_id: event.targetId,
      ...(event.systems && { from_system: event.systems.from, to_system: event.systems.to }),
      ...(event.targetBody !== null && { target_body: event.targetBody }),
      pointing: event.pointing,
      attitude: attitude && { w: attitude[0], x: attitude[1], y: attitude[2], z: attitude[3] },
      ...(angularRate && {
        angular_rate: { x: angularRate[0], y: angularRate[1], z: angularRate[2] },
      }),
      ...(eventType !== 'started' && { seconds: (index - since) / QUANTA_PER_SECOND }),
      ...(details && {
        angle: details.angle,
        rate: details.rate,
        wheel_momentum: {
          x: details.wheelMomentum[0],
          y: details.wheelMomentum[1],
          z: details.wheelMomentum[2],
        },
      }),
    },
  }
}
