import { type Database, isAway } from '@orrery/database'
import { byTier } from '@orrery/testkit/tier'
import { expect, it } from 'vitest'
import { type NewJournalBatch, Ownership, claimSystems, journal } from '../src/index.ts'
import {
  claimed,
  collected,
  keyOf,
  newAccount,
  newBatch,
  newHandOff,
  newRow,
  untilWaiting,
} from './journal-batch.ts'
import { withoutFence } from './without-fence.ts'

/** The numbers that each of two systems has in the journal. */
async function numbers(sql: Database['sql']): Promise<Record<string, number[]>> {
  const kept = journal(sql)
  const of = async (id: string): Promise<number[]> =>
    (await collected(kept.batches(keyOf(1, id), 0))).flatMap(({ rows }) =>
      rows.map(({ sequence }) => sequence),
    )
  return { sol: await of('sol'), alpha: await of('alpha') }
}

/** A batch of one command to each of two systems. */
function both(sequence: number, owner: Ownership): NewJournalBatch {
  const rows = [newRow(sequence), newRow(sequence, { systemId: 'alpha' })]
  const sequences = { sol: sequence, alpha: sequence }
  return newBatch(sequence, sequence, { owner, rows, sequences })
}

export function ownerLaws(database: Database): void {
  const { sql } = database

  it('updated: each batch moves the rows of its systems, in one statement', async () => {
    const owner = await claimed(sql)
    await journal(sql).append(both(1, owner))
    await journal(sql).append(newBatch(2, 5, { owner }))
    const rows = await sql`select system, sequence::int from system_owner order by system`
    expect(rows).toMatchObject([
      { system: 'alpha', sequence: 1 },
      { system: 'sol', sequence: 5 },
    ])
  })

  it('another claim: nothing is written, the system is named, the rest goes on', async () => {
    const owner = await claimed(sql)
    await journal(sql).append(both(1, owner))
    const other = await claimSystems(sql, { systemIds: ['alpha'] })
    const refusal = { code: 'ERR_FENCED', systemIds: ['alpha'] }
    await expect(journal(sql).append(both(2, owner))).rejects.toMatchObject(refusal)
    expect(await numbers(sql)).toEqual({ sol: [1], alpha: [1] })
    await journal(sql).append(newBatch(2, 2, { owner }))
    const rows = [newRow(2, { systemId: 'alpha' })]
    await journal(sql).append(newBatch(2, 2, { owner: other, rows, sequences: { alpha: 2 } }))
    expect(await numbers(sql)).toEqual({ sol: [1, 2], alpha: [1, 2] })
  })

  it('a fence that was rolled back shows by its claim', async () => {
    const owner = await claimed(sql)
    const fence = owner.claims().get('sol')?.fence ?? NaN
    await claimed(sql)
    await sql`update system_owner set fence = ${fence}`
    const refusal = { code: 'ERR_FENCED', systemIds: ['sol'] }
    await expect(journal(sql).append(newBatch(1, 1, { owner }))).rejects.toMatchObject(refusal)
    const claim = owner.claims().get('sol')?.claim ?? ''
    await sql`update system_owner set fence = fence + 1, claim = ${claim}`
    await expect(journal(sql).append(newBatch(1, 1, { owner }))).rejects.toMatchObject(refusal)
    expect(await numbers(sql)).toEqual({ sol: [], alpha: [] })
  })

  it('a lost answer is confirmed by a write of its own, not by reading', async () => {
    const owner = await claimed(sql)
    // An owner that has not heard the answer.
    const twin = both(1, new Ownership([...owner.claims().values()]))
    await journal(sql).append(both(1, owner))
    const before = await versions(sql)
    await journal(sql).append(twin)
    const after = await versions(sql)
    for (const system of ['sol', 'alpha']) expect(after.get(system)).not.toBe(before.get(system))
    expect(await numbers(sql)).toEqual({ sol: [1], alpha: [1] })
  })

  it('what the database has lost is appended again, and the loss is reported', async () => {
    const owner = await claimed(sql)
    const lost: (readonly string[])[] = []
    const kept = journal(sql, { onTailLost: (systemIds) => lost.push(systemIds) })
    const left = newHandOff({ shipId: 'max' })
    await kept.append(both(1, owner))
    await kept.append({ ...both(2, owner), departures: [{ ...left, state: 'departed' }] })
    const account = newAccount('Ripley')
    await kept.append({
      ...newBatch(3, 4, { owner, sequences: { sol: 4, alpha: 2 } }),
      arrivals: [{ ...left, state: 'arrived' }],
      alongside: [async ({ accounts }) => void (await accounts.create(account))],
    })
    await kept.append(newBatch(5, 4, { owner, sequences: { sol: 4, alpha: 2 } }))
    // As a standby that was promoted behind its primary.
    await sql`update system_owner set sequence = 1`
    await sql`delete from journal where sequence > 1`
    await sql`delete from clock where sequence > 1`
    await sql`delete from hand_off`
    await sql`delete from account`
    await kept.append(both(5, owner))
    expect(lost).toEqual([['alpha', 'sol']].map((ids) => expect.arrayContaining(ids)))
    expect(await numbers(sql)).toEqual({ sol: [1, 2, 3, 4, 5], alpha: [1, 2, 5] })
    expect(await sql`select state from hand_off`).toMatchObject([{ state: 'arrived' }])
    expect(await sql`select username from account`).toMatchObject([{ username: 'Ripley' }])
    await kept.append(both(6, owner))
    expect(lost).toHaveLength(1)
  })

  it('without the check of the sequence a loss would go unnoticed', async () => {
    const owner = await claimed(sql)
    for (const sequence of [1, 2]) await journal(sql).append(both(sequence, owner))
    await sql`update system_owner set sequence = 1`
    await sql`delete from journal where sequence > 1`
    await journal(withoutFence(sql)).append(both(3, owner))
    expect(await numbers(sql)).toEqual({ sol: [1, 3], alpha: [1, 3] })
  })

  it.each([
    ['ahead', sql`sequence + 70`],
    ['behind all that its owner remembers', sql`-1`],
  ])('a row edited by hand, %s, is refused by name', async (_, sequence) => {
    const owner = await claimed(sql)
    await journal(sql).append(both(1, owner))
    await sql`update system_owner set sequence = ${sequence} where system = 'alpha'`
    const refusal = { code: 'ERR_JOURNAL_HEAD', systemIds: ['alpha'] }
    await expect(journal(sql).append(both(2, owner))).rejects.toMatchObject(refusal)
    await journal(sql).append(newBatch(2, 2, { owner }))
    expect(await numbers(sql)).toEqual({ sol: [1, 2], alpha: [1] })
  })

  it('a row behind, with its commands still there, is put in order', async () => {
    const owner = await claimed(sql)
    for (const sequence of [1, 2, 3]) await journal(sql).append(both(sequence, owner))
    await sql`update system_owner set sequence = 1 where system = 'alpha'`
    await journal(sql).append(both(4, owner))
    expect(await numbers(sql)).toEqual({ sol: [1, 2, 3, 4], alpha: [1, 2, 3, 4] })
  })

  it('a batch that meets another change of its rows is written once', async () => {
    const owner = await claimed(sql)
    const changed = Promise.withResolvers<void>()
    const release = Promise.withResolvers<void>()
    const change = sql.begin(async (transaction) => {
      await transaction`update system_owner set wanted_host = gen_random_uuid()`
      changed.resolve()
      await release.promise
    })
    await changed.promise
    const appended = journal(sql).append(both(1, owner))
    await untilWaiting(sql, 1)
    release.resolve()
    await change
    await appended
    expect(await numbers(sql)).toEqual({ sol: [1], alpha: [1] })
  })

  it('a claim ends a session that stands still with the row, after two seconds', async () => {
    const owner = await claimed(sql)
    const resumed = Promise.withResolvers<void>()
    const locked = Promise.withResolvers<void>()
    const stopped = sql.begin(async (transaction) => {
      await transaction`select from system_owner for update`
      locked.resolve()
      await resumed.promise
      await transaction`update system_owner set sequence = 99`
    })
    const failure = stopped.catch((error: unknown) => error)
    await locked.promise
    const next = await claimed(sql)
    resumed.resolve()
    expect(await failure).toSatisfy(isAway)
    expect(next.claims().get('sol')?.fence).toBe((owner.claims().get('sol')?.fence ?? NaN) + 1)
    const [row] = await sql`select max(sequence)::int as sequence from system_owner`
    expect(row).toEqual({ sequence: 0 })
  })

  it('of claims in the same moment at most one succeeds, and owns all it asked for', async () => {
    await claimed(sql)
    for (const _ of Array.from({ length: byTier({ gate: 2, night: 5 }) })) {
      const claims = await Promise.allSettled(Array.from({ length: 4 }, () => claimed(sql)))
      const won = claims.flatMap((claim) => (claim.status === 'fulfilled' ? [claim.value] : []))
      const lost = claims.flatMap((claim) => (claim.status === 'rejected' ? [claim.reason] : []))
      for (const error of lost) expect(error).toMatchObject({ code: 'ERR_CLAIM_LOST' })
      const rows = await sql`select system, claim from system_owner order by system`
      const last = won.filter((owner) => owner.claims().get('sol')?.claim === rows[1]?.['claim'])
      expect(last).toHaveLength(1)
      expect(last[0].claims().get('alpha')?.claim).toBe(rows[0]?.['claim'])
    }
  })
}

/** Which transaction wrote each row last. */
async function versions(sql: Database['sql']): Promise<Map<string, string>> {
  const rows = await sql`select system, xmin::text as version from system_owner`
  return new Map(rows.map((row) => [row['system'], row['version']]))
}
