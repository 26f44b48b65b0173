/**
 * Ends this process with one line and exit code 2 when its output cannot be written, as on a full
 * device. A reader that has enough, such as `head`, is no failure.
 */
export function endWhenUnwritable(name: string): void {
  process.stdout.on('error', (error) => endUnwritten(name, error))
  // Nothing is left to report to; the exit code has the rest.
  process.stderr.on('error', () => undefined)
}

/** Ends this process after a text is written, or where it cannot be. */
export function endWith(name: string, text: string): never {
  process.stdout.write(text)
  // Of a file this is known at once; its event would come too late.
  const { errored } = process.stdout
  return errored ? endUnwritten(name, errored) : process.exit()
}

function endUnwritten(name: string, error: unknown): never {
  const { code, message } = Object(error) as NodeJS.ErrnoException
  if (code === 'EPIPE') return process.exit()
  process.stderr.write(`${name}: The output cannot be written: ${message}.\n`)
  return process.exit(2)
}
