import type { Database } from '@orrery/database'
import { expect, it } from 'vitest'
import {
  type NewSnapshot,
  type SnapshotKind,
  eras,
  journal,
  pruneJournal,
  snapshots,
} from '../src/index.ts'
import {
  claimed,
  EPOCH,
  keyOf,
  newBatch,
  newClock,
  newDigest,
  newHandOff,
} from './journal-batch.ts'

/** When a snapshot is stored: eras begin by the hour, their snapshots follow by the minute. */
function storedAt(era: number, minute: number): number {
  return Date.UTC(2026, 2, 1, 12 + era, minute)
}

/** A world in which ten commands have been acted on for every 40 quanta. */
function newSnapshot(sequence: number, more: Partial<NewSnapshot> = {}): NewSnapshot {
  return {
    era: 1,
    kind: 'automatic',
    tick: sequence,
    lattice: EPOCH + 4 * sequence,
    sequences: { sol: sequence },
    physics: 1,
    gameTime: new Date('2026-03-01T12:00:00Z'),
    header: {},
    bytes: new Uint8Array(1000),
    ...more,
  }
}

export function pruningLaws(database: Database): void {
  /** Writes ten commands and a digest per snapshot, and opens the era with the first of them. */
  const history = async (
    era: number,
    kinds: readonly SnapshotKind[],
  ): Promise<readonly number[]> => {
    const { sql } = database
    const owner = await claimed(sql)
    const ids: number[] = []
    for (const [index, kind] of kinds.entries()) {
      const sequence = 10 * index
      const createdAt = new Date(storedAt(era, index))
      const snapshotId = await snapshots(sql).store(newSnapshot(sequence, { era, kind, createdAt }))
      ids.push(snapshotId)
      if (index === 0) await eras(sql).open({ era, reason: 'new', snapshotId, physics: 1 })
      const digests = [newDigest(newClock(sequence).lattice, 'd')]
      const batch = newBatch(sequence + 1, sequence + 10, { era, owner, digests })
      await journal(sql).append(batch)
    }
    return ids
  }
  const kept = async (era: number, from: number): Promise<{ rows: number[]; clocks: number[] }> => {
    const rows: number[] = []
    const clocks: number[] = []
    for await (const batch of journal(database.sql).batches(keyOf(era), from)) {
      clocks.push(batch.clock.sequence)
      for (const { sequence } of batch.rows) rows.push(sequence)
    }
    return { rows, clocks }
  }

  it('snapshots go when newer ones stand, but none that an era or an admin holds', async () => {
    const { sql } = database
    const store = snapshots(sql)
    const ids = await history(1, ['automatic', 'admin', 'automatic', 'stop', 'automatic', 'stop'])
    const backup = await store.store(newSnapshot(0, { kind: 'backup' }))
    expect(await store.prune({ keep: 2 })).toBe(2)
    const left = (await store.list()).map(({ id }) => id)
    expect(left).toEqual([backup, ids[5], ids[4], ids[1], ids[0]])
    expect(await store.prune({ keep: 2 })).toBe(0)
    // All of the journal is there, since the era's first is.
    expect((await kept(1, 0)).rows).toHaveLength(60)
    await expect(sql`delete from snapshot where id = ${ids[0]}`).rejects.toThrow('era')
    expect([await store.delete(ids[0]), await store.delete(ids[1])]).toEqual([false, true])
    expect(await store.byId(ids[1])).toBeUndefined()
  })

  it('a journal begins with a snapshot of all systems; one of some moves nothing', async () => {
    const { sql } = database
    const store = snapshots(sql)
    const [, second, third] = await history(1, ['automatic', 'automatic', 'automatic'])
    for (const sequence of [10, 20]) {
      await store.store(newSnapshot(sequence, { sequences: { alpha: sequence } }))
    }
    await pruneJournal(sql, store, { keep: 2, sinceMs: Infinity })
    expect(await eras(sql).byNumber(1)).toMatchObject({ snapshotId: second })
    await store.prune({ keep: 2 })
    const left = (await store.list()).map(({ id }) => id)
    expect(left, 'two of each system').toEqual([third + 2, third + 1, third, second])
  })

  it('of many snapshots those stay that are some time apart, each time the same', async () => {
    const store = snapshots(database.sql)
    const ids = await history(
      1,
      Array.from({ length: 12 }, () => 'automatic' as const),
    )
    const keeping = { keep: 1, apartMs: 3 * 60_000 }
    const left = async (): Promise<number[]> =>
      (await store.list()).map(({ id }) => ids.indexOf(id))
    await store.prune(keeping)
    expect(await left()).toEqual([11, 9, 6, 3, 0])
    await store.prune(keeping)
    expect(await left()).toEqual([11, 9, 6, 3, 0])
    await pruneJournal(database.sql, store, { keep: 1, sinceMs: storedAt(1, 8) })
    await store.prune(keeping)
    expect(await left()).toEqual([11, 9, 6])
  })

  it('a pruned journal begins with the newest snapshot before all that stays', async () => {
    const { sql } = database
    const store = snapshots(sql)
    const ids = await history(1, ['automatic', 'automatic', 'admin', 'automatic', 'stop'])
    await pruneJournal(sql, store, { keep: 1, sinceMs: storedAt(1, 0) - 1 })
    expect((await kept(1, 0)).rows, 'all of it is young').toHaveLength(50)
    await pruneJournal(sql, store, { keep: 3, sinceMs: storedAt(1, 9) })
    expect(await eras(sql).byNumber(1)).toMatchObject({ snapshotId: ids[1], reason: 'new' })
    expect((await kept(1, 0)).rows, 'what three snapshots need').toHaveLength(40)
    await pruneJournal(sql, store, { keep: 1, sinceMs: storedAt(1, 2) + 1 })
    expect((await kept(1, 0)).rows, "an admin's begins nothing").toHaveLength(40)
    await pruneJournal(sql, store, { keep: 1, sinceMs: storedAt(1, 3) })
    expect(await eras(sql).byNumber(1)).toMatchObject({ snapshotId: ids[3] })
    const rest = await kept(1, 0)
    expect(rest.rows).toEqual(Array.from({ length: 20 }, (_, index) => 31 + index))
    expect(rest.clocks).toEqual([30, 40, 50])
    expect(await journal(sql).digests(keyOf(1), { from: 0, to: 2 * EPOCH })).toHaveLength(2)
    expect(await store.prune({ keep: 2 })).toBe(2)
    expect((await store.list()).map(({ id }) => id)).toEqual([ids[4], ids[3], ids[2]])
    await pruneJournal(sql, store, { keep: 1, sinceMs: storedAt(1, 3) })
    expect(await kept(1, 0)).toEqual(rest)
  })

  it('a pruning that is ended is completed by the next', async () => {
    const { sql } = database
    const store = snapshots(sql)
    await history(1, ['automatic', 'automatic'])
    await history(2, ['automatic'])
    const keeping = { keep: 1, sinceMs: storedAt(2, 1) }
    await pruneJournal(sql, store, { ...keeping, signal: AbortSignal.abort() })
    expect((await kept(1, 0)).rows).toHaveLength(20)
    expect(await eras(sql).list()).toHaveLength(2)
    await pruneJournal(sql, store, keeping)
    expect((await kept(1, 0)).rows).toEqual([])
    expect(await eras(sql).list()).toMatchObject([{ era: 2 }])
  })

  it('a past era is forgotten when the next has lasted long enough, the newest never', async () => {
    const { sql } = database
    const store = snapshots(sql)
    const [, admin] = await history(1, ['automatic', 'admin', 'automatic'])
    const second = await history(2, ['automatic', 'automatic'])
    const third = await history(3, ['automatic'])
    const later = { keep: 1, sinceMs: storedAt(9, 0) }
    await pruneJournal(sql, store, { keep: 1, sinceMs: storedAt(3, 0) - 1 })
    expect(await eras(sql).list()).toMatchObject([
      { era: 2, snapshotId: second[1] },
      { era: 3, snapshotId: third[0] },
    ])
    expect((await kept(1, 0)).clocks).toEqual([])
    expect(await journal(sql).digests(keyOf(1), { from: 0, to: 2 * EPOCH })).toEqual([])
    expect((await kept(2, 0)).rows).toHaveLength(10)
    await pruneJournal(sql, store, later)
    expect(await eras(sql).list()).toMatchObject([{ era: 3, snapshotId: third[0] }])
    expect((await kept(3, 0)).rows).toHaveLength(10)
    await store.prune({ keep: 1, apartMs: 1 })
    expect((await store.list()).map(({ id }) => id)).toEqual([third[0], admin])
    expect((await store.byId(admin))?.era, "an admin's of a forgotten era").toBe(1)
  })

  it('an era whose digests differed stays whole while the one after it does', async () => {
    const { sql } = database
    const store = snapshots(sql)
    const [first] = await history(1, ['automatic', 'automatic'])
    await history(2, ['automatic'])
    await sql`update era set reason = 'mismatch' where era = 2`
    const later = { keep: 1, sinceMs: storedAt(9, 0) }
    await pruneJournal(sql, store, later)
    expect(await eras(sql).byNumber(1)).toMatchObject({ snapshotId: first })
    expect((await kept(1, 0)).rows).toHaveLength(20)
    await history(3, ['automatic'])
    await pruneJournal(sql, store, later)
    await pruneJournal(sql, store, later)
    expect(await eras(sql).list()).toMatchObject([{ era: 3 }])
  })

  it('hand-offs go with the journal before, but for ships in transit', async () => {
    const { sql } = database
    const store = snapshots(sql)
    await history(1, ['automatic', 'automatic'])
    const owner = await claimed(sql)
    const { lattice: start } = newClock(10)
    const departures = ['arrived', 'in transit'].flatMap((shipId) =>
      [start - 1, start].map((lattice) => {
        return {
          ...newHandOff({ shipId, lattice }),
          state: shipId === 'arrived' ? ('arrived' as const) : ('departed' as const),
        }
      }),
    )
    for (const era of [1, 2])
      await journal(sql).append(newBatch(21, 21, { era, owner, departures }))
    const keeping = { keep: 1, sinceMs: storedAt(2, 0) }
    await pruneJournal(sql, store, keeping)
    const left = await sql`
      select ship_id as ship, lattice::float8 - ${start} as at from hand_off where era = 1
      order by ship, at`
    expect(left.map(({ ship, at }) => [ship, at])).toEqual([
      ['arrived', 0],
      ['in transit', -1],
      ['in transit', 0],
    ])
    await history(2, ['automatic'])
    await pruneJournal(sql, store, keeping)
    expect(await journal(sql).inTransit(1), 'of a forgotten era').toEqual([])
    expect(await journal(sql).inTransit(2)).toHaveLength(2)
  })

  it('no journal is dropped for a snapshot that does not open', async () => {
    const { sql } = database
    const reported: number[] = []
    const store = snapshots(sql, ({ id }) => reported.push(id))
    const ids = await history(1, ['automatic', 'automatic', 'automatic', 'automatic'])
    const keeping = { keep: 1, sinceMs: storedAt(1, 2) }
    await sql`update snapshot set checksum = 'x' where id = ${ids[2]}`
    await pruneJournal(sql, store, keeping)
    expect(reported).toEqual([ids[2]])
    expect(await eras(sql).byNumber(1)).toMatchObject({ snapshotId: ids[1] })
    await sql`update snapshot set checksum = 'x'`
    const all = await kept(1, 0)
    await pruneJournal(sql, store, keeping)
    expect(await kept(1, 0)).toEqual(all)
  })

  it('an era begins once', async () => {
    const { sql } = database
    const store = snapshots(sql)
    const [first] = await history(1, ['automatic', 'automatic'])
    const other = await store.store(newSnapshot(5))
    const era = { era: 1, reason: 'restored', physics: 1 } as const
    await eras(sql).open({ ...era, snapshotId: first })
    await expect(eras(sql).open({ ...era, snapshotId: other })).rejects.toMatchObject({
      code: 'ERR_ERA_EXISTS',
    })
    expect(await eras(sql).list()).toEqual([
      { era: 1, reason: 'new', snapshotId: first, physics: 1, openedAt: expect.any(Date) },
    ])
    expect(await eras(sql).byNumber(2)).toBeUndefined()
    // What failed on the way into an era is older than its first, and never gone on from.
    const abandoned = await store.store(newSnapshot(0, { era: 2 }))
    const begun = await store.store(newSnapshot(0, { era: 2 }))
    await eras(sql).open({ era: 2, reason: 'restored', snapshotId: begun, physics: 1 })
    await sql`update snapshot set checksum = 'x' where id = ${begun}`
    expect(await store.newest(2)).toBeUndefined()
    expect(await store.byId(abandoned)).toBeDefined()
  })
}
