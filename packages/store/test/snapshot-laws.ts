import type { Database } from '@orrery/database'
import { createChance } from '@orrery/testkit'
import { byTier } from '@orrery/testkit/tier'
import { expect, it } from 'vitest'
import { type NewSnapshot, type UnusableSnapshot, snapshots } from '../src/index.ts'

const BIG_MB = byTier({ gate: 5, night: 20 })

/** Three parts, packed. */
const SOME_BYTES = 320 * 1024
const SEED = 20_260_101

/** Random bytes, half of them zero: compressible, but not away. */
function noise(length: number, seed: number): Uint8Array {
  const bytes = new Uint8Array(length)
  const chance = createChance(seed)
  for (let at = 0; at < length; at += 2) bytes[at] = chance.below(256)
  return bytes
}

function newSnapshot(more: Partial<NewSnapshot> = {}): NewSnapshot {
  return {
    era: 1,
    kind: 'automatic',
    tick: 42,
    lattice: 53_000_000_001,
    sequences: { sol: 7, alpha: 2 ** 53 - 1 },
    physics: 1,
    gameTime: new Date('2026-03-01T12:00:00.250Z'),
    header: { columns: [{ name: 'position', type: 'f64', components: 3 }] },
    bytes: noise(1000, SEED),
    ...more,
  }
}

