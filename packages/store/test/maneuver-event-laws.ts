import { randomUUID } from 'node:crypto'
import type { Database } from '@orrery/database'
import { expect, it } from 'vitest'
import { maneuverEvents } from '../src/index.ts'
import { SHIP, newManeuverEvent } from './new-maneuver-event.ts'

export function maneuverEventLaws(database: Database): void {
  it('an event comes back as it went, whatever its fields hold', async () => {
    const log = maneuverEvents(database.sql)
    const full = newManeuverEvent({
      fromPhase: 'turning',
      elementErrors: { semi_major_axis: 1.5e-7, inclination: -0.25 },
      distance: 1234.5678901234567,
      effectivity: 0.75,
      statusText: "ran into 'Phobos' 🚀",
      tick: Number.MAX_SAFE_INTEGER,
      extra: { reference_body: 'Earth', target_id: null, attitude: { w: 1, x: 0, y: 0, z: 0 } },
    })
    await log.record([full])
    const { era: _, lattice: __, systemId: ___, shipNumber: ____, ordinal: _____, ...read } = full
    expect(await log.list({ limit: 10 })).toEqual([
      { ...read, id: expect.any(Number), createdAt: expect.any(Date) },
    ])
    await database.sql`delete from maneuver_event`
  })

  it('what happens apart from maneuvers is in the stream alone', async () => {
    const log = maneuverEvents(database.sql)
    const docked = newManeuverEvent({ maneuverType: null, phase: null, eventType: 'docked' })
    await log.record([docked, newManeuverEvent({ ordinal: 1 })])
    expect(await log.list({ limit: 10 })).toMatchObject([{ eventType: 'started' }])
    await database.sql`insert into system_owner (system) values (${docked.systemId})`
    const places = await log.firstPlaces()
    expect(await log.after({ era: docked.era, places, limit: 10 })).toMatchObject([
      { eventType: 'docked', maneuverType: null, phase: null },
      { eventType: 'started' },
    ])
    await database.sql`delete from maneuver_event`
    await database.sql`delete from system_owner`
  })

  it('what is stored again is stored once, and as it was at first', async () => {
    const log = maneuverEvents(database.sql)
    const events = [0, 1, 2].map((ordinal) => newManeuverEvent({ ordinal }))
    await log.record(events)
    await log.record([
      newManeuverEvent({ ordinal: 1, eventType: 'failed' }),
      newManeuverEvent({ ordinal: 3 }),
    ])
    // Each part of the key distinguishes two events.
    await log.record([
      newManeuverEvent({ era: 2 }),
      newManeuverEvent({ lattice: 1 }),
      newManeuverEvent({ systemId: 'alpha' }),
      newManeuverEvent({ shipNumber: 8 }),
    ])
    const types = (await log.list({ limit: 500 })).map(({ eventType }) => eventType)
    expect(types).toEqual(Array.from({ length: 8 }, () => 'started'))
    await log.record([])
    await database.sql`delete from maneuver_event`
  })

  it('the newest that fit come first, by ship, by type, by both, within the limit', async () => {
    const log = maneuverEvents(database.sql)
    const other = randomUUID()
    const events = Array.from({ length: 600 }, (_, i) =>
      newManeuverEvent({
        lattice: i,
        shipId: i % 3 === 0 ? other : SHIP,
        eventType: i % 2 === 0 ? 'started' : 'completed',
        tick: i,
      }),
    )
    await log.record(events)
    const ticks = async (filter: Partial<Parameters<typeof log.list>[0]>): Promise<number[]> =>
      (await log.list({ limit: 3, ...filter })).map(({ tick }) => tick)
    expect(await ticks({})).toEqual([599, 598, 597])
    expect(await ticks({ shipId: other })).toEqual([597, 594, 591])
    expect(await ticks({ shipId: other.toUpperCase() })).toEqual([597, 594, 591])
    expect(await ticks({ eventType: 'started' })).toEqual([598, 596, 594])
    expect(await ticks({ shipId: other, eventType: 'completed' })).toEqual([597, 591, 585])
    expect(await ticks({ shipId: randomUUID() })).toEqual([])
    for (const eventType of ['', 'Started', '\0', "'; drop table maneuver_event"]) {
      expect(await ticks({ eventType })).toEqual([])
    }
    expect(await ticks({ limit: 500 })).toHaveLength(500)
    expect(await ticks({ limit: 501 })).toHaveLength(500)
    expect(await ticks({ limit: 0 })).toHaveLength(1)
    await database.sql`delete from maneuver_event`
  })

  it('the newest are kept, by the order they came in, whatever gaps their ids have', async () => {
    const log = maneuverEvents(database.sql)
    for (let lattice = 0; lattice < 20; lattice++) {
      await log.record([newManeuverEvent({ lattice, tick: lattice })])
      await log.record([newManeuverEvent({ lattice })])
    }
    const ticks = async (): Promise<number[]> =>
      (await log.list({ limit: 500 })).map(({ tick }) => tick)
    await log.prune(20)
    expect(await ticks()).toHaveLength(20)
    await log.prune(3)
    expect(await ticks()).toEqual([19, 18, 17])
    await log.prune(3)
    expect(await ticks()).toHaveLength(3)
    await log.prune(0)
    expect(await ticks()).toEqual([])
  })

  it('a reader goes on from its places, or is refused where events were pruned', async () => {
    const { sql } = database
    await sql`insert into system_owner (system) values ('sol'), ('alpha') on conflict do nothing`
    const log = maneuverEvents(sql)
    let places = await log.firstPlaces()
    const next = async (more: { systemId?: string; era?: number } = {}): Promise<unknown> => {
      const events = await log.after({ era: 1, places, limit: 3, ...more })
      const read = events?.map(({ systemId, id }): [string, number] => [systemId, id]) ?? []
      places = { ...places, ...Object.fromEntries(read) }
      return events?.map(({ systemId, tick }) => `${systemId} ${tick}`)
    }
    const write = (systemId: string, ticks: readonly number[], era: number = 1): Promise<void> =>
      log.record(ticks.map((tick) => newManeuverEvent({ systemId, tick, lattice: tick, era })))
    await write('sol', [2, 1])
    await write('alpha', [1])
    await write('sol', [4, 3])
    expect(await next({ era: 2 })).toEqual([])
    expect(await next()).toEqual(['sol 1', 'sol 2', 'alpha 1'])
    // A replay writes what is there once more.
    await write('sol', [3, 4, 5])
    expect(await next({ systemId: 'alpha' })).toEqual([])
    expect(await next()).toEqual(['sol 3', 'sol 4', 'sol 5'])
    await log.prune(1)
    await write('alpha', [2])
    expect(await next()).toEqual(['alpha 2'])
    await write('sol', [6])
    await log.prune(0)
    expect(await next({ systemId: 'alpha' })).toEqual([])
    expect(await next()).toBeUndefined()
    places = await log.firstPlaces()
    expect(await next()).toEqual([])
    await sql`delete from pruned_event`
    await sql`delete from system_owner`
  })

  it('takes 3,800 at once, and none of them when one cannot be', async () => {
    const log = maneuverEvents(database.sql)
    const events = Array.from({ length: 3800 }, (_, lattice) => newManeuverEvent({ lattice }))
    await expect(
      log.record([...events.slice(1), newManeuverEvent({ shipId: 'unknown' })]),
    ).rejects.toThrow('uuid')
    expect(await log.list({ limit: 1 })).toEqual([])
    await log.record(events)
    const [stored] = await database.sql`select count(*)::int as count from maneuver_event`
    expect(stored).toEqual({ count: 3800 })
    await database.sql`delete from maneuver_event`
  })

  it('keeps one statement prepared for any number of events', async () => {
    const connection = await database.sql.reserve()
    const log = maneuverEvents(connection)
    for (let count = 1; count <= 5; count++) {
      const events = Array.from({ length: count }, (_, ordinal) =>
        newManeuverEvent({ lattice: count, ordinal }),
      )
      await log.record(events)
    }
    const prepared = await connection`
      select from pg_prepared_statements where statement like '%insert into maneuver_event%'
        and not statement like '%pg_prepared_statements%'`
    expect(prepared).toHaveLength(1)
    await connection`delete from maneuver_event`
    connection.release()
  })
}
