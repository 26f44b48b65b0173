import { randomUUID } from 'node:crypto'
import type { Database } from '@orrery/database'
import { createChance, testSeed } from '@orrery/testkit'
import { byTier } from '@orrery/testkit/tier'
import { beforeEach, expect, it } from 'vitest'
import {
  type JournalBatch,
  type NewJournalBatch,
  accounts,
  audit,
  journal,
  type Ownership,
} from '../src/index.ts'
import {
  claimed,
  collected,
  EPOCH,
  keyOf,
  newAccount,
  newBatch,
  newClock,
  newDigest,
  newRow,
  readBatch,
  untilWaiting,
} from './journal-batch.ts'

function sequences(batches: readonly JournalBatch[]): number[][] {
  return batches.map(({ rows }) => rows.map(({ sequence }) => sequence))
}

/** Doubles of random bits, all magnitudes and denormals among them; no NaN and no infinity. */
function randomDoubles(count: number, seed: number): number[] {
  const view = new DataView(new ArrayBuffer(8))
  const chance = createChance(seed)
  const doubles: number[] = []
  while (doubles.length < count) {
    view.setUint32(0, chance.below(2 ** 32))
    view.setUint32(4, chance.below(2 ** 32))
    const double = view.getFloat64(0)
    if (Number.isFinite(double)) doubles.push(double)
  }
  return doubles
}

