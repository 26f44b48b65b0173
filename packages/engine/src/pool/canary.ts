import {
  CHUNK_SLOTS,
  type Round,
  SHIP_COLUMNS,
  type WorldState,
  advanceChunk,
  createFlight,
} from '@orrery/sim'
import { isDue } from './chunk-queue.ts'
import { type TwinRoom, createTwin, createTwinRoom } from './chunk-twin.ts'
import type { Pool } from './pool.ts'
import type { WallClock } from '../time/wall-clock.ts'
import type { Universe } from '../world/universe.ts'
import type { World } from '../world/world.ts'

/** Wall time between two checks. */
const PERIOD_MS = 10_000

/** A chunk whose flight by the pool and by the twin differ in a bit. */
export interface CanaryMismatch {
  readonly systemId: string
  readonly chunk: number
  /** the first column that differs, or what the twin threw */
  readonly column: string
  /** lattice index that it was flown to */
  readonly target: number
}

export interface CanaryReport {
  readonly checks: number
  readonly mismatches: number
  readonly last: CanaryMismatch | undefined
}

/** Flies by a pool, and compares one chunk now and then. */
export interface Canary {
  advance: Pool['advance']
  /** Compares the chunk that was taken last, if any; between its tick and the next. */
  check(): void
  report(): CanaryReport
}

/**
 * Every ten seconds takes one random chunk, flies a copy of it on this thread with the kernel in
 * TypeScript, and compares all bits with what the pool made of the chunk. The worlds are only read,
 * and no tick waits for the comparison.
 *
 * @param onMismatch  called when they differ
 */
export function createCanary(
  { worlds }: Universe,
  pool: Pool,
  clock: WallClock,
  onMismatch: (mismatch: CanaryMismatch) => void,
): Canary {
  /** of each system: for the chunk as it was, and as the pool flew it */
  const rooms: [TwinRoom, TwinRoom][] = []
  let taken: Taken | undefined
  let dueMs = clock.monotonicMs() + PERIOD_MS
  let report: CanaryReport = { checks: 0, mismatches: 0, last: undefined }

  async function advanceTaking(
    rounds: readonly (Round | undefined)[],
    { place, chunk, target }: Check,
  ): Promise<void> {
    const { state } = worlds[place]
    rooms[place] ??= [createTwinRoom(state), createTwinRoom(state)]
    const [before, after] = rooms[place]
    const twin = createTwin(state, chunk, before)
    const { failures } = pool.status()
    await pool.advance(rounds)
    // Where workers failed, a ship may have been frozen between.
    if (pool.status().failures !== failures) return
    const flown = createTwin(state, chunk, after)
    const { changes } = worlds[place].rules
    taken = { place, chunk, target, changes, twin: twin.state, flown: flown.state }
  }

  return {
    advance(rounds) {
      const nowMs = clock.monotonicMs()
      const check = nowMs < dueMs ? undefined : randomCheck(worlds, rounds)
      if (!check) return pool.advance(rounds)
      dueMs = nowMs + PERIOD_MS
      return advanceTaking(rounds, check)
    },
    check() {
      if (!taken) return
      const { place, chunk, target, changes, twin, flown } = taken
      taken = undefined
      const { flight, rules, state } = worlds[place]
      // The twin reads the rules of the world.
      if (rules.changes !== changes) return
      const column = differenceFrom(flown, twin, chunk, () =>
        advanceChunk(createFlight(twin, flight.territory), chunk, target),
      )
      const { checks, mismatches, last } = report
      if (column === undefined) {
        report = { checks: checks + 1, mismatches, last }
      } else {
        const mismatch = { systemId: state.system.id, chunk, column, target }
        report = { checks: checks + 1, mismatches: mismatches + 1, last: mismatch }
        onMismatch(mismatch)
      }
    },
    report: () => report,
  }
}

/** A chunk to be compared, and the place of its system. */
interface Check {
  readonly place: number
  readonly chunk: number
  readonly target: number
}

/** A chunk that is to be flown by the twin, and what the pool made of it. */
interface Taken extends Check {
  /** of the rules of its world so far */
  readonly changes: number
  readonly twin: WorldState
  readonly flown: WorldState
}

/** One of the due chunks; undefined when none is due. */
function randomCheck(
  worlds: readonly World[],
  rounds: readonly (Round | undefined)[],
): Check | undefined {
  const due: Check[] = []
  for (const [place, round] of rounds.entries()) {
    if (!round || round.meetingOnly) continue
    const { state } = worlds[place]
    for (let chunk = 0; chunk < state.chunks; chunk++) {
      if (isDue(state, chunk, round)) due.push({ place, chunk, target: round.target })
    }
  }
  return due.at(Math.floor(Math.random() * due.length))
}

type Table = Readonly<Record<string, ArrayLike<number>>>

function differenceFrom(
  state: WorldState,
  twin: WorldState,
  chunk: number,
  flyTwin: () => void,
): string | undefined {
  try {
    flyTwin()
  } catch (error) {
    return String(error)
  }
  return (
    SHIP_COLUMNS.find(
      ({ name, components }) =>
        !sameRows(state.ships[name], twin.ships[name], chunk, CHUNK_SLOTS * components),
    )?.name ??
    Object.entries(state.chunk as Table).find(
      ([name, values]) =>
        !sameRows(values, (twin.chunk as Table)[name], chunk, values.length / state.chunks),
    )?.[0]
  )
}

/** Equal in all bits but those of a NaN, which engines may choose. */
function sameRows(
  a: ArrayLike<number>,
  b: ArrayLike<number>,
  chunk: number,
  perChunk: number,
): boolean {
  for (let i = chunk * perChunk; i < (chunk + 1) * perChunk; i++) {
    if (!Object.is(a[i], b[i])) return false
  }
  return true
}
