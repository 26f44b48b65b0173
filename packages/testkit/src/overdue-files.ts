import type { Reporter } from 'vitest/node'

/**
 * Ends a run whose test file does not end, and names the file: in a loop that never waits, no
 * timeout of a test can act.
 *
 * @param limitMs  longest time of a file
 */
export function overdueFiles(limitMs: number): Reporter {
  const timers = new Map<string, NodeJS.Timeout>()
  return {
    onTestModuleQueued: (module) => {
      const end = (): never => {
        console.error(`${module.relativeModuleId} has not ended in ${limitMs / 1000} s.`)
        process.exit(1)
      }
      timers.set(module.id, setTimeout(end, limitMs))
    },
    onTestModuleEnd: (module) => clearTimeout(timers.get(module.id)),
  }
}
