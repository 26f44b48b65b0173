import { setPriority } from 'node:os'

/** Nice value of threads whose work can wait. */
const NICE = 10

/** Lets threads that fly and publish ticks go before the calling one. */
export function yieldToTicks(): void {
  // Linux alone has priorities of threads; elsewhere this would be the whole process.
  if (process.platform === 'linux') setPriority(NICE)
}
