/** Follows a server's world as its journal grows, and names what first comes out otherwise. */
import type { Database } from '@orrery/database'
import type { GameModules } from '@orrery/engine/modules'
import { type Pool, createPool, inside, systemClock } from '@orrery/engine/testing'
import { type ComparedDigest, type FollowedPlace, createFollower } from '@orrery/game'
import { BLOCK_QUANTA } from '@orrery/sim'
import { type SnapshotSummary, snapshots } from '@orrery/store'
import { setTimeout as pause } from 'node:timers/promises'
import { createComparison, utcText } from './comparison.ts'
import { fly } from './flight.ts'
import { storedRecords, upTo } from './records.ts'
import { openSpan, passedOver } from './span.ts'
import { storedUniverse } from './stored-universe.ts'

/** Time between two reports of how far it is behind. */
const REPORT_MS = 10_000

/** Time between two looks for the owner's next snapshot. */
const SNAPSHOT_LOOK_MS = 500

export interface FollowingOptions {
  readonly sql: Database['sql']
  readonly shipsMax: number
  readonly modules: GameModules | undefined
  /** prints one JSON object per line instead of text */
  readonly isJson: boolean
  /** ends it, as an interrupt does */
  readonly signal: AbortSignal
}

type Print = (event: object, text: string) => void

/** A digest that differs, and from where its system was equal. */
interface Divergence {
  readonly digest: ComparedDigest
  readonly place: FollowedPlace
  /** lattice index of the last equal digest, or of the snapshot followed from */
  readonly equalAt: number
}

/**
 * Follows the newest era until the signal, or a digest that differs; returns the exit code.
 *
 * @throws {FollowerError | RecoveryError}
 */
export async function follow(options: FollowingOptions): Promise<number> {
  const { isJson, modules, shipsMax, signal, sql } = options
  const print: Print = (event, text) => {
    process.stdout.write(`${isJson ? JSON.stringify(event) : text}\n`)
  }
  const ending = new AbortController()
  signal.addEventListener('abort', () => ending.abort())
  const equalAt = new Map<string, number>()
  let place: FollowedPlace | undefined
  let divergence: Divergence | undefined
  let equal = 0
  const follower = createFollower({
    sql,
    shipsMax,
    modules,
    clock: systemClock,
    logger: { info: () => undefined, error: complain, fatal: complain },
    createPool: (universe): Pool => createPool(inside(universe), 1, complain),
    onOpened: (opened) => {
      place = opened
      equalAt.clear()
      const { era, snapshotId, index } = opened
      print(
        { event: 'following', era, snapshot: snapshotId, index, utc: utcText(index) },
        `following era ${era} from snapshot ${snapshotId}, ${utcText(index)}`,
      )
    },
    onDigest: (digest) => {
      if (!place || divergence) return
      printDigest(print, digest)
      if (digest.digest === digest.kept) {
        equal++
        equalAt.set(digest.systemId, digest.index)
        return
      }
      divergence = { digest, place, equalAt: equalAt.get(digest.systemId) ?? place.index }
      ending.abort()
    },
    onAway: (reason) => print({ event: 'away', reason }, `the database is away: ${reason}`),
    onBack: () => print({ event: 'back' }, 'the database is back'),
  })
  const report = (): void => {
    const at = follower.position()
    if (at) printLag(print, at, equal)
  }
  const reports = setInterval(report, REPORT_MS)
  try {
    await follower.follow(ending.signal)
    report()
  } finally {
    clearInterval(reports)
    await follower.close()
  }
  if (!divergence) return 0
  await nameShips(options, divergence, print)
  return 1
}

function complain(...what: unknown[]): void {
  const [first, message] = what
  process.stderr.write(`replay: ${message ?? Object(first).message ?? String(first)}\n`)
}

function printDigest(print: Print, { systemId, index, digest, kept }: ComparedDigest): void {
  const equal = digest === kept
  const verdict = equal ? 'equal' : `DIFFERS: ${kept} is stored`
  print(
    { event: 'digest', system: systemId, index, utc: utcText(index), digest, stored: kept, equal },
    `${index}  ${utcText(index)}  ${digest}  ${systemId}: ${verdict}`,
  )
}

type Position = NonNullable<ReturnType<ReturnType<typeof createFollower>['position']>>

function printLag(print: Print, at: Position, equal: number): void {
  const { era, index, tick, commands, lagRows, lagSeconds } = at
  const silent = Number.isFinite(at.silentSeconds) ? at.silentSeconds : null
  print(
    {
      event: 'position',
      era,
      index,
      utc: utcText(index),
      tick,
      commands,
      lag_rows: lagRows,
      lag_seconds: lagSeconds,
      owner_silent_seconds: silent,
      digests_equal: equal,
    },
    `${index}  ${utcText(index)}  tick ${tick}, ${commands} commands, ${equal} digests equal;` +
      ` behind by ${lagRows} rows, ${lagSeconds.toFixed(1)} s;` +
      ` last clock ${silent === null ? 'never' : `${silent.toFixed(1)} s ago`}`,
  )
}

/** Flies once more from where all was equal to the owner's next snapshot, and compares ships. */
async function nameShips(
  options: FollowingOptions,
  { digest, place, equalAt }: Divergence,
  print: Print,
): Promise<void> {
  const { modules, sql, shipsMax, signal } = options
  const past = digest.index + BLOCK_QUANTA
  print(
    { event: 'waiting', index: past, utc: utcText(past) },
    `waiting for the owner's next snapshot after ${utcText(past)}, to name the ships`,
  )
  const next = await nextSnapshot(options, place.era, past)
  if (!next || signal.aborted) return
  const from = { kind: 'moment', index: equalAt } as const
  const asked = { era: place.era, from, to: next.lattice, shipsMax, modules }
  const span = await openSpan(sql, asked, passedOver('replay'))
  const universe = (await storedUniverse(sql, next, modules)) ?? 'it is gone'
  const lines: string[] = []
  const comparison = createComparison(
    { era: span.era, universe: span.opened.universe },
    [],
    (line) => lines.push(line),
  )
  const flight = await fly({
    opened: span.opened,
    records: (systemId) => upTo(storedRecords(sql, span.start, systemId), next.lattice),
    stops: [next],
    onDigest: () => undefined,
    onStop: async (stop, flown) => comparison.snapshot(stop, flown, universe),
  })
  const [compared] = comparison.report(flight).snapshots
  print({ event: 'snapshot', from: span.start.id, ...compared }, lines.join('\n'))
}

/** The first snapshot of an era past an index; undefined once the signal or another era ends it. */
async function nextSnapshot(
  { sql, signal }: FollowingOptions,
  era: number,
  index: number,
): Promise<SnapshotSummary | undefined> {
  while (!signal.aborted) {
    const all = await snapshots(sql).list()
    const past = all.filter((one) => one.era === era && one.lattice >= index)
    if (past.length > 0) return past.toSorted((a, b) => a.lattice - b.lattice || a.id - b.id)[0]
    if (all.some((one) => one.era > era)) return undefined
    await pause(SNAPSHOT_LOOK_MS, undefined, { signal }).catch(() => undefined)
  }
  return undefined
}
