/** What has happened to the player's ship, newest first. */
import { type ReadonlySignal, signal } from '@preact/signals'

export interface LogEntry {
  /** game time [Unix ms] */
  readonly ms: number
  readonly kind: 'event' | 'order' | 'error'
  readonly text: string
}

export interface EventLog {
  readonly entries: ReadonlySignal<readonly LogEntry[]>
  add(entry: LogEntry): void
}

const ENTRIES_MAX = 200

export function createEventLog(): EventLog {
  const entries = signal<readonly LogEntry[]>([])
  const add = (entry: LogEntry): void => {
    entries.value = [entry, ...entries.value].slice(0, ENTRIES_MAX)
  }
  return { entries, add }
}
