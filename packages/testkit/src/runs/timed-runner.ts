/**
 * Runs test files as Vitest does, and stores the processor time that each and its children take,
 * and what it has started.
 */
import { type RunnerTestSuite, TestRunner } from 'vitest'
import { processesBelow, statFields } from '../services/processes.ts'
import { watchStarts } from './started-processes.ts'

/** Clock ticks per second in `/proc`, the same on every Linux. */
const TICKS_PER_SECOND = 100

/** One process can run several files: each counts from where the one before has ended [s]. */
let counted = 0

const started = watchStarts()

export default class TimedRunner extends TestRunner {
  override async onAfterRunSuite(suite: RunnerTestSuite): Promise<void> {
    if ('filepath' in suite) {
      const seconds = processorSeconds()
      suite.meta.processorSeconds = Math.max(0, seconds - counted)
      suite.meta.started = started()
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
  // What runs on, such as a shared browser, has not been added to its parent.
  const pids = [process.pid, ...processesBelow(process.pid)]
  return pids.reduce((sum, pid) => sum + ticksOf(pid), 0) / TICKS_PER_SECOND
}

/** Of a process and of its children that have ended. */
function ticksOf(pid: number): number {
  // utime, stime, cutime, cstime are fields 14 to 17.
  return statFields(pid)
    .slice(11, 15)
    .reduce((sum, field) => sum + Number(field), 0)
}
