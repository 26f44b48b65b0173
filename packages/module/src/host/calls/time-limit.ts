import { Script, createContext } from 'node:vm'
import { BrokenModule } from '../columns/memory.ts'

/** What takes longer hangs: a machine that is busy takes some hundredths of it [ms]. */
const HANGS_MS = 2000

const context = createContext({ call: undefined as (() => void) | undefined })
const script = new Script('call()')

let isGuarded = false

/**
 * Calls a module, and ends it where it hangs, which costs a tenth of a millisecond, and more where
 * all processors are busy. Within another such call it is that one that ends, with all in it.
 *
 * @throws {BrokenModule} when it hangs; whatever it throws
 */
export function guarded(call: () => void): void {
  if (isGuarded) return call()
  isGuarded = true
  context['call'] = call
  try {
    script.runInContext(context, { timeout: HANGS_MS })
  } catch (error) {
    if (Object(error).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error
    throw new BrokenModule(`It did not end within ${HANGS_MS / 1000} s.`, { cause: error })
  } finally {
    isGuarded = false
    context['call'] = undefined
  }
}
