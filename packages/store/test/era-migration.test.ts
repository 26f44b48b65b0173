// Law: worlds that a release without eras has stored are in eras after the migration, with the
// last command of each. Method: rows of the schema before, then the migration.
import { migrate, openDatabase } from '@orrery/database'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { eras, migrations, snapshots } from '../src/index.ts'

const root = await mkdtemp(join(tmpdir(), 'orrery-era-migration-'))
const database = await openDatabase({ directory: join(root, 'game'), schema: 'game' })
const { sql } = database

afterAll(async () => {
  await database.close()
  await rm(root, { recursive: true, force: true })
})

test('each era begins with its first complete snapshot', async () => {
  const before = ['001.do.records.sql', '002.do.maneuver-events.sql', '003.do.backups.sql']
  for (const file of before) await cp(new URL(file, migrations), join(root, 'before', file))
  await migrate(database, pathToFileURL(join(root, 'before')))
  const stored = [
    { era: 1, kind: 'automatic', complete: false, header: { sequence: 3 } },
    { era: 1, kind: 'automatic', complete: true, header: { sequence: 12 } },
    { era: 1, kind: 'admin', complete: true, header: {} },
    { era: 1, kind: 'backup', complete: true, header: { sequence: '15' } },
    { era: 2, kind: 'automatic', complete: true, header: { sequence: 0 } },
    { era: 2, kind: 'stop', complete: true, header: { sequence: 40 } },
    { era: 3, kind: 'stop', complete: true, header: { sequence: 50 } },
  ]
  const createdAt = (index: number): Date => new Date(Date.UTC(2026, 0, 1 + index))
  for (const [i, { header, ...more }] of stored.entries()) {
    const common = { tick: 0, lattice: 0, game_time: createdAt(0), part_count: 0, byte_count: 0 }
    const row = { ...common, ...more, checksum: '', created_at: createdAt(i) }
    await sql`insert into snapshot ${sql({ ...row, header: sql.json(header) })}`
  }
  await sql`
    insert into backup (backup_id, snapshot_id, accounts, settings)
    values (gen_random_uuid(), 4, '[]', '[]')`

  await migrate(database, migrations)
  const physics = 1
  expect(await eras(sql).list()).toEqual([
    { era: 1, reason: 'new', snapshotId: 2, openedAt: createdAt(1), physics },
    { era: 2, reason: 'reset', snapshotId: 5, openedAt: createdAt(4), physics },
    { era: 3, reason: 'restored', snapshotId: 7, openedAt: createdAt(6), physics },
  ])
  const all = (await snapshots(sql).list()).toReversed()
  expect(all.map(({ id, sequence }) => [id, sequence])).toEqual([
    [2, 12],
    [3, 0],
    [4, 0],
    [5, 0],
    [6, 40],
    [7, 50],
  ])
  expect(all.every((snapshot) => snapshot.physics === physics)).toBe(true)
})
