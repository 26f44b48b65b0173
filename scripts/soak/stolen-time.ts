/** Processor time that a virtual machine's host gives to others: it makes frames late, too. */
import { readFileSync } from 'node:fs'

/** Starts to count; returns the share since then [%], NaN where the system does not say. */
export function countStolenTime(): () => number {
  const before = processorTimes()
  return () => {
    const spent = processorTimes().map((ticks, i) => ticks - before[i])
    return (100 * spent[STEAL]) / spent.reduce((sum, ticks) => sum + ticks, 0)
  }
}

/**
 * User, nice, system, idle, iowait, irq, softirq and steal.
 *
 * @source `man 5 proc_stat`
 */
function processorTimes(): readonly number[] {
  const [, ...ticks] = readFileSync('/proc/stat', 'utf8').split('\n', 1)[0].split(/ +/)
  return ticks.slice(0, STEAL + 1).map(Number)
}

const STEAL = 7
