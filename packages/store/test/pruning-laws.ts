import type { Database } from '@orrery/database'
import { expect, it } from 'vitest'
import {
  type NewSnapshot,
  type SnapshotKind,
  claimWorld,
  eras,
  journal,
  pruneJournal,
  snapshots,
} from '../src/index.ts'
import { EPOCH, keyOf, newBatch, newClock, newDigest, newHandOff, newRow } from './journal-batch.ts'

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
    const fence = await claimWorld(sql)
    const ids: number[] = []
    for (const [index, kind] of kinds.entries()) {
      const sequence = 10 * index
      const snapshotId = await snapshots(sql).store(newSnapshot(sequence, { era, kind }))
      ids.push(snapshotId)
      if (index === 0) await eras(sql).open({ era, reason: 'new', snapshotId, physics: 1 })
      const digests = [newDigest(newClock(sequence).lattice, 'd')]
      const batch = newBatch(sequence + 1, sequence + 10, { era, fence, digests })
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
  })

  it('a pruned journal begins with the oldest snapshot that is kept', async () => {
    const { sql } = database
    const store = snapshots(sql)
    const ids = await history(1, ['automatic', 'automatic', 'automatic', 'stop'])
    await pruneJournal(sql, store, { keep: 2 })
    expect(await eras(sql).byNumber(1)).toMatchObject({ snapshotId: ids[2], reason: 'new' })
    const rest = await kept(1, 0)
    expect(rest.rows).toEqual(Array.from({ length: 20 }, (_, index) => 21 + index))
    expect(rest.clocks).toEqual([20, 30, 40])
    expect(await journal(sql).digests(keyOf(1), { from: 0, to: 2 * EPOCH })).toHaveLength(2)
    expect(await store.prune({ keep: 2 })).toBe(2)
    expect((await store.list()).map(({ id }) => id)).toEqual([ids[3], ids[2]])
    await pruneJournal(sql, store, { keep: 2 })
    expect(await kept(1, 0)).toEqual(rest)
  })

  it('of the journal of all systems together, a snapshot by systems needs nothing', async () => {
    const { sql } = database
    await history(1, ['automatic'])
    const fence = await claimWorld(sql)
    const rows = [newRow(1, { systemId: '' }), newRow(2, { systemId: '' })]
    await journal(sql).append(newBatch(1, 0, { fence, rows, sequences: { '': 2 } }))
    const left = () => sql`select sequence from journal where system = '' order by sequence`
    const store = snapshots(sql)
    await store.store(newSnapshot(1, { sequences: { '': 1 } }))
    await pruneJournal(sql, store, { keep: 1 })
    expect(await left()).toEqual([{ sequence: '2' }])
    await store.store(newSnapshot(2))
    await pruneJournal(sql, store, { keep: 1 })
    expect(await left()).toEqual([])
    expect((await kept(1, 2)).rows).toHaveLength(8)
  })

  it('an era is forgotten with its last snapshot, the newest never', async () => {
    const { sql } = database
    const store = snapshots(sql)
    await history(1, ['automatic', 'automatic'])
    const second = await history(2, ['automatic', 'admin', 'automatic'])
    const third = await history(3, ['automatic'])
    await pruneJournal(sql, store, { keep: 1 })
    expect(await eras(sql).list()).toMatchObject([
      { era: 2, snapshotId: second[1] },
      { era: 3, snapshotId: third[0] },
    ])
    expect((await kept(1, 0)).clocks).toEqual([])
    expect(await journal(sql).digests(keyOf(1), { from: 0, to: 2 * EPOCH })).toEqual([])
    expect((await kept(2, 0)).rows).toHaveLength(20)
    expect((await kept(3, 0)).rows).toHaveLength(10)
    await store.prune({ keep: 1 })
    expect((await store.list()).map(({ id }) => id)).toEqual([third[0], second[1]])
    await pruneJournal(sql, store, { keep: 0 })
    expect((await kept(3, 0)).rows).toHaveLength(10)
    await store.store(newSnapshot(0, { era: 3 }))
    expect(await store.prune({ keep: 0 })).toBe(1)
  })

  it('hand-offs go with the journal before, but for ships in transit', async () => {
    const { sql } = database
    const store = snapshots(sql)
    await history(1, ['automatic', 'automatic'])
    const fence = await claimWorld(sql)
    const { lattice: start } = newClock(10)
    const departures = ['arrived', 'in transit'].flatMap((shipId) =>
      [start - 1, start].map((lattice) => {
        return { ...newHandOff({ shipId, lattice }), arrived: shipId === 'arrived' }
      }),
    )
    for (const era of [1, 2])
      await journal(sql).append(newBatch(21, 21, { era, fence, departures }))
    await pruneJournal(sql, store, { keep: 1 })
    const left = await sql`
      select ship_id as ship, lattice::float8 - ${start} as at from hand_off where era = 1
      order by ship, at`
    expect(left.map(({ ship, at }) => [ship, at])).toEqual([
      ['arrived', 0],
      ['in transit', -1],
      ['in transit', 0],
    ])
    await history(2, ['automatic'])
    await pruneJournal(sql, store, { keep: 1 })
    expect(await journal(sql).inTransit(1), 'of a forgotten era').toEqual([])
    expect(await journal(sql).inTransit(2)).toHaveLength(2)
  })

  it('no journal is dropped for a snapshot that does not open', async () => {
    const { sql } = database
    const reported: number[] = []
    const store = snapshots(sql, ({ id }) => reported.push(id))
    const ids = await history(1, ['automatic', 'automatic', 'automatic'])
    await sql`update snapshot set checksum = 'x' where id = ${ids[1]}`
    await pruneJournal(sql, store, { keep: 2 })
    expect(reported).toEqual([ids[1]])
    expect(await eras(sql).byNumber(1)).toMatchObject({ snapshotId: ids[2] })
    await sql`update snapshot set checksum = 'x'`
    const all = await kept(1, 0)
    await history(2, ['automatic'])
    await pruneJournal(sql, store, { keep: 2 })
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
