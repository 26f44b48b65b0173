import type { Database } from '@orrery/database'
import { deleteAll } from '@orrery/testkit'
import { expect, it } from 'vitest'
import {
  type NewSnapshot,
  Ownership,
  Renewal,
  claimSystems,
  eras,
  journal,
  maneuverEvents,
  pruneJournal,
  raiseFences,
  snapshots,
} from '../src/index.ts'
import { newManeuverEvent } from './new-maneuver-event.ts'
import { EPOCH, claimed, newBatch, newDigest, newHandOff } from './journal-batch.ts'
import { withoutFence } from './without-fence.ts'

const TABLES = [
  'snapshot',
  'era',
  'backup',
  'journal',
  'clock',
  'digest',
  'hand_off',
  'maneuver_event',
]

const SNAPSHOT: NewSnapshot = {
  era: 1,
  kind: 'automatic',
  tick: 5,
  lattice: EPOCH,
  sequences: { sol: 2, alpha: 0 },
  physics: 1,
  gameTime: new Date('2026-03-01T12:00:00.250Z'),
  header: {},
  bytes: new Uint8Array(10),
}

/** What is written for a system beside its commands, each as its owner would. */
const WRITES: Readonly<
  Record<string, (sql: Database['sql'], owner: Ownership) => Promise<unknown>>
> = {
  'a command': (sql, owner) => journal(sql).append(newBatch(3, 3, { owner })),
  'a digest': (sql, owner) =>
    journal(sql).append(newBatch(3, 2, { owner, digests: [newDigest(4096, 'a')] })),
  'an arrival': (sql, owner) =>
    journal(sql).append(
      newBatch(3, 3, { owner, arrivals: [{ ...newHandOff(), state: 'arrived' }] }),
    ),
  'a snapshot': (sql, owner) => snapshots(sql, undefined, owner).store(SNAPSHOT),
  'a deleted snapshot': (sql, owner) => snapshots(sql, undefined, owner).prune({ keep: 1 }),
  'a pruned journal': (sql, owner) =>
    pruneJournal(sql, snapshots(sql), { keep: 1, sinceMs: Infinity, owner }),
  'a maneuver event': (sql, owner) => maneuverEvents(sql, owner).record([newManeuverEvent()]),
  'an era': (sql, owner) =>
    sql.begin(async (transaction) => {
      await raiseFences(transaction, new Renewal(owner))
      await eras(transaction).open({ era: 2, reason: 'restored', snapshotId: 1, physics: 1 })
    }),
}

export function fenceLaws(database: Database): void {
  const { sql } = database

  /** A journal of two commands, a departure and three snapshots, of one owner. */
  const begin = async (): Promise<Ownership> => {
    await deleteAll(sql, TABLES)
    await sql`
      select setval(pg_get_serial_sequence(name, 'id'), 1, false)
      from unnest('{snapshot,maneuver_event}'::text[]) as name`
    const owner = await claimed(sql)
    const stored = snapshots(sql, undefined, owner)
    await stored.store({ ...SNAPSHOT, sequences: { sol: 0, alpha: 0 } })
    await eras(sql).open({ era: 1, reason: 'new', snapshotId: 1, physics: 1 })
    const departures = [{ ...newHandOff(), state: 'departed' as const }]
    await journal(sql).append(newBatch(1, 1, { owner, departures }))
    await journal(sql).append(newBatch(2, 2, { owner }))
    for (const _ of [1, 2]) await stored.store(SNAPSHOT)
    return owner
  }

  /** All that players would find again. */
  const contents = async (): Promise<unknown> => {
    const [found] = await sql`
      select (select jsonb_agg(journal order by sequence) from journal) as journal,
        (select jsonb_agg(digest) from digest) as digests,
        (select jsonb_agg(hand_off) from hand_off) as hand_offs,
        (select jsonb_agg(id order by id) from snapshot where complete) as snapshots,
        (select jsonb_agg(era order by era) from era) as eras,
        (select count(*) from maneuver_event)::int as events`
    return found
  }

  const leftOut = new Set(['a maneuver event', 'a deleted snapshot'])
  const refused = Object.keys(WRITES).filter((what) => !leftOut.has(what))
  it.each(refused)('of an owner whose system another took, this fails: %s', async (what) => {
    const owner = await begin()
    await claimSystems(sql, { systemIds: ['sol'] })
    const before = await contents()
    await expect(WRITES[what](sql, owner)).rejects.toMatchObject({
      code: 'ERR_FENCED',
      systemIds: ['sol'],
    })
    expect(await contents()).toEqual(before)
  })

  // Of eras the claims are compared here, not in a statement.
  const stated = Object.keys(WRITES).filter((what) => what !== 'an era')
  it.each(stated)('the check of the claim is what stops it: %s', async (what) => {
    const owner = await begin()
    const before = await contents()
    await WRITES[what](sql, owner)
    const written = await contents()
    expect(written, 'an owner writes it').not.toEqual(before)
    const former = await begin()
    await claimSystems(sql, { systemIds: ['sol'] })
    await WRITES[what](withoutFence(sql), former).catch(() => undefined)
    expect(await contents(), 'without the check a former owner does, too').not.toEqual(before)
  })

  it('events of a system that another took are left out, those of others stored', async () => {
    const owner = await begin()
    await claimSystems(sql, { systemIds: ['sol'] })
    const events = ['sol', 'alpha'].map((systemId) => newManeuverEvent({ systemId }))
    await maneuverEvents(sql, owner).record(events)
    expect(await sql`select system from maneuver_event`).toEqual([{ system: 'alpha' }])
  })

  it('snapshots of systems that an owner has are stored and pruned, others stay', async () => {
    const owner = await begin()
    await claimSystems(sql, { systemIds: ['sol'] })
    const stored = snapshots(sql, undefined, owner)
    for (const _ of [1, 2, 3]) await stored.store({ ...SNAPSHOT, sequences: { alpha: 0 } })
    await stored.prune({ keep: 1 })
    expect((await stored.list()).map(({ id, sequences }) => [id, sequences])).toEqual([
      [6, { alpha: 0 }],
      [3, SNAPSHOT.sequences],
      [2, SNAPSHOT.sequences],
      [1, { sol: 0, alpha: 0 }],
    ])
    await snapshots(sql).prune({ keep: 1 })
    expect(
      (await stored.list()).map(({ id }) => id),
      'the newest of each system',
    ).toEqual([6, 3, 1])
  })

  it('raised fences refuse what was on its way, and their owner goes on', async () => {
    const owner = await begin()
    const former = new Ownership([...owner.claims().values()])
    const renewal = new Renewal(owner)
    const raise = (): Promise<void> => sql.begin((transaction) => raiseFences(transaction, renewal))
    await raise()
    // The answer was lost.
    await raise()
    await expect(journal(sql).append(newBatch(3, 3, { owner: former }))).rejects.toMatchObject({
      code: 'ERR_FENCED',
      systemIds: ['sol'],
    })
    renewal.adopt()
    await journal(sql).append(newBatch(1, 1, { owner, era: 2 }))
    const fences = [former, owner].map((one) => one.claims().get('sol')?.fence ?? NaN)
    expect(fences[1]).toBe(fences[0] + 1)
  })
}
