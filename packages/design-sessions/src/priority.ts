import type { ChildProcess } from 'node:child_process'
import { setPriority } from 'node:os'

/** Lets a child compute only when others leave it time. */
export function lowerPriority({ pid }: ChildProcess, niceness: number): void {
  try {
    if (pid !== undefined) setPriority(pid, niceness)
  } catch {
    // Already ended, or not allowed here: it works all the same.
  }
}
