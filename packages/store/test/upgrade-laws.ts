import { randomUUID } from 'node:crypto'
import type { Database } from '@orrery/database'
import { expect, it } from 'vitest'
import { accounts, backups, claimWorld, eras, journal, settings, snapshots } from '../src/index.ts'
import { newBatch } from './journal-batch.ts'

interface OldSnapshot {
  readonly era: number
  readonly kind: string
  readonly header: object
  readonly complete?: boolean
}

const BACKUP_ID = randomUUID()

/** Fills a database as the release before the journal left it, after a restore and a reset. */
export async function fillOldDatabase({ sql }: Database): Promise<void> {
  const store = async ({ era, kind, header, complete = true }: OldSnapshot): Promise<void> => {
    // The parts of an empty state, as that release compressed and summed them.
    const part = Buffer.from('28b52ffd0058010000', 'hex')
    const checksum = '2e6fd9ffd32b8d5e8ea1ac1d7c4e35bd6a57d2b24a1d92d3d1c9d0cdb3d2ad56'
    const row = {
      era,
      kind,
      tick: 5,
      lattice: 53_000_000_000,
      game_time: new Date('2026-03-01T12:00:00.250Z'),
      header: sql.json(JSON.parse(JSON.stringify(header))),
      part_count: 1,
      byte_count: 0,
      checksum,
      complete,
    }
    const [{ id }] = await sql<[{ id: string }]>`
      insert into snapshot ${sql(row)} returning id`
    await sql`insert into snapshot_part ${sql({ snapshot_id: id, ordinal: 0, bytes: part })}`
  }
  await store({ era: 1, kind: 'automatic', header: { sequence: 3 }, complete: false })
  await store({ era: 1, kind: 'admin', header: { sequence: 12 } })
  await store({ era: 1, kind: 'automatic', header: { sequence: 40 } })
  await store({ era: 2, kind: 'automatic', header: { sequence: 40 } })
  await store({ era: 2, kind: 'backup', header: {} })
  await store({ era: 3, kind: 'automatic', header: { sequence: 'damaged' } })
  await store({ era: 3, kind: 'stop', header: { sequence: 7 } })
  await sql`
    insert into backup (backup_id, snapshot_id, accounts, settings)
    select ${BACKUP_ID}, id, '[]', '[]' from snapshot where kind = 'backup'`
  await sql`
    insert into account (player_id, username, username_key, password_hash)
    values (${randomUUID()}, 'Parker', 'parker', 'hash')`
  await sql`insert into setting values ('era', '3')`
}

/** The first of the laws to run, on what the release before has left. */
export function upgradeLaws(database: Database): void {
  it('a database of the release before goes on, each era with its oldest snapshot', async () => {
    const { sql } = database
    const stored = await snapshots(sql).list()
    expect(stored.map(({ era, sequence, physics }) => [era, sequence, physics])).toEqual([
      [3, 7, 1],
      [3, 0, 1],
      [2, 0, 1],
      [2, 40, 1],
      [1, 40, 1],
      [1, 12, 1],
    ])
    const ids = stored.map(({ id }) => id)
    const physics = 1
    const openedAt = expect.any(Date)
    expect(await eras(sql).list()).toEqual([
      { era: 1, reason: 'new', snapshotId: ids[5], physics, openedAt },
      { era: 2, reason: 'restored', snapshotId: ids[3], physics, openedAt },
      { era: 3, reason: 'reset', snapshotId: ids[1], physics, openedAt },
    ])
    expect((await accounts(sql).list()).map(({ username }) => username)).toEqual(['Parker'])
    expect(await backups(sql).list()).toMatchObject([{ backupId: BACKUP_ID, accountCount: 0 }])
    const { era = NaN } = await settings(sql).load()
    const fence = await claimWorld(sql)
    expect(fence).toBe(1)
    await journal(sql).append(newBatch(8, 9, { era, fence }))
    for await (const { rows } of journal(sql).batches(era, 7)) expect(rows).toHaveLength(2)
    await sql`truncate journal, clock, era, backup, snapshot, account, setting cascade`
  })
}
