import type { Database } from '@orrery/database'
import { expect, it } from 'vitest'
import { type NewSnapshot, type UnusableSnapshot, snapshots } from '../src/index.ts'

const BIG_BYTES = 20 * 1024 * 1024
const SEED = 20_260_101

/** Bytes of a linear congruential generator, half of them zero: compressible, but not away. */
function noise(length: number, seed: number): Uint8Array {
  const bytes = new Uint8Array(length)
  let state = seed
  for (let at = 0; at < length; at += 2) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    bytes[at] = state >>> 24
  }
  return bytes
}

function newSnapshot(more: Partial<NewSnapshot> = {}): NewSnapshot {
  return {
    era: 1,
    kind: 'automatic',
    tick: 42,
    lattice: 53_000_000_001,
    gameTime: new Date('2026-03-01T12:00:00.250Z'),
    header: { columns: [{ name: 'position', type: 'f64', components: 3 }] },
    bytes: noise(1000, SEED),
    ...more,
  }
}

export function snapshotLaws(database: () => Database): void {
  it(`a state of 20 MB comes back bit for bit (seed ${SEED})`, async () => {
    const { sql } = database()
    const store = snapshots(sql)
    const snapshot = newSnapshot({ bytes: noise(BIG_BYTES, SEED), kind: 'admin' })
    const id = await store.store(snapshot)
    const [parts] = await sql`
      select count(*)::int as count, max(length(bytes)) as longest from snapshot_part`
    expect(parts?.['count']).toBeGreaterThan(40)
    expect(parts?.['longest']).toBe(256 * 1024)
    const loaded = await store.newest()
    expect(loaded).toMatchObject({ id, era: 1, kind: 'admin', tick: 42, lattice: 53_000_000_001 })
    expect(loaded?.gameTime).toEqual(snapshot.gameTime)
    expect(loaded?.header).toEqual(snapshot.header)
    expect(Buffer.compare(loaded?.bytes ?? new Uint8Array(), snapshot.bytes)).toBe(0)
    await sql`delete from snapshot`
  })

  it('an empty state and the largest exact numbers are stored, inexact ones refused', async () => {
    const store = snapshots(database().sql)
    const lattice = Number.MAX_SAFE_INTEGER
    const id = await store.store(newSnapshot({ bytes: new Uint8Array(), lattice }))
    expect(await store.byId(id)).toMatchObject({ lattice, byteCount: 0 })
    for (const tick of [0.5, Number.NaN, 2 ** 53]) {
      const refusal = { code: 'ERR_SNAPSHOT_INVALID' }
      await expect(store.store(newSnapshot({ tick }))).rejects.toMatchObject(refusal)
    }
    expect(await store.byId(id + 1000)).toBeUndefined()
    expect(await store.byId(0.5)).toBeUndefined()
    await database().sql`delete from snapshot`
  })

  it('incomplete and damaged snapshots are passed over and reported', async () => {
    const { sql } = database()
    const unusable: UnusableSnapshot[] = []
    const store = snapshots(sql, (snapshot) => unusable.push(snapshot))
    const bytes = noise(BIG_BYTES / 8, SEED)
    const good = await store.store(newSnapshot({ bytes }))
    const otherEra = await store.store(newSnapshot({ era: 2 }))
    const [flipped, short, long, unfinished] = [
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
    await sql`update snapshot set complete = false where id = ${unfinished}`

    expect((await store.newest(1))?.id).toBe(good)
    expect(unusable).toEqual([
      { id: unfinished, reason: 'incomplete' },
      { id: long, reason: expect.stringMatching(/^\d+ bytes, not \d+$/u) },
      { id: short, reason: expect.stringMatching(/^part 2 of \d+ is missing$/u) },
      { id: flipped, reason: 'the checksum does not match' },
    ])
    expect((await store.newest(2))?.id).toBe(otherEra)
    expect(await store.newest(3)).toBeUndefined()
    expect(await store.byId(unfinished)).toBeUndefined()
    expect((await store.list()).map(({ id }) => id)).toEqual([long, short, flipped, otherEra, good])
    await sql`delete from snapshot`
  })

  it('a write that fails half way leaves no snapshot behind', async () => {
    const { sql } = database()
    const reports: UnusableSnapshot[] = []
    const store = snapshots(sql, (snapshot) => reports.push(snapshot))
    const good = await store.store(newSnapshot())
    await sql`alter table snapshot_part add constraint full_disk check (ordinal < 2)`
    await expect(store.store(newSnapshot({ bytes: noise(BIG_BYTES / 8, SEED) }))).rejects.toThrow(
      'full_disk',
    )
    await sql`alter table snapshot_part drop constraint full_disk`
    expect((await store.newest())?.id).toBe(good)
    expect(reports.map(({ reason }) => reason)).toEqual(['incomplete'])
    await sql`delete from snapshot`
  })

  it('pruning keeps the newest of a kind, the spared and other kinds', async () => {
    const { sql } = database()
    const store = snapshots(sql)
    const ids: number[] = []
    for (let n = 0; n < 6; n += 1) ids.push(await store.store(newSnapshot()))
    const admin = await store.store(newSnapshot({ kind: 'admin' }))
    await sql`update snapshot set complete = false where id in (${ids[2] ?? 0}, ${ids[5] ?? 0})`
    const options = { kind: 'automatic', keep: 2, spare: [ids[0] ?? 0] } as const
    expect(await store.prune(options)).toBe(1)
    expect((await store.list()).map(({ id }) => id)).toEqual([admin, ids[4], ids[3], ids[0]])
    const [kept] = await sql`
      select (select count(*)::int from snapshot) as snapshots,
        (select count(*)::int from snapshot_part) as parts`
    // The incomplete one above the newest may still be in the making.
    expect(kept).toEqual({ snapshots: 5, parts: 5 })
    expect(await store.prune(options)).toBe(0)
    expect((await store.list('admin')).map(({ id }) => id)).toEqual([admin])
    await sql`delete from snapshot`
  })
}
