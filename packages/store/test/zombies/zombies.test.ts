/**
 * Law: of an owner that was stopped anywhere, and goes on when another has taken its systems,
 * nothing is written and nothing acknowledged; all that it was acknowledged before is there.
 * Method: real processes, stopped and continued by signals.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createChance, openFreshDatabase, testSeed } from '@orrery/testkit'
import { IS_NIGHT, byTier } from '@orrery/testkit/tier'
import { afterAll, expect, test } from 'vitest'
import { claimSystems, journal, migrations } from '../../src/index.ts'
import { newClock, newRow } from '../journal-batch.ts'

const OWNER = fileURLToPath(new URL('zombie-owner.ts', import.meta.url))
const OWNERS = 20
const ROUNDS = byTier({ gate: 1, night: 50 })

const database = await openFreshDatabase({ schema: 'game', migrations })
const { sql } = database
const chance = createChance(testSeed('zombies'))
afterAll(() => database.close())

interface Zombie {
  readonly process: ChildProcess
  /** by kind, system and sequence */
  readonly acknowledged: Set<string>
}

/** Starts owners and waits until each of them has written. */
async function startOwners(systems: readonly string[], blindUntil?: number): Promise<Zombie> {
  const words = [OWNER, systems.join(), ...(blindUntil === undefined ? [] : [`${blindUntil}`])]
  const child = spawn(process.execPath, words, {
    env: { ...process.env, DATABASE_URL: database.url },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const acknowledged = new Set<string>()
  let rest = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) acknowledged.add(line)
  })
  const hasBegun = (system: string): boolean => acknowledged.has(`journal ${system} 1`)
  while (!systems.every(hasBegun)) {
    if (child.exitCode !== null) throw new Error('The owners have ended.')
    await setTimeout(10)
  }
  return { process: child, acknowledged }
}

function without(set: ReadonlySet<string>, other: ReadonlySet<string>): Set<string> {
  return new Set([...set].filter((one) => !other.has(one)))
}

/** What is written of each system, as its owner would report it. */
async function written(systems: readonly string[]): Promise<Set<string>> {
  const rows = await sql<{ text: string }[]>`
    select concat_ws(' ', 'journal', system, sequence) as text from journal
    where system = any(${systems}) and command ->> 'kind' <> 'heir'
    union all select concat_ws(' ', 'event', system, lattice) from maneuver_event
    where system = any(${systems})
    union all select concat_ws(' ', 'snapshot', key, value) from snapshot, jsonb_each(sequences)
    where complete and key = any(${systems})`
  return new Set(rows.map(({ text }) => text))
}

/** Sessions of stopped owners: in a transaction, and in a statement that its server works at. */
async function sessions(): Promise<{ idle: number; active: number }> {
  const [row] = await sql<[{ idle: number; active: number }]>`
    select count(*) filter (where state like 'idle in transaction%')::int as idle,
      count(*) filter (where state = 'active' and pid <> pg_backend_pid()
        and wait_event is distinct from 'ClientRead')::int as active
    from pg_stat_activity where datname = current_database()`
  return row
}

/** One that was stopped, and goes on beside an heir. Returns what it wrote as a zombie. */
async function outlived(
  systems: readonly string[],
  blindUntil?: number,
): Promise<{ readonly late: Set<string>; readonly lost: Set<string>; readonly idle: number }> {
  const zombie = await startOwners(systems, blindUntil)
  await setTimeout(chance.below(100))
  zombie.process.kill('SIGSTOP')
  const { idle } = await sessions()
  const heir = await claimSystems(sql, { systemIds: systems })
  // What its server was doing for it ends by itself.
  while ((await sessions()).active > 0) await setTimeout(5)
  const before = await written(systems)
  for (const [systemId, { sequence }] of heir.claims()) {
    const last = sequence + 1
    const rows = [newRow(last, { systemId, command: { kind: 'heir' } })]
    const batch = { era: 1, owner: heir, rows, clock: newClock(last), digests: [] }
    await journal(sql).append({ ...batch, sequences: { [systemId]: last } })
  }
  const ended = once(zombie.process, 'close')
  zombie.process.kill('SIGCONT')
  expect(await ended).toEqual([0, null])
  const after = await written(systems)
  return { late: without(after, before), lost: without(zombie.acknowledged, before), idle }
}

test(`of ${ROUNDS * OWNERS} stopped owners none writes when it goes on`, async () => {
  let idle = 0
  for (const round of Array.from({ length: ROUNDS }).keys()) {
    const systems = Array.from({ length: OWNERS }, (_, i) => `system ${round} ${i}`)
    const outcome = await outlived(systems)
    // Acknowledged after the claim, but not written before it, would be in `lost`.
    expect(outcome).toMatchObject({ late: new Set(), lost: new Set() })
    idle += outcome.idle
  }
  expect(idle, 'stopped in a transaction').toBeGreaterThan(0)
})

test.runIf(IS_NIGHT)('without the check of the claim they would write', async () => {
  const systems = Array.from({ length: 4 }, (_, i) => `system blind ${i}`)
  const { late } = await outlived(systems, 200)
  expect(late.size).toBeGreaterThan(0)
})