export function snapshotLaws(database: Database): void {
  it(`a state of ${BIG_MB} MB comes back bit for bit (seed ${SEED})`, async () => {
    const { sql } = database
    const store = snapshots(sql)
    const snapshot = newSnapshot({ bytes: noise(BIG_MB * 2 ** 20, SEED), kind: 'admin' })
    const id = await store.store(snapshot)
    const [parts] = await sql`
      select count(*)::int as count, max(length(bytes)) as longest from snapshot_part`
    expect(parts?.['count']).toBeGreaterThan(40)
    expect(parts?.['longest']).toBe(64 * 1024)
    const loaded = await store.newest()
    expect(loaded).toMatchObject({ id, era: 1, kind: 'admin', tick: 42, lattice: 53_000_000_001 })
    expect(loaded?.gameTime).toEqual(snapshot.gameTime)
    expect(loaded?.header).toEqual(snapshot.header)
    expect(loaded?.sequences).toEqual(snapshot.sequences)
    expect(Buffer.compare(loaded?.bytes ?? new Uint8Array(), snapshot.bytes)).toBe(0)
    await sql`delete from snapshot`
  })

  it('an empty state and the largest exact numbers are stored, inexact ones refused', async () => {
    const store = snapshots(database.sql)
    const lattice = Number.MAX_SAFE_INTEGER
    const id = await store.store(newSnapshot({ bytes: new Uint8Array(), lattice }))
    expect(await store.byId(id)).toMatchObject({ lattice, byteCount: 0 })
    for (const name of ['tick', 'lattice']) {
      for (const value of [0.5, Number.NaN, 2 ** 53]) {
        const refusal = { code: 'ERR_SNAPSHOT_INVALID' }
        await expect(store.store(newSnapshot({ [name]: value }))).rejects.toMatchObject(refusal)
      }
    }
    expect(await store.byId(id + 1000)).toBeUndefined()
    expect(await store.byId(0.5)).toBeUndefined()
    await database.sql`delete from snapshot`
  })

  it('incomplete and damaged snapshots are passed over and reported', async () => {
    const { sql } = database
    const unusable: UnusableSnapshot[] = []
    const store = snapshots(sql, (snapshot) => unusable.push(snapshot))
    const bytes = noise(SOME_BYTES, SEED)
    const good = await store.store(newSnapshot({ bytes }))
    const otherEra = await store.store(newSnapshot({ era: 2 }))
    const [flipped, short, long, foreign, unfinished] = [
      await store.store(newSnapshot({ bytes })),
      await store.store(newSnapshot({ bytes })),
      await store.store(newSnapshot({ bytes })),
      await store.store(newSnapshot({ bytes })),
      await store.store(newSnapshot({ bytes })),
    ]
    await sql`
      update snapshot_part set bytes = set_bit(bytes, 12345, 1 - get_bit(bytes, 12345))
      where snapshot_id = ${flipped} and ordinal = 1`
    await sql`delete from snapshot_part where snapshot_id = ${short} and ordinal = 2`
    await sql`update snapshot set byte_count = byte_count + 1 where id = ${long}`
    await sql`update snapshot_part set bytes = 'no zstd' where snapshot_id = ${foreign}`
    await sql`
      update snapshot set checksum = (select encode(sha256(string_agg(bytes, '' order by ordinal)),
        'hex') from snapshot_part where snapshot_id = ${foreign}) where id = ${foreign}`
    await sql`update snapshot set complete = false where id = ${unfinished}`
    const before =
      await sql`select *, md5(bytes) from snapshot join snapshot_part on id = snapshot_id`

    expect((await store.newest(1))?.id).toBe(good)
    expect(unusable).toEqual([
      { id: unfinished, reason: 'incomplete' },
      { id: foreign, reason: expect.stringMatching(/^not \d+ bytes compressed by zstd: /u) },
      { id: long, reason: expect.stringMatching(/^\d+ bytes, not \d+$/u) },
      { id: short, reason: expect.stringMatching(/^part 2 of \d+ is missing$/u) },
      { id: flipped, reason: 'the checksum does not match' },
    ])
    expect((await store.newest(2))?.id).toBe(otherEra)
    expect(await store.newest(3)).toBeUndefined()
    expect(await store.byId(unfinished)).toBeUndefined()
    expect((await store.list()).map(({ id }) => id)).toEqual([
      foreign,
      long,
      short,
      flipped,
      otherEra,
      good,
    ])
    // The evidence stays as it was.
    expect(
      await sql`select *, md5(bytes) from snapshot join snapshot_part on id = snapshot_id`,
    ).toEqual(before)
    await sql`delete from snapshot`
  })

  it('a write that fails half way leaves no snapshot behind', async () => {
    const { sql } = database
    const reports: UnusableSnapshot[] = []
    const store = snapshots(sql, (snapshot) => reports.push(snapshot))
    const good = await store.store(newSnapshot())
    await sql`alter table snapshot_part add constraint full_disk check (ordinal < 2)`
    await expect(store.store(newSnapshot({ bytes: noise(SOME_BYTES, SEED) }))).rejects.toThrow(
      'full_disk',
    )
    await sql`alter table snapshot_part drop constraint full_disk`
    expect((await store.newest())?.id).toBe(good)
    expect(reports.map(({ reason }) => reason)).toEqual(['incomplete'])
    await sql`delete from snapshot`
  })

  it('a snapshot exists only when the journal holds what is in it', async () => {
    const { sql } = database
    const store = snapshots(sql)
    const good = await store.store(newSnapshot())
    const seen: unknown[] = []
    const durable = async (): Promise<void> => {
      seen.push((await store.newest())?.id)
      // One being written is no leftover.
      await store.prune({ keep: 2 })
    }
    const id = await store.store(newSnapshot({ durable }))
    expect(seen).toEqual([good])
    expect((await store.newest())?.id).toBe(id)
    const lost = new Error('fenced')
    const never = store.store(newSnapshot({ durable: () => Promise.reject(lost) }))
    await expect(never).rejects.toBe(lost)
    expect((await store.newest())?.id).toBe(id)
    await sql`delete from snapshot`
  })

  it('pruning clears away what interruptions left, not what may be in the making', async () => {
    const { sql } = database
    const store = snapshots(sql)
    const ids: number[] = []
    for (let n = 0; n < 6; n += 1) ids.push(await store.store(newSnapshot()))
    const admin = await store.store(newSnapshot({ kind: 'admin' }))
    const writing = await store.store(newSnapshot())
    await sql`
      update snapshot set complete = false where id in ${sql([ids[2], ids[5], admin, writing])}`
    expect(await store.prune({ keep: 2 })).toBe(2)
    expect((await store.list()).map(({ id }) => id)).toEqual([ids[4], ids[3]])
    const left = await sql<{ id: string }[]>`select id from snapshot order by id`
    expect(left.map(({ id }) => Number(id))).toEqual([ids[3], ids[4], ids[5], admin, writing])
    const [{ orphans }] = await sql<[{ orphans: number }]>`
      select count(*)::int as orphans from snapshot_part
      where snapshot_id not in (select id from snapshot)`
    expect(orphans).toBe(0)
    await sql`delete from snapshot`
  })
}