export function journalLaws(database: Database): void {
  let owner: Ownership
  beforeEach(async () => {
    owner = await claimed(database.sql)
  })

  it('commands come back in order, batch by batch, each with its clock', async () => {
    const kept = journal(database.sql)
    const actor = randomUUID()
    const first = newBatch(1, 3, { owner, rows: [newRow(1, { actor }), newRow(3)] })
    const second = newBatch(4, 4, { owner })
    const idle = newBatch(5, 4, {
      owner,
      clock: newClock(4, { lattice: EPOCH + 99, paused: true }),
    })
    const third = newBatch(5, 9, { owner })
    const otherEra = newBatch(1, 2, { owner, era: 2 })
    for (const batch of [first, second, idle, third, otherEra]) {
      expect((await kept.append(batch)).refused.size).toBe(0)
    }
    // The idle clock replaces that of the second batch.
    const all = [
      readBatch(first),
      { ...readBatch(second), clock: readBatch(idle).clock },
      readBatch(third),
    ]
    expect(await collected(kept.batches(keyOf(1), 0))).toEqual(all)
    expect(await collected(kept.batches(keyOf(1), 3))).toEqual([
      { rows: [], clock: readBatch(first).clock },
      ...all.slice(1),
    ])
    expect(await collected(kept.batches(keyOf(1), 9))).toEqual([
      { rows: [], clock: readBatch(third).clock },
    ])
    expect(sequences(await collected(kept.batches(keyOf(1), 6)))).toEqual([[7, 8, 9]])
    expect(await collected(kept.batches(keyOf(1), 10))).toEqual([])
    expect(await collected(kept.batches(keyOf(2), 0))).toEqual([readBatch(otherEra)])
    expect(await collected(kept.batches(keyOf(3), 0))).toEqual([])
  })

  it('a clock that is replaced goes, and the commands before it belong to the next', async () => {
    const kept = journal(database.sql)
    const first = newBatch(1, 2, { owner })
    const second = newBatch(3, 4, { owner, replaced: { sol: 2, alpha: 2 } })
    for (const batch of [first, second, second]) await kept.append(batch)
    const { rows, clock } = readBatch(second)
    const all = [{ rows: [...readBatch(first).rows, ...rows], clock }]
    expect(await collected(kept.batches(keyOf(1), 0))).toEqual(all)
  })

  it('numbers in commands and clocks come back bit for bit', async () => {
    const kept = journal(database.sql)
    const edges = [
      5e-324,
      2.225_073_858_507_201e-308,
      1e308,
      1.797_693_134_862_315_7e308,
      0.1,
      2 ** 53,
    ]
    const doubles = [
      ...edges,
      ...edges.map((edge) => -edge),
      ...randomDoubles(2000, testSeed('journalled numbers')),
    ]
    const rows = [newRow(1, { command: { kind: 'x', doubles } })]
    const clock = newClock(1, {
      lattice: Number.MAX_SAFE_INTEGER,
      tick: Number.MAX_SAFE_INTEGER,
      tickRate: 0.1 + 0.2,
      timeScale: 5e-324,
      remainder: ['123456789012345678901234567890', '9'.repeat(60)],
    })
    await kept.append(newBatch(1, 1, { owner, rows, clock }))
    const [batch] = await collected(kept.batches(keyOf(1), 0))
    expect(batch.clock).toEqual({ ...clock, sequence: 1 })
    const read = Object(batch.rows[0].command).doubles
    expect(Buffer.from(new Float64Array(read).buffer)).toEqual(
      Buffer.from(new Float64Array(doubles).buffer),
    )
  })

  it('a batch whose answer was lost is written once, whatever it brought along', async () => {
    const kept = journal(database.sql)
    let runs = 0
    const alongside: NewJournalBatch['alongside'] = [
      async ({ accounts: players, audit: trail }) => {
        runs += 1
        await players.create(newAccount('Ripley'))
        await trail.record({ action: 'register' })
      },
    ]
    const digests = [newDigest(4096, 'abc')]
    const batches = [
      newBatch(1, 2, { owner, digests, alongside }),
      newBatch(3, 2, { owner, clock: newClock(2, { lattice: EPOCH + 50 }) }),
      newBatch(3, 5, { owner }),
    ]
    for (const batch of batches) {
      await kept.append(batch)
      const before = await collected(kept.batches(keyOf(1), 0))
      expect((await kept.append(batch)).refused.size).toBe(0)
      expect(await collected(kept.batches(keyOf(1), 0))).toEqual(before)
    }
    expect(sequences(await collected(kept.batches(keyOf(1), 0)))).toEqual([
      [1, 2],
      [3, 4, 5],
    ])
    expect(runs).toBe(1)
    expect(await accounts(database.sql).list()).toHaveLength(1)
    expect(await audit(database.sql).list({ limit: 9 })).toHaveLength(1)
  })

  it('what cannot be written alongside is reported, and the rest is written', async () => {
    const { sql } = database
    const kept = journal(sql)
    await accounts(sql).create(newAccount('Dallas'))
    const mishap = new Error('of the caller')
    const alongside: NewJournalBatch['alongside'] = [
      async ({ accounts: players, audit: trail }) => {
        await trail.record({ action: 'undone' })
        await players.create(newAccount('dallas'))
      },
      async ({ accounts: players }) => void (await players.create(newAccount('Kane'))),
      async ({ audit: trail }) => {
        const actor = { playerId: 'stranger', username: 'Stranger' }
        await trail.record({ action: 'no uuid', actor })
      },
      async () => {
        throw mishap
      },
      async ({ audit: trail }) => trail.record({ action: 'done' }),
    ]
    const batch = newBatch(1, 2, { owner, alongside })
    const { refused } = await kept.append(batch)
    expect([...refused]).toEqual([
      [0, expect.objectContaining({ code: 'ERR_USERNAME_TAKEN' })],
      [2, expect.objectContaining({ code: '22P02' })],
      [3, mishap],
    ])
    expect(sequences(await collected(kept.batches(keyOf(1), 0)))).toEqual([[1, 2]])
    expect((await accounts(sql).list()).map(({ username }) => username)).toEqual(['Dallas', 'Kane'])
    expect((await audit(sql).list({ limit: 9 })).map(({ action }) => action)).toEqual(['done'])
    // The same answer once more, had it been lost.
    expect([...(await kept.append(batch)).refused.keys()]).toEqual([0, 2, 3])
    expect((await audit(sql).list({ limit: 9 })).map(({ action }) => action)).toEqual(['done'])
    // Unless what stood in the way has gone: then it is written, once.
    await sql`delete from account where username = 'Dallas'`
    expect([...(await kept.append(batch)).refused.keys()]).toEqual([2, 3])
    expect([...(await kept.append(batch)).refused.keys()]).toEqual([2, 3])
    const actions = (await audit(sql).list({ limit: 9 })).map(({ action }) => action)
    expect(actions).toEqual(['undone', 'done'])
  })

  it('a batch that cannot be is kept in no part', async () => {
    const kept = journal(database.sql)
    const alongside: NewJournalBatch['alongside'] = [
      async ({ audit: trail }) => trail.record({ action: 'x' }),
    ]
    const invalid = [
      newBatch(1, 2, { owner, rows: [newRow(2), newRow(2)] }),
      newBatch(1, 2, { owner, rows: [newRow(2), newRow(1)] }),
      newBatch(1, 2, { owner, rows: [newRow(Number.NaN)] }),
      newBatch(1, 2, { owner, sequences: { sol: 1 } }),
      newBatch(1, 2, { owner, sequences: { alpha: 2 } }),
      newBatch(1, 0, { owner, alongside }),
    ]
    for (const batch of invalid) {
      await expect(kept.append(batch)).rejects.toMatchObject({ code: 'ERR_JOURNAL_INVALID' })
    }
    const digests = [newDigest(0.5, 'x')]
    await expect(kept.append(newBatch(1, 2, { owner, digests }))).rejects.toThrow('bigint')
    await expect(kept.append(newBatch(1, 2, { owner, digests, alongside }))).rejects.toThrow(
      'bigint',
    )
    const actor = 'stranger'
    await expect(
      kept.append(newBatch(1, 2, { owner, rows: [newRow(1), newRow(2, { actor })] })),
    ).rejects.toThrow('uuid')
    await kept.append(newBatch(2, 3, { owner }))
    // Another batch with a used number is refused, not ignored.
    await expect(kept.append(newBatch(3, 4, { owner }))).rejects.toThrow('journal_pkey')
    expect(sequences(await collected(kept.batches(keyOf(1), 0)))).toEqual([[2, 3]])
    expect(await audit(database.sql).list({ limit: 1 })).toEqual([])
  })

  it('a fenced owner writes nothing more, alongside included', async () => {
    const { sql } = database
    const kept = journal(sql)
    await kept.append(newBatch(1, 1, { owner }))
    const next = await claimed(sql)
    expect(next.claims().get('sol')?.fence).toBe((owner.claims().get('sol')?.fence ?? NaN) + 1)
    const alongside: NewJournalBatch['alongside'] = [
      async ({ audit: trail }) => trail.record({ action: 'x' }),
    ]
    const digests = [newDigest(4096, 'abc')]
    for (const batch of [
      newBatch(2, 2, { owner, digests }),
      newBatch(2, 2, { owner, digests, alongside }),
      newBatch(2, 1, { owner, clock: newClock(1, { lattice: EPOCH + 99 }) }),
      // Even what it had kept: others may have gone on from there.
      newBatch(1, 1, { owner }),
    ]) {
      await expect(kept.append(batch)).rejects.toMatchObject({ code: 'ERR_FENCED' })
    }
    const all = await collected(kept.batches(keyOf(1), 0))
    expect(all).toEqual([readBatch(newBatch(1, 1, { owner }))])
    expect(await kept.digests(keyOf(1), { from: 0, to: 9999 })).toEqual([])
    expect(await audit(sql).list({ limit: 1 })).toEqual([])
    owner = next
    await kept.append(newBatch(2, 2, { owner }))
  })

  it('a claim waits for a batch without accounts that is being written', async () => {
    const { sql } = database
    const kept = journal(sql)
    const blocked = Promise.withResolvers<void>()
    const release = Promise.withResolvers<never>()
    // The same row, uncommitted: the batch locks the owner, then waits for its end.
    const blocker = sql.begin(async (transaction) => {
      await transaction`
        insert into journal (era, system, sequence, lattice, command)
        values (1, 'sol', 1, 0, '{}')`
      blocked.resolve()
      await release.promise
    })
    await blocked.promise
    const writing = kept.append(newBatch(1, 1, { owner }))
    let first = ''
    const claim = untilWaiting(sql, 1)
      .then(() => claimed(sql))
      .finally(() => (first ||= 'claim'))
    const both = untilWaiting(sql, 2).then(() => (first ||= 'both wait'))
    await Promise.race([claim, both])
    release.reject(new Error('rolled back'))
    await expect(blocker).rejects.toThrow('rolled back')
    await writing
    await claim
    expect(first).toBe('both wait')
    expect(await collected(kept.batches(keyOf(1), 0))).toHaveLength(1)
  })

  it.each(['08006', '25006', '40001', '53100', '55P03', '57P01', '58030', 'XX000', 'ECONNRESET'])(
    'error %s of something alongside fails its batch; others are refused alone',
    async (code) => {
      const kept = journal(database.sql)
      const failing: NewJournalBatch['alongside'] = [
        () => Promise.reject(Object.assign(new Error('failed'), { code })),
      ]
      const batch = newBatch(1, 1, { owner, alongside: failing })
      await expect(kept.append(batch)).rejects.toMatchObject({ code })
      expect(await collected(kept.batches(keyOf(1), 0))).toEqual([])
      const taken: NewJournalBatch['alongside'] = [
        () => Promise.reject(Object.assign(new Error('taken'), { code: '23505' })),
      ]
      const { refused } = await kept.append({ ...batch, alongside: taken })
      expect(refused.get(0)).toMatchObject({ code: '23505' })
    },
  )

  it('a claim waits for a batch with accounts, and fences later ones', async () => {
    const { sql } = database
    const kept = journal(sql)
    let seen: ReturnType<typeof collected> | undefined
    let open = (): void => {}
    const gate = new Promise<void>((pass) => {
      open = pass
    })
    let claim: Promise<Ownership> | undefined
    let late: Promise<unknown> | undefined
    const inFlight = kept.append(
      newBatch(1, 1, {
        owner,
        alongside: [
          async ({ audit: trail }) => {
            await trail.record({ action: 'in flight' })
            claim = claimed(sql)
            seen = claim.then(() => collected(kept.batches(keyOf(1), 0)))
            // With what it showed before the claim.
            late = claim
              .then(() => kept.append(newBatch(2, 2, { owner })))
              .catch((error: unknown) => error)
            await trail.list({ limit: 1 })
            open()
            await gate
          },
        ],
      }),
    )
    await inFlight
    await claim
    expect(sequences((await seen) ?? [])).toEqual([[1]])
    expect(await late).toMatchObject({ code: 'ERR_FENCED' })
    expect(sequences(await collected(kept.batches(keyOf(1), 0)))).toEqual([[1]])
  })

  it('a long journal is read page by page, and others find the database free between', async () => {
    const { sql } = database
    const kept = journal(sql)
    // Batches of 1, 2 ... 99 commands, and so on again: none ends where a page does.
    const count = 4950 * byTier({ gate: 2, night: 5 })
    await sql`
      insert into journal (era, system, sequence, lattice, command)
      select 1, 'sol', n, n, jsonb_build_object('n', n) from generate_series(1, ${count}::int) as n`
    const columns = sql`era, system, sequence, lattice, remainder, denominator, tick, tick_rate,
      time_scale, paused, refused`
    await sql`
      insert into clock (${columns})
      select 1, 'sol', base + size * (size + 1) / 2, 0, '0', '1', 0, 1, 1, false, '{}'
      from generate_series(0, ${count - 1}::int, 4950) as base, generate_series(1, 99) as size`
    await sql`
      insert into clock (${columns})
      select 1, 'sol', ${count}::int + n, 0, '0', '1', 0, 1, 1, false, '{}'
      from generate_series(1, 1000) as n`
    let [last, clocks] = [0, 0]
    for await (const { rows, clock } of kept.batches(keyOf(1), 0)) {
      expect(rows.map(({ sequence }) => sequence)).toEqual(rows.map((_, index) => last + index + 1))
      last += rows.length
      expect(last).toBe(Math.min(clock.sequence, count))
      clocks += 1
      // It would wait for ever if the reading held its tables between two pages.
      if (clocks % 100 === 1)
        await sql.begin((transaction) => transaction`lock table journal, clock`)
    }
    expect(clocks).toBe(count / 50 + 1000)
    // What is gone before its page is asked for had not been loaded.
    let read = 0
    for await (const { rows } of kept.batches(keyOf(1), 0)) {
      if (read === 0) await sql`delete from journal where sequence > 5000`
      read += rows.length
    }
    expect(read).toBe(5000)
  })

  it('a digest is kept as it was at first, and found by where it was taken', async () => {
    const kept = journal(database.sql)
    const digest = (n: number, text = `${n}`) => ({ lattice: 4096 * n, digest: text })
    const append = (era: number, ...digests: ReturnType<typeof digest>[]) =>
      kept.append(
        newBatch(1, 0, {
          owner,
          era,
          digests: digests.map((row) => ({ systemId: 'sol', ...row })),
        }),
      )
    await append(1, digest(1), digest(2), digest(3))
    await append(1, digest(2, 'other'), digest(4))
    await append(2, digest(2, 'of era 2'))
    const found = await kept.digests(keyOf(1), { from: 4096 * 2, to: 4096 * 4 - 1 })
    expect(found).toEqual([digest(2), digest(3)])
    expect(await kept.digests(keyOf(1), { from: 0, to: Number.MAX_SAFE_INTEGER })).toHaveLength(4)
    expect(await kept.digests(keyOf(2), { from: 0, to: 1e9 })).toEqual([digest(2, 'of era 2')])
    expect((await kept.size()).bytes).toBeGreaterThan(0)
  })
}
