import type { ChildProcess } from 'node:child_process'
import { setPriority } from 'node:os'

/** Lowers the scheduling priority of a child process. */
export function lowerPriority({ pid }: ChildProcess, niceness: number): void {
  try {
    if (pid !== undefined) setPriority(pid, niceness)
  } catch {
    // The child has ended or the system forbids it; both are harmless.
  }
}
