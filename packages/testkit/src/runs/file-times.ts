import type { Reporter, TestModule } from 'vitest/node'
import { type FileTime, type FileTimes, readDurations, writeDurations } from './durations.ts'
import { type Started, startsText } from './started-processes.ts'

declare module 'vitest' {
  interface TaskMeta {
    /** of a test file and of all processes below it [s] */
    processorSeconds?: number
    /** by a test file */
    started?: Started
  }
}

/**
 * Ends a run whose test file does not end, and names the file and what became of its tests: in a
 * loop that never waits, no timeout of a test can act.
 *
 * @param limitMs  longest time of a file
 */
export function overdueFiles(limitMs: number): Reporter {
  const timers = new Map<string, NodeJS.Timeout>()
  const collected = new Map<string, TestModule>()
  return {
    onTestModuleQueued: ({ id, relativeModuleId }) => {
      const end = (): never => {
        console.error(`${relativeModuleId} has not ended in ${limitMs / 1000} s.`)
        for (const test of collected.get(id)?.children.allTests() ?? []) {
          const { state, errors = [] } = test.result()
          const why = errors.map(({ message }) => `: ${message}`).join('')
          console.error(`  ${state === 'pending' ? 'not ended' : state}: ${test.fullName}${why}`)
        }
        process.exit(1)
      }
      timers.set(id, setTimeout(end, limitMs))
    },
    onTestModuleCollected: (module) => void collected.set(module.id, module),
    onTestModuleEnd: ({ id }) => clearTimeout(timers.get(id)),
  }
}

/** A file that takes more than this many times its budget is named, if it is by seconds. */
const OVER_BUDGET = 2
const SECONDS_OVER = 3

/**
 * Names the files that took more than twice the processor time of their row in `durations.json`,
 * counts what the files have started, and writes the times of the run into the file that
 * `TEST_TIMES_TO` names.
 */
export function fileTimes(): Reporter {
  return {
    onTestRunEnd: (modules) => {
      const times = Object.fromEntries(
        modules.map((module) => [module.relativeModuleId, timeOf(module)] as const),
      )
      for (const line of overBudget(times, readDurations())) console.log(line)
      const text = startsText(modules.map((module) => module.meta().started ?? {}))
      if (text) console.log(`Started: ${text}.`)
      const path = process.env['TEST_TIMES_TO']
      if (path) writeDurations(path, times)
    },
  }
}

/** A line for each file that is over its budget. */
export function overBudget(times: FileTimes, budgets: FileTimes): string[] {
  return Object.entries(times).flatMap(([file, { processor }]) => {
    const budget = budgets[file]?.processor
    const limit = Math.max((budget ?? Infinity) * OVER_BUDGET, (budget ?? 0) + SECONDS_OVER)
    return processor <= limit
      ? []
      : [`${file} took ${processor} s of processor time; its budget is ${budget} s.`]
  })
}

function timeOf(module: TestModule): FileTime {
  const { collectDuration, duration, prepareDuration, setupDuration } = module.diagnostic()
  const ms = collectDuration + duration + prepareDuration + setupDuration
  const processor = module.meta().processorSeconds ?? 0
  return { seconds: Math.round(ms / 100) / 10, processor: Math.round(processor * 10) / 10 }
}
