// Laws: worlds that a release without eras has stored are in eras after the migration; what a
// release with one journal for all systems has kept is the journal of system '', unless it has to
// replay it first. Method: rows of the schemas before, then the migrations.
import { randomUUID } from 'node:crypto'
import { migrate } from '@orrery/database'
import { openFreshDatabase } from '@orrery/testkit'
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { claimWorld, eras, journal, maneuverEvents, migrations, snapshots } from '../src/index.ts'
import { collected, keyOf, newBatch, readBatch } from './journal-batch.ts'
import { newManeuverEvent } from './maneuver-event-laws.ts'

const root = await mkdtemp(join(tmpdir(), 'orrery-era-migration-'))
const database = await openFreshDatabase({ schema: 'game' })
const { sql } = database

afterAll(async () => {
  await database.close()
  await rm(root, { recursive: true, force: true })
})

/** Brings the database to the release that had so many migrations. */
async function migrateTo(count: number): Promise<void> {
  const files = (await readdir(fileURLToPath(migrations))).toSorted().slice(0, count)
  for (const file of files) await cp(new URL(file, migrations), join(root, `${count}`, file))
  await migrate(database, pathToFileURL(join(root, `${count}`)))
}

const createdAt = (index: number): Date => new Date(Date.UTC(2026, 0, 1 + index))

async function storeSnapshot(i: number, row: object): Promise<void> {
  const common = { tick: 0, lattice: 0, game_time: createdAt(0), part_count: 0, byte_count: 0 }
  const text = { checksum: '', header: sql.json({}), created_at: createdAt(i) }
  await sql`insert into snapshot ${sql({ ...common, ...text, ...row })}`
}

async function storeWithoutEras(): Promise<void> {
  const stored = [
    { era: 1, kind: 'automatic', complete: false, header: { sequence: 3 } },
    { era: 1, kind: 'automatic', complete: true, header: { sequence: 12 } },
    { era: 1, kind: 'admin', complete: true, header: {} },
    { era: 1, kind: 'backup', complete: true, header: { sequence: '15' } },
    { era: 2, kind: 'automatic', complete: true, header: { sequence: 0 } },
    { era: 2, kind: 'stop', complete: true, header: { sequence: 40 } },
    { era: 3, kind: 'stop', complete: true, header: { sequence: 50 } },
  ]
  for (const [i, { header, ...more }] of stored.entries()) {
    await storeSnapshot(i, { ...more, header: sql.json(header) })
  }
  await sql`
    insert into backup (backup_id, snapshot_id, accounts, settings)
    values (gen_random_uuid(), 4, '[]', '[]')`
}

const former = newBatch(51, 53, { fence: 0, era: 3 })
const event = newManeuverEvent({ shipId: randomUUID() })

async function storeWithoutSystems(): Promise<void> {
  const { rows, clock, era } = former
  for (const { systemId: _, command, ...row } of rows) {
    await sql`insert into journal ${sql({ era, ...row, command: sql.json(command) })}`
  }
  const [remainder, denominator] = clock.remainder
  await sql`
    insert into clock values (${era}, 53, ${clock.lattice}, ${remainder}, ${denominator},
      ${clock.tick}, ${clock.tickRate}, ${clock.timeScale}, ${clock.paused}, '{}')`
  await sql`insert into digest values (${era}, 4096, 'kept')`
  await sql`
    insert into maneuver_event (era, lattice, ship_number, ordinal, ship_id, maneuver_type,
      event_type, phase, tick, game_time, extra)
    values (${event.era}, ${event.lattice}, ${event.shipNumber}, ${event.ordinal}, ${event.shipId},
      'attitude', 'failed', 'turning', 1, now(), '{}')`
}

await migrateTo(3)
await storeWithoutEras()
await migrateTo(4)
await storeWithoutSystems()

/** The migration's refusals, before each of some worlds is stored and after the last. */
const refusals: unknown[] = []
const { lattice } = former.clock
for (const change of [
  { kind: 'backup', complete: true, lattice },
  { kind: 'stop', complete: false, lattice },
  { kind: 'automatic', complete: true, lattice: lattice - 1 },
  { kind: 'stop', complete: true, lattice },
]) {
  refusals.push(await migrate(database, migrations).catch(String))
  await storeSnapshot(8 + refusals.length, { era: 3, sequence: 53, ...change })
}
refusals.push(await migrate(database, migrations).catch(String))

test('commands or time after the last stored world are refused, by the release to be used', () => {
  const refusal = expect.stringMatching(
    /The journal was written by a release with physics 1: start and stop that release once more/,
  )
  expect(refusals).toEqual([refusal, refusal, refusal, refusal, undefined])
})

test('each era begins with its first complete snapshot', async () => {
  const physics = 1
  expect(await eras(sql).list()).toEqual([
    { era: 1, reason: 'new', snapshotId: 2, openedAt: createdAt(1), physics },
    { era: 2, reason: 'reset', snapshotId: 5, openedAt: createdAt(4), physics },
    { era: 3, reason: 'restored', snapshotId: 7, openedAt: createdAt(6), physics },
  ])
  const all = (await snapshots(sql).list()).toReversed()
  expect(all.map(({ id, sequences }) => [id, sequences])).toEqual([
    [2, { '': 12 }],
    [3, { '': 0 }],
    [4, { '': 0 }],
    [5, { '': 0 }],
    [6, { '': 40 }],
    [7, { '': 50 }],
    [8, { '': 53 }],
    [10, { '': 53 }],
    [11, { '': 53 }],
  ])
  expect(all.every((snapshot) => snapshot.physics === physics)).toBe(true)
})

test('a journal of all systems together is read as before, beside those of each', async () => {
  const kept = journal(sql)
  const fence = await claimWorld(sql)
  const batch = newBatch(51, 52, { fence, era: 3 })
  await kept.append(batch)
  const { clock } = readBatch({ ...former, sequences: { '': 53 } }, '')
  expect(await collected(kept.batches(keyOf(3, ''), 50))).toEqual([
    { rows: readBatch(former).rows, clock },
  ])
  expect(await collected(kept.batches(keyOf(3), 50))).toEqual([readBatch(batch)])
  const span = { from: 0, to: 9999 }
  expect(await kept.digests(keyOf(3, ''), span)).toEqual([{ lattice: 4096, digest: 'kept' }])
  expect(await kept.digests(keyOf(3), span)).toEqual([])
  expect(await kept.inTransit(3)).toEqual([])
  await maneuverEvents(sql).record([{ ...event, systemId: '' }, event])
  const { shipId } = event
  const events = await maneuverEvents(sql).list({ shipId, limit: 9 })
  expect(events.map(({ eventType }) => eventType)).toEqual(['started', 'failed'])
})
