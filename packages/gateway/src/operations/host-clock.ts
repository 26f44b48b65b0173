import type { Logger } from '@orrery/http'
import type { HostClock } from '@orrery/store'

/** Says of a clock that is not right how it differs; undefined of one that is, or is unknown. */
export function clockWords(clock: HostClock | undefined): string | undefined {
  const { clockOffset, clockState } = clock ?? { clockOffset: null, clockState: 'right' }
  if (clockState === 'right' || clockOffset === null) return undefined
  const seconds = Math.abs(clockOffset)
  const amount = seconds < 1 ? `${(1000 * seconds).toFixed(0)} ms` : `${seconds.toFixed(1)} s`
  return `its clock is ${amount} ${clockOffset > 0 ? 'ahead of' : 'behind'} the database's`
}

/** Logs that the clock of this machine is in another state than before. */
export function logClock(
  logger: Pick<Logger, 'info' | 'warn'>,
  { clockOffset, clockState }: HostClock,
): void {
  const fields = { clock_offset_ms: Math.round(1000 * (clockOffset ?? NaN)) }
  if (clockState === 'right') logger.info(fields, 'the clock of this machine is right again')
  else if (clockState === 'off') logger.warn(fields, 'the clock of this machine is off')
  else logger.warn(fields, 'the clock of this machine is wrong: others are to own star systems')
}
