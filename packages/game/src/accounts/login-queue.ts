import type { WallClock } from '@orrery/engine'

/** Who logs in or registers, as far as that is known before. */
export interface Applicant {
  /** what limits count by */
  readonly address: string
  /** as it was typed */
  readonly username: string
}

/** Logins that may wait; each takes tens of milliseconds, so more would wait too long. */
const WAITING_MAX = 64

/** Logins that failed count for so long after the last one. */
const FAILURES_MS = 3_600_000

/** Addresses whose failures are counted, and those that a name has logged in from. */
const ADDRESSES_MAX = 100_000
const KNOWN_MAX = 10_000

interface Waiting {
  /** 0 is served first */
  readonly rank: number
  readonly name: string
  readonly work: () => Promise<void>
  readonly refuse: () => void
}

/**
 * Logins, or registrations, that wait for their password to be hashed. First come those from where
 * the same name has logged in before, then those whose addresses have failed or wait least. A full
 * queue gives up one that would come last, of the name with most of them the oldest. Nothing
 * depends on which names there are, so that waiting shows nothing of them.
 */
export interface LoginQueue {
  add(applicant: Applicant, work: () => Promise<void>, refuse: () => void): void
  shift(): (() => Promise<void>) | undefined
  /** the password was right */
  succeeded(applicant: Applicant): void
  waiting(): number
}

export function createLoginQueue(clock: Pick<WallClock, 'monotonicMs'>): LoginQueue {
  const waiting: Waiting[] = []
  const failures = createFailures(clock)
  /** the last come last */
  const known = new Set<string>()

  const add: LoginQueue['add'] = (applicant, work, refuse) => {
    const attempts = failures.change(applicant.address, 1)
    const rank = known.has(keyOf(applicant)) ? 0 : attempts
    waiting.push({ rank, name: nameOf(applicant), work, refuse })
    if (waiting.length <= WAITING_MAX) return
    const [refused] = waiting.splice(lastServed(waiting), 1)
    refused.refuse()
  }

  return {
    add,
    shift: () => {
      const best = Math.min(...waiting.map(({ rank }) => rank))
      const place = waiting.findIndex(({ rank }) => rank === best)
      return place < 0 ? undefined : waiting.splice(place, 1)[0].work
    },
    succeeded: (applicant) => {
      failures.change(applicant.address, -1)
      const key = keyOf(applicant)
      known.delete(key)
      known.add(key)
      dropOldest(known, KNOWN_MAX)
    },
    waiting: () => waiting.length,
  }
}

/** Which of those that wait, the newest last, is given up. */
function lastServed(waiting: readonly Waiting[]): number {
  const worst = Math.max(...waiting.map(({ rank }) => rank))
  const ofName = (wanted: string): number =>
    waiting.filter(({ rank, name }) => rank === worst && name === wanted).length
  let place = waiting.findLastIndex(({ rank }) => rank === worst)
  const most = Math.max(...waiting.map(({ name }) => ofName(name)))
  // Where each is of another name, the newest has waited least.
  if (most > 1) {
    place = waiting.findIndex(({ rank, name }) => rank === worst && ofName(name) === most)
  }
  return place
}

interface Failures {
  /** Counts attempts of an address that have not succeeded; returns how many there are. */
  change(address: string, by: 1 | -1): number
}

function createFailures(clock: Pick<WallClock, 'monotonicMs'>): Failures {
  /** those of an address; the last changed come last */
  const all = new Map<string, { count: number; lastMs: number }>()
  return {
    change: (address, by) => {
      const nowMs = clock.monotonicMs()
      const { count, lastMs } = all.get(address) ?? { count: 0, lastMs: -Infinity }
      const fresh = nowMs - lastMs < FAILURES_MS ? Math.max(count + by, 0) : Math.max(by, 0)
      all.delete(address)
      if (fresh > 0) all.set(address, { count: fresh, lastMs: nowMs })
      dropOldest(all, ADDRESSES_MAX)
      return fresh
    },
  }
}

function dropOldest(entries: Map<string, unknown> | Set<string>, max: number): void {
  for (const key of entries.keys()) {
    if (entries.size <= max) return
    entries.delete(key)
  }
}

function nameOf({ username }: Applicant): string {
  return username.toLowerCase()
}

function keyOf(applicant: Applicant): string {
  return JSON.stringify([applicant.address, nameOf(applicant)])
}
