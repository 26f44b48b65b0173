/** What a long run does now: a line on stderr every few seconds. */

/** Between two lines, save where a new step begins [ms]. */
const PERIOD_MS = 5000

export interface Progress {
  /** Writes a line every few seconds from now on, also when nothing is noted. */
  start(name: string): void
  /** Notes what begins or goes on, and how much of it is done. A new step has a line at once. */
  at(step: string, done?: number, total?: number): void
  end(): void
}

/**
 * @param write  takes one line, without its end
 * @param nowMs  a steady clock
 */
export function createProgress(
  write: (line: string) => void,
  nowMs: () => number = () => performance.now(),
): Progress {
  let name = ''
  let step = ''
  let amount = ''
  let startMs = 0
  let writtenMs = 0
  let timer: NodeJS.Timeout | undefined
  const line = (): void => {
    writtenMs = nowMs()
    const seconds = Math.round((writtenMs - startMs) / 1000)
    write(`${name}, ${seconds} s: ${step}${amount}`)
  }
  // Work that never waits lets no timer run, and notes what it does.
  const lineWhenDue = (): void => {
    if (nowMs() - writtenMs >= PERIOD_MS) line()
  }
  return {
    start(given) {
      name = given
      step = 'started'
      amount = ''
      startMs = writtenMs = nowMs()
      clearInterval(timer)
      timer = setInterval(lineWhenDue, PERIOD_MS).unref()
    },
    at(given, done, total) {
      if (timer === undefined) return
      const isNew = given !== step
      step = given
      amount = done === undefined ? '' : `, ${counted(done)}`
      if (total !== undefined) amount += ` of ${counted(total)}`
      if (isNew) line()
      else lineWhenDue()
    },
    end() {
      clearInterval(timer)
      timer = undefined
    },
  }
}

function counted(number: number): string {
  return number.toLocaleString('en', { maximumFractionDigits: 0 })
}

/** That of this process. */
export const progress: Progress = createProgress((line) => process.stderr.write(`${line}\n`))
