/** Which of the tests run: those of the gate, or the long forms of the same laws. */
import { spawnSync } from 'node:child_process'
import { availableParallelism, loadavg } from 'node:os'

/** `scripts/orrery test:night` sets it. */
export const IS_NIGHT: boolean = process.env['TEST_TIER'] === 'night'

/** A count, a length or a list of the tier that runs. */
export function byTier<Value>(values: { readonly gate: Value; readonly night: Value }): Value {
  return IS_NIGHT ? values.night : values.gate
}

/** The most that a busy or slow machine adds by itself. */
const PATIENCE_MAX = 5

/** What an empty process of Node takes on a free machine [ms]. */
const START_MS = 45

/**
 * Decides `TEST_PATIENCE`, unless it is set: the load of each processor at the start of a run, or
 * how slowly a process starts, whichever is more.
 */
export function settlePatience(): void {
  if (process.env['TEST_PATIENCE']) return
  const load = (loadavg()[0] ?? 0) / availableParallelism()
  const patience = Math.min(PATIENCE_MAX, Math.max(1, load, startMs() / START_MS))
  process.env['TEST_PATIENCE'] = String(patience)
}

function startMs(): number {
  const begin = performance.now()
  spawnSync(process.execPath, ['--eval', '0'])
  return performance.now() - begin
}

/** How many times as long as on a free machine a test may take: `TEST_PATIENCE`, 1 or more. */
export function testPatience(): number {
  const given = process.env['TEST_PATIENCE'] || '1'
  const patience = Number(given)
  if (!(patience >= 1 && patience <= 100)) {
    throw new Error(`TEST_PATIENCE is ${given}; it is a number from 1 to 100.`)
  }
  return patience
}
