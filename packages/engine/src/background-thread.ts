import { setPriority } from 'node:os'

/** Nice values of threads whose work can wait, and of those that wait for these, too. */
const NICE = 10
const NICEST = 19

/** Lets threads that fly and publish ticks go before the calling one. */
export function yieldToTicks(): void {
  yieldBy(NICE)
}

/** Lets all others go before the calling one. */
export function yieldToAll(): void {
  yieldBy(NICEST)
}

function yieldBy(nice: number): void {
  // Linux alone has priorities of threads; elsewhere this would be the whole process.
  if (process.platform === 'linux') setPriority(nice)
}
