import type { Database } from '@orrery/database'
import { beforeEach, expect, it } from 'vitest'
import { type NewHandOff, type NewJournalBatch, journal, type Ownership } from '../src/index.ts'
import {
  arriving,
  claimed,
  collected,
  EPOCH,
  keyOf,
  newBatch,
  newHandOff,
  untilWaiting,
} from './journal-batch.ts'

export function handOffLaws(database: Database): void {
  const { sql } = database
  const kept = journal(sql)
  let owner: Ownership
  let sequence = 0
  beforeEach(async () => {
    owner = await claimed(sql)
  })

  const departing = (handOff: NewHandOff, arrived = false) => ({
    ...handOff,
    state: arrived ? ('arrived' as const) : ('departed' as const),
  })
  /** Writes the next command with what departs and arrives. */
  const write = (more: Partial<NewJournalBatch>): Promise<unknown> => {
    sequence += 1
    return kept.append(newBatch(sequence, sequence, { owner, ...more }))
  }
  const inTransit = async (era: number = 1): Promise<string[]> =>
    (await kept.inTransit(era)).map(({ systemId, shipId }) => `${shipId} from ${systemId}`)

  it('a ship is in transit from its departure to its arrival, or not at all', async () => {
    const ida = newHandOff({ lattice: EPOCH + 1, ship: '{"name":"Idä\\u0001","fuel":5e-324}' })
    const max = newHandOff({ systemId: 'alpha', shipId: 'max' })
    await write({ departures: [departing(newHandOff({ shipId: 'leo' }), true)] })
    expect(await kept.inTransit(1)).toEqual([])
    await write({ departures: [departing(ida), departing(max)] })
    const sound = [max, ida].map((handOff) => ({ ...handOff, isSound: true }))
    expect(await kept.inTransit(1), 'oldest first').toEqual(sound)
    const taken = { code: 'ERR_HAND_OFF_TAKEN' }
    for (const arrivals of [[newHandOff({ shipId: 'max' })], [max, { ...ida, lattice: EPOCH }]])
      await expect(write({ arrivals: arrivals.map(arriving) })).rejects.toMatchObject(taken)
    await expect(write({ era: 2, arrivals: [arriving(ida)] })).rejects.toMatchObject(taken)
    expect(await kept.inTransit(1)).toEqual(sound)
    await write({ arrivals: [arriving(max)] })
    expect(await inTransit()).toEqual(['ida from sol'])
    const next = await claimed(sql)
    await expect(write({ arrivals: [arriving(ida)] })).rejects.toMatchObject({ code: 'ERR_FENCED' })
    owner = next
    expect(await inTransit()).toEqual(['ida from sol'])
    await write({ arrivals: [{ ...arriving(ida), state: 'returned' }] })
    expect(await kept.inTransit(1)).toEqual([])
    await expect(write({ arrivals: [arriving(ida)] }), 'twice').rejects.toMatchObject(taken)
    const [row] = await sql`select state from hand_off where ship_id = 'ida'`
    expect(row).toEqual({ state: 'returned' })
  })

  it('a ship may leave a system once more at the same index', async () => {
    const [first, last] = ['{"fuel":2}', '{"fuel":1}'].map((ship) => newHandOff({ ship }))
    await write({ departures: [departing(first, true)] })
    await write({ departures: [departing(last)] })
    expect(await kept.inTransit(1)).toEqual([{ ...last, isSound: true }])
    await write({ arrivals: [arriving(last)] })
    expect(await kept.inTransit(1)).toEqual([])
  })

  it.each([
    ['a byte of the ship', sql`ship = replace(ship, '1', '2')`],
    ['the system', sql`system = 'alpha'`],
    ['the index', sql`lattice = lattice + 1`],
    ['the ship id', sql`ship_id = 'max'`],
  ])('a hand-off is damaged when this differs: %s', async (_, change) => {
    await write({ departures: [departing(newHandOff())] })
    await sql`update hand_off set ${change}`
    expect(await kept.inTransit(1)).toMatchObject([{ isSound: false }])
  })

  it('an attempt that meets an earlier one under way writes nothing twice', async () => {
    const blocked = Promise.withResolvers<void>()
    const release = Promise.withResolvers<never>()
    sequence += 1
    // The same row, uncommitted: both attempts wait for its end.
    const blocker = sql.begin(async (transaction) => {
      await transaction`
        insert into journal (era, system, sequence, lattice, command)
        values (1, 'sol', ${sequence}, 0, '{}')`
      blocked.resolve()
      await release.promise
    })
    await blocked.promise
    const departures = [departing(newHandOff())]
    const batch = newBatch(sequence, sequence, { owner, departures })
    const attempts = [kept.append(batch), kept.append(batch)]
    await untilWaiting(sql, 2)
    release.reject(new Error('rolled back'))
    await expect(blocker).rejects.toThrow('rolled back')
    expect(await Promise.all(attempts)).toHaveLength(2)
    expect(await inTransit()).toEqual(['ida from sol'])
    expect(await collected(kept.batches(keyOf(1), 0))).toHaveLength(1)
  })
}
