import { Script, createContext } from 'node:vm'
import { BrokenModule } from '../columns/memory.ts'

/** A call that takes longer hangs: a machine that is busy takes some hundredths of it [ms]. */
const HANGS_MS = 2000

const context = createContext({ call: undefined as (() => void) | undefined })
const script = new Script('call()')

/**
 * Calls a module, and ends it where it hangs, which costs a tenth of a millisecond.
 *
 * @throws {BrokenModule} when it hangs; whatever it throws
 */
export function guarded(call: () => void): void {
  context['call'] = call
  try {
    script.runInContext(context, { timeout: HANGS_MS })
  } catch (error) {
    if (Object(error).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error
    throw new BrokenModule(`It did not end within ${HANGS_MS / 1000} s.`, { cause: error })
  } finally {
    context['call'] = undefined
  }
}
