import type { Database } from '@orrery/database'
import { beforeEach, expect, it } from 'vitest'
import { type NewJournalBatch, journal, type Ownership } from '../src/index.ts'
import {
  arriving,
  claimed,
  collected,
  EPOCH,
  keyOf,
  newBatch,
  newClock,
  newDigest,
  newHandOff,
  newRow,
  readBatch,
} from './journal-batch.ts'

const alpha = { systemId: 'alpha' }

export function systemJournalLaws(database: Database): void {
  let owner: Ownership
  beforeEach(async () => {
    owner = await claimed(database.sql)
  })

  /** Commands to two systems, by turns, with numbers of their own. */
  const mixed = (more: Partial<NewJournalBatch> = {}): NewJournalBatch => ({
    ...newBatch(1, 2, { owner, sequences: { sol: 2, alpha: 5 } }),
    rows: [newRow(1, alpha), newRow(1), newRow(2), newRow(5, alpha)],
    digests: [newDigest(4096, 'a'), { ...newDigest(4096, 'b'), ...alpha }],
    ...more,
  })

  it('journals of two systems are read apart, in order, and their clocks agree', async () => {
    const kept = journal(database.sql)
    const clock = newClock(3, { lattice: EPOCH + 99 })
    const next = newBatch(3, 3, { owner, clock, sequences: { sol: 3, alpha: 5 } })
    const otherEra = mixed({ era: 2 })
    for (const batch of [mixed(), next, otherEra]) await kept.append(batch)
    expect(await collected(kept.batches(keyOf(1), 0))).toEqual([
      readBatch(mixed()),
      readBatch(next),
    ])
    expect(await collected(kept.batches(keyOf(1, 'alpha'), 0))).toEqual([
      { rows: readBatch(mixed(), 'alpha').rows, clock: { ...clock, sequence: 5 } },
    ])
    expect(await collected(kept.batches(keyOf(2, 'alpha'), 0))).toEqual([
      readBatch(otherEra, 'alpha'),
    ])
    expect(await collected(kept.batches(keyOf(1, 'beta'), 0))).toEqual([])
    const digests = await Promise.all(
      ['sol', 'alpha', 'beta'].map((id) => kept.digests(keyOf(1, id), { from: 0, to: 9999 })),
    )
    expect(digests.map((rows) => rows.map(({ digest }) => digest))).toEqual([['a'], ['b'], []])
  })

  it('a repeated batch of two systems writes nothing twice, hand-offs included', async () => {
    const kept = journal(database.sql)
    const [there, back] = [newHandOff(), newHandOff(alpha)]
    const batches = [
      mixed({ departures: [{ ...there, state: 'departed' }] }),
      newBatch(3, 3, {
        owner,
        sequences: { sol: 3, alpha: 5 },
        departures: [{ ...back, state: 'departed' }],
        arrivals: [arriving(there)],
      }),
      mixed({
        rows: [newRow(6, alpha)],
        sequences: { sol: 3, alpha: 6 },
        arrivals: [arriving(back)],
      }),
    ]
    const transit = [there, back].map((handOff) => [{ ...handOff, isSound: true }])
    for (const [i, batch] of batches.entries()) {
      for (const attempt of ['first', 'second']) {
        await kept.append(batch)
        expect(await kept.inTransit(1), `${attempt} of batch ${i}`).toEqual(transit[i] ?? [])
      }
    }
    const numbers = async (id: string): Promise<number[]> =>
      (await collected(kept.batches(keyOf(1, id), 0))).flatMap(({ rows }) =>
        rows.map(({ sequence }) => sequence),
      )
    expect([await numbers('sol'), await numbers('alpha')]).toEqual([
      [1, 2, 3],
      [1, 5, 6],
    ])
  })
}
