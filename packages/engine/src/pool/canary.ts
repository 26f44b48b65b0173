import { CHUNK_SLOTS, SHIP_COLUMNS, type WorldState, advanceChunk, createFlight } from '@orrery/sim'
import { isDue } from './chunk-queue.ts'
import { createTwin, createTwinRoom } from './chunk-twin.ts'
import type { Pool } from './pool.ts'
import type { WallClock } from '../time/wall-clock.ts'
import type { World } from '../world/world.ts'

/** Wall time between two checks. */
const PERIOD_MS = 10_000

/** A chunk whose flight by the pool and by the twin differ in a bit. */
export interface CanaryMismatch {
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
  report(): CanaryReport
}

/**
 * Every ten seconds takes one random chunk, flies a copy of it on this thread with the kernel in
 * TypeScript, and compares all bits with what the pool made of the chunk. The world is only read.
 *
 * @param onMismatch  called when they differ
 */
export function createCanary(
  world: World,
  pool: Pool,
  clock: WallClock,
  onMismatch: (mismatch: CanaryMismatch) => void,
): Canary {
  const { state, ship, flight } = world
  const room = createTwinRoom(state)
  let dueMs = clock.monotonicMs() + PERIOD_MS
  let report: CanaryReport = { checks: 0, mismatches: 0, last: undefined }

  async function advanceChecked(target: number, chunk: number): Promise<void> {
    const twin = createTwin(state, chunk, room)
    const { failures } = pool.status()
    await pool.advance(target)
    // Where workers failed, a ship may have been frozen between.
    if (pool.status().failures !== failures) return
    const column = differenceFrom(state, twin.state, chunk, () =>
      advanceChunk(createFlight(twin.state, flight.territories, ship), chunk, target),
    )
    const { checks, mismatches, last } = report
    if (column === undefined) {
      report = { checks: checks + 1, mismatches, last }
    } else {
      report = { checks: checks + 1, mismatches: mismatches + 1, last: { chunk, column, target } }
      onMismatch({ chunk, column, target })
    }
  }

  return {
    advance(target, meetingOnly = false) {
      const nowMs = clock.monotonicMs()
      if (meetingOnly || nowMs < dueMs) return pool.advance(target, meetingOnly)
      const chunk = randomDueChunk(state, target)
      if (chunk < 0) return pool.advance(target)
      dueMs = nowMs + PERIOD_MS
      return advanceChecked(target, chunk)
    },
    report: () => report,
  }
}

/** The first due chunk from a random one on; -1 when none is due. */
function randomDueChunk(state: WorldState, target: number): number {
  const start = Math.floor(Math.random() * state.chunks)
  for (let i = 0; i < state.chunks; i++) {
    const chunk = (start + i) % state.chunks
    if (isDue(state, chunk, target, false)) return chunk
  }
  return -1
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
