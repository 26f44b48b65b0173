/** What has happened to the player's ship, newest first; the browser keeps it. */
import { type ReadonlySignal, signal } from '@preact/signals'
import type { Kept } from '../storage/kept-settings.ts'

export interface LogEntry {
  /** game time [Unix ms] */
  readonly ms: number
  readonly kind: 'event' | 'order' | 'error'
  readonly text: string
}

export interface EventLog {
  readonly entries: ReadonlySignal<readonly LogEntry[]>
  /** Takes up the log of an account; another era has a log of its own. */
  open(account: string, era: number): void
  add(entry: LogEntry): void
  /** Shows nothing; what is kept stays. */
  close(): void
}

interface KeptLog {
  readonly account: string
  readonly era: number
  readonly entries: readonly LogEntry[]
}

const KEY = 'orrery.logs'

/** Accounts of this browser whose logs are kept. */
const LOGS_MAX = 4
const ENTRIES_MAX = 200

const KINDS: ReadonlySet<unknown> = new Set(['event', 'order', 'error'])

export function createEventLog(kept: Kept): EventLog {
  const entries = signal<readonly LogEntry[]>([])
  let opened: Pick<KeptLog, 'account' | 'era'> | undefined
  return {
    entries,
    open: (account, era) => {
      if (opened?.account === account && opened.era === era) return
      opened = { account, era }
      const log = keptLogs(kept).find((one) => one.account === account && one.era === era)
      entries.value = log?.entries ?? []
    },
    add: (entry) => {
      entries.value = [entry, ...entries.value].slice(0, ENTRIES_MAX)
      if (opened) keep(kept, { ...opened, entries: entries.value })
    },
    close: () => {
      opened = undefined
      entries.value = []
    },
  }
}

/** The latest first; none where that is not what is stored. */
function keptLogs(kept: Kept): readonly KeptLog[] {
  try {
    const logs: unknown = JSON.parse(kept?.getItem(KEY) ?? '')
    return Array.isArray(logs) ? logs.filter(isLog) : []
  } catch {
    return []
  }
}

/** One log of each account. */
function keep(kept: Kept, log: KeptLog): void {
  const others = keptLogs(kept).filter(({ account }) => account !== log.account)
  try {
    kept?.setItem(KEY, JSON.stringify([log, ...others].slice(0, LOGS_MAX)))
  } catch {
    // A full storage: the lines of now are shown.
  }
}

function isLog(value: unknown): value is KeptLog {
  const { account, era, entries } = Object(value)
  const isKnown = typeof account === 'string' && Number.isInteger(era) && Array.isArray(entries)
  return isKnown && entries.length <= ENTRIES_MAX && entries.every(isEntry)
}

function isEntry(value: unknown): boolean {
  const { ms, kind, text } = Object(value)
  const isTime = Number.isFinite(new Date(ms).getTime())
  return typeof ms === 'number' && isTime && KINDS.has(kind) && typeof text === 'string'
}
