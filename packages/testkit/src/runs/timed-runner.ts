/**
 * Runs test files as Vitest does, and stores the processor time that each and its children take.
 */
import { readFileSync } from 'node:fs'
import { type RunnerTestSuite, TestRunner } from 'vitest'

/** Clock ticks per second in `/proc`, the same on every Linux. */
const TICKS_PER_SECOND = 100

/** One process can run several files: each counts from where the one before has ended [s]. */
let counted = 0

export default class TimedRunner extends TestRunner {
  override async onAfterRunSuite(suite: RunnerTestSuite): Promise<void> {
    if ('filepath' in suite) {
      const seconds = processorSeconds()
      suite.meta.processorSeconds = seconds - counted
      counted = seconds
    }
    await super.onAfterRunSuite(suite)
  }
}

/** Since the start of this process [s]; outside Linux without children. */
function processorSeconds(): number {
  if (process.platform !== 'linux') {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1e6
  }
  const text = readFileSync('/proc/self/stat', 'utf8')
  // utime, stime, cutime, cstime are fields 14 to 17; the name before them may have spaces.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0) / TICKS_PER_SECOND
}
