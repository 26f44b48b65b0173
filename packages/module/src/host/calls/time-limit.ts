import { Script, createContext } from 'node:vm'
import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { BrokenModule } from '../columns/memory.ts'

/** What takes longer hangs, where it cannot be called again [ms]. */
const HANGS_MS = 2000

/** Processor time after which a call of a module hangs, and more of it for each ship [ms]. */
const CALL_MS = 300
const SHIP_MS = 0.01

// Else loops that call built-in functions alone, such as `for (;;) all.push(new Array(9).fill(0))`,
// are compiled without the check at which a call is ended.
setFlagsFromString('--no-turboshaft-loop-unrolling')

const context = createContext({ call: undefined as (() => void) | undefined })
const script = new Script('call()')

let isGuarded = false

/** A call that can be made again. */
interface Repeatable {
  /** that it is for */
  readonly ships: number
  /** puts everything back that it has changed */
  undo(this: void): void
}

/**
 * Calls a module, and ends it where it hangs, which costs a tenth of a millisecond, and more where
 * all processors are busy. Within another such call it is that one that ends, with all in it.
 *
 * @param repeatable  is called again where a busy machine kept it from its processor time
 * @throws {BrokenModule} when it hangs; whatever it throws
 */
export function guarded(call: () => void, repeatable?: Repeatable): void {
  if (isGuarded) return call()
  isGuarded = true
  context['call'] = call
  try {
    if (repeatable) runRepeatedly(repeatable)
    else if (!hasEnded(HANGS_MS)) throw hung(HANGS_MS)
  } finally {
    isGuarded = false
    context['call'] = undefined
  }
}

function runRepeatedly({ ships, undo }: Repeatable): void {
  const limitMs = CALL_MS + Math.ceil(SHIP_MS * ships)
  for (let wallMs = limitMs; ; wallMs *= 2) {
    const before = process.threadCpuUsage()
    if (hasEnded(wallMs)) return
    const { system, user } = process.threadCpuUsage(before)
    // The timer may be a little early. Who waits for memory takes no processor time.
    if (user + system > 900 * limitMs || isMemoryShort()) throw hung(limitMs)
    undo()
  }
}

function isMemoryShort(): boolean {
  const { heap_size_limit: limit, used_heap_size: used } = getHeapStatistics()
  return used > limit / 2
}

/** Whether the call ended in time. */
function hasEnded(timeout: number): boolean {
  try {
    script.runInContext(context, { timeout })
    return true
  } catch (error) {
    if (Object(error).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error
    return false
  }
}

function hung(ms: number): BrokenModule {
  return new BrokenModule(`It did not end within ${ms / 1000} s.`)
}
