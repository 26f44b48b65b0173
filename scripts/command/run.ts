import { endWhenUnwritable } from './output.ts'

/** Why a command fails, in one line. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
  readonly code = 'ERR_COMMAND'
}

/**
 * Runs a command; what it throws becomes one line on stderr and exit code 2.
 *
 * @param main  returns the exit code
 */
export async function run(name: string, main: () => Promise<number>): Promise<void> {
  endWhenUnwritable(name)
  try {
    process.exitCode = await main()
  } catch (error) {
    // Expected errors have a code; a programming error is printed with its stack.
    const text = Object(error).code === undefined ? Object(error).stack : Object(error).message
    process.stderr.write(`${name}: ${text ?? error}\n`)
    process.exitCode = 2
  }
}
