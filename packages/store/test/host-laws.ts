import { type Database, openDatabase } from '@orrery/database'
import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import {
  type ClockState,
  type Host,
  beats,
  claimSystems,
  drainHost,
  giveSystems,
  mayOwn,
  journal,
  listHosts,
  seenSystems,
  wantOn,
} from '../src/index.ts'
import { newBatch, newRow } from './journal-batch.ts'

const SYSTEMS = ['alpha', 'sol']

function newHost(incarnation: string): Host {
  return { incarnation, address: 'http://h1:3000', cores: 2, physics: 5, release: '1.0.0' }
}

const OWNER = newHost('00000000-0000-4000-8000-000000000001')
const STANDBY = newHost('00000000-0000-4000-8000-000000000002')

export function hostLaws({ sql }: Database, url: string): void {
  it('an owner that beats holds its lock; others see both, and the end of it', async () => {
    await claimSystems(sql, { systemIds: SYSTEMS, host: OWNER })
    const seen = async (): Promise<unknown[]> =>
      (await seenSystems(sql)).map(({ system, beats: count, isLockFree }) => {
        return [system, count, isLockFree]
      })
    expect(await seen()).toEqual(SYSTEMS.map((system) => [system, 1, true]))
    const other = await openDatabase({ url, directory: '', schema: 'game' })
    const session = other.session('beats', { synchronous_commit: 'off' })
    const own = beats(session, OWNER)
    await own.beat({ load: 0.25, lag: null })
    await own.beat({ load: 0.5, lag: null })
    expect(await seen()).toEqual(SYSTEMS.map((system) => [system, 3, false]))
    await sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'orrery game beats'`
    // The first beat after a cut may meet the closed connection.
    const isCut = (): Promise<boolean> =>
      own.beat({ load: 0.5, lag: null }).then(
        () => false,
        () => true,
      )
    while (await isCut());
    expect((await seen()).map((row) => Object(row)[2])).toEqual([false, false])
    expect(await mayOwn(sql, OWNER.incarnation)).toBe(true)
    expect(await mayOwn(sql, STANDBY.incarnation)).toBe(false)
    await other.close()
    while (!(await seenSystems(sql)).every(({ isLockFree }) => isLockFree));
    // Though it has just beaten.
    await sql`update host set beat_at = clock_timestamp()`
    expect(await mayOwn(sql, OWNER.incarnation)).toBe(false)
  })

  it('hosts are listed with what they own; those long gone are removed', async () => {
    await claimSystems(sql, { systemIds: SYSTEMS, host: OWNER })
    await beats(sql, STANDBY).beat({ load: 0, lag: 0.25 })
    const listed = await listHosts(sql)
    expect(listed).toMatchObject([
      { ...OWNER, load: 0, lag: null, beats: 1, ageSeconds: null, systems: SYSTEMS },
      { ...STANDBY, load: 0, lag: 0.25, systems: [] },
    ])
    await sql`update host set beat_at = now() - interval '2 minutes'`
    await claimSystems(sql)
    expect(await listHosts(sql)).toEqual([])
    expect(await seenSystems(sql)).toMatchObject([
      { host: undefined, address: undefined, beats: 0, isLockFree: true },
      { host: undefined },
    ])
  })

  it('a system is given to the host that it is wanted on; both write their own', async () => {
    const owner = await claimSystems(sql, { systemIds: SYSTEMS, host: OWNER })
    const alpha = (sequence: number): Pick<Parameters<typeof newBatch>[2] & object, 'rows'> => {
      return { rows: [newRow(sequence, { systemId: 'alpha' })] }
    }
    const kept = journal(sql)
    await kept.append(newBatch(1, 1, { owner, ...alpha(1), sequences: { alpha: 1 } }))
    await kept.append(newBatch(1, 3, { owner, sequences: { sol: 3 } }))
    expect(await wantOn(sql, { system: 'alpha', host: STANDBY.incarnation })).toBe(false)
    await beats(sql, STANDBY).beat({ load: 0, lag: 0 })
    expect(await wantOn(sql, { system: 'alpha', host: STANDBY.incarnation })).toBe(true)
    expect((await seenSystems(sql))[0]).toMatchObject({
      host: OWNER.incarnation,
      wanted: STANDBY.incarnation,
    })
    await giveSystems(sql, owner, { systems: ['alpha'], host: STANDBY.incarnation })
    const late = newBatch(2, 2, { owner, ...alpha(2), sequences: { alpha: 2 } })
    await expect(kept.append(late)).rejects.toMatchObject({ code: 'ERR_FENCED' })
    const [given] = await seenSystems(sql)
    expect(given).toMatchObject({ host: STANDBY.incarnation, sequence: 1 })
    const other = await claimSystems(sql, { systemIds: [] })
    other.add([given])
    await kept.append(newBatch(2, 4, { owner: other, ...alpha(2), sequences: { alpha: 2 } }))
    await kept.append(newBatch(4, 5, { owner, sequences: { sol: 5 } }))
    // Taken back, with what the other has written.
    const again = await claimSystems(sql, { systemIds: ['alpha'], host: OWNER })
    owner.add([...again.claims().values()])
    await kept.append(newBatch(4, 6, { owner, ...alpha(3), sequences: { alpha: 3, sol: 6 } }))
    expect((await seenSystems(sql)).map(({ sequence }) => sequence)).toEqual([3, 6])
  })

  it('a host is drained by its address, also when it starts again', async () => {
    await claimSystems(sql, { systemIds: SYSTEMS, host: OWNER })
    const other = await openDatabase({ url, directory: '', schema: 'game' })
    const session = other.session('beats', {})
    const beat = async (host: Host): Promise<boolean> =>
      (await beats(session, host).beat({ load: 0, lag: 0 })).isDrained
    expect(await beat(STANDBY)).toBe(false)
    const wanted = { system: 'alpha', host: STANDBY.incarnation }
    expect(await wantOn(sql, wanted)).toBe(true)
    const drain = { host: STANDBY.incarnation, drained: true }
    expect(await drainHost(sql, { ...drain, host: randomUUID() })).toBe(false)
    expect(await drainHost(sql, drain)).toBe(true)
    expect(await drainHost(sql, drain)).toBe(true)
    expect(await wantOn(sql, wanted)).toBe(false)
    expect((await seenSystems(sql))[0].wanted).toBeUndefined()
    const again = { ...STANDBY, incarnation: randomUUID() }
    expect(await beat(again)).toBe(true)
    expect(await beat(again)).toBe(true)
    expect(await mayOwn(sql, again.incarnation)).toBe(false)
    const drained = async (): Promise<unknown[]> =>
      (await listHosts(sql)).map(({ isDrained }) => isDrained)
    // Both have the address, the owner too.
    expect(await drained()).toEqual([true, true, true])
    expect(await drainHost(sql, { ...drain, drained: false })).toBe(true)
    expect(await drained()).toEqual([false, false, false])
    expect(await beat(again)).toBe(false)
    expect(await mayOwn(sql, again.incarnation)).toBe(true)
    await other.close()
  })

  it('a host whose clock is wrong is given nothing; a beat is answered with the time', async () => {
    await claimSystems(sql, { systemIds: SYSTEMS, host: OWNER })
    const other = await openDatabase({ url, directory: '', schema: 'game' })
    // The lock of one that has just ended may not be free yet.
    const standby = { ...STANDBY, incarnation: randomUUID() }
    const own = beats(other.session('beats', {}), standby)
    const wanted = { system: 'alpha', host: standby.incarnation }
    const mayBe = async (clockState: ClockState): Promise<readonly unknown[]> => {
      await own.beat({ load: 0, lag: 0 }, { clockOffset: 0.75, clockState })
      const [, { clockOffset, clockState: listed }] = await listHosts(sql)
      const may = [await mayOwn(sql, standby.incarnation), await wantOn(sql, wanted)]
      return [clockOffset, listed, ...may]
    }
    const [{ before }] = await sql<[{ before: number }]>`
      select 1000 * extract(epoch from clock_timestamp())::float8 as before`
    expect((await own.beat({ load: 0, lag: 0 })).utcMs).toBeGreaterThanOrEqual(before)
    expect((await listHosts(sql))[1]).toMatchObject({ clockOffset: null, clockState: 'right' })
    expect(await mayBe('off')).toEqual([0.75, 'off', true, true])
    expect(await mayBe('wrong')).toEqual([0.75, 'wrong', false, false])
    expect(await mayBe('right')).toEqual([0.75, 'right', true, true])
    await other.close()
  })

  it('systems that were seen without an owner are not taken from one', async () => {
    await claimSystems(sql, { systemIds: SYSTEMS, host: OWNER, seen: [] })
    const late = claimSystems(sql, { systemIds: SYSTEMS, host: STANDBY, seen: [] })
    await expect(late).rejects.toMatchObject({ code: 'ERR_CLAIM_LOST', systemIds: SYSTEMS })
    expect((await seenSystems(sql)).map(({ fence }) => fence)).toEqual([1, 1])
  })

  it('of two that saw the same owner one takes its systems', async () => {
    await claimSystems(sql, { systemIds: SYSTEMS, host: OWNER })
    const seen = await seenSystems(sql)
    const claim = (host: Host): Promise<unknown> =>
      claimSystems(sql, { systemIds: SYSTEMS, host, seen })
    const ends = await Promise.allSettled([claim(STANDBY), claim(OWNER)])
    expect(ends.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(ends.find((end) => end.status === 'rejected')?.reason).toMatchObject({
      code: 'ERR_CLAIM_LOST',
      systemIds: SYSTEMS,
    })
    expect((await seenSystems(sql)).map(({ fence }) => fence)).toEqual([2, 2])
  })
}
