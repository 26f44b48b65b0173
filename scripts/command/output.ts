/**
 * Ends this process with one line and exit code 2 when its output cannot be written, as on a full
 * device. A reader that has enough, such as `head`, is no failure.
 */
export function endWhenUnwritable(name: string): void {
  process.stdout.on('error', (error) => {
    if (Object(error).code === 'EPIPE') process.exit()
    process.stderr.write(`${name}: The output cannot be written: ${Object(error).message}.\n`)
    process.exit(2)
  })
  // Nothing is left to report to; the exit code has the rest.
  process.stderr.on('error', () => undefined)
}
