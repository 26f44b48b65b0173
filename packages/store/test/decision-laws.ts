import { randomUUID } from 'node:crypto'
import type { Database } from '@orrery/database'
import { expect, it } from 'vitest'
import { type Settings, audit, serviceAnswers, settings } from '../src/index.ts'

export function decisionLaws(database: Database): void {
  it('an answer of a service command is found for a day, whatever its key', async () => {
    const { sql } = database
    const answers = serviceAnswers(sql)
    const command = { tokenId: randomUUID(), key: "'; drop table service_answer; --" }
    const sent = { requestHash: 'a', answer: null }
    await answers.keep(command, sent)
    expect(await answers.find(command)).toEqual(sent)
    const given = { requestHash: 'a', answer: { ship_id: 'x', text: 'ünï "\\u0000"' } }
    await answers.keep(command, given)
    expect(await answers.find(command)).toEqual(given)
    const other = { ...command, tokenId: randomUUID() }
    expect(await answers.find(other)).toBeUndefined()
    await answers.keep(other, given)
    await sql`
      update service_answer set at = now() - interval '25 hours' where token_id = ${other.tokenId}`
    expect(await answers.find(other)).toBeUndefined()
    await answers.prune()
    expect(await sql`select token_id as "tokenId", key from service_answer`).toEqual([command])
    await sql`delete from service_answer`
  })

  it('settings are kept one by one and come back as they went', async () => {
    const { sql } = database
    const rows = settings(sql)
    expect(await rows.load()).toEqual({})
    const all: Settings = {
      tickRate: 0.1,
      timeScale: 7.3,
      paused: true,
      timeSyncEnabled: false,
      adaptiveTickRate: true,
      registrationOpen: false,
      talkEnabled: true,
      paceVote: { lowest: 0.1, highest: 100 },
      clockGoal: { era: 3, atMs: 1.8e12 },
      worldSeed: 'first light',
      era: 3,
    }
    await rows.save(all)
    await rows.save({})
    expect(await rows.load()).toEqual(all)
    const bounds = { era: 2 ** 31 - 1, worldSeed: 'x'.repeat(256), tickRate: 100 }
    await rows.save({ worldSeed: 'x', era: 1 })
    expect(await rows.load()).toEqual({ ...all, worldSeed: 'x', era: 1 })
    await rows.save({ paused: false, clockGoal: 'none', ...bounds })
    expect(await rows.load()).toEqual({ ...all, paused: false, clockGoal: 'none', ...bounds })
    const [stored] = await sql`select jsonb_typeof(value) as type from setting where key = 'era'`
    expect(stored).toEqual({ type: 'number' })
    // Other releases read these names.
    const keys = await sql<{ key: string }[]>`select key from setting order by key`
    expect(keys.map(({ key }) => key)).toEqual([
      'adaptive_tick_rate',
      'clock_goal',
      'era',
      'pace_vote',
      'paused',
      'registration_open',
      'talk_enabled',
      'tick_rate',
      'time_scale',
      'time_sync_enabled',
      'world_seed',
    ])
  })

  it('a setting that cannot be is refused on the way in, with all beside it', async () => {
    const rows = settings(database.sql)
    const before = await rows.load()
    const refused: Partial<Settings>[] = [
      { tickRate: 0.09 },
      { timeScale: 101 },
      { timeScale: Number.NaN },
      { era: 0 },
      { era: 1.5 },
      { era: 2 ** 31 },
      { worldSeed: '' },
      { worldSeed: 'x'.repeat(257) },
    ]
    for (const change of refused) {
      const save = rows.save({ paused: true, ...change })
      await expect(save).rejects.toMatchObject({
        name: 'StoreError',
        code: 'ERR_SETTING_INVALID',
      })
    }
    expect(await rows.load()).toEqual(before)
  })

  it('a setting damaged in the database is named, not used', async () => {
    const { sql } = database
    await sql`update setting set value = '"fast"' where key = 'tick_rate'`
    const refusal = {
      code: 'ERR_SETTING_INVALID',
      message: 'The setting tick_rate is "fast"; a number from 0.1 to 100 was expected.',
    }
    await expect(settings(sql).load()).rejects.toMatchObject(refusal)
    await sql`delete from setting`
    await sql`insert into setting values ('of_a_later_release', '1')`
    expect(await settings(sql).load()).toEqual({})
  })

  it('the audit trail is read newest first, within bounds', async () => {
    const trail = audit(database.sql)
    const playerId = randomUUID()
    const actor = { playerId, username: 'Dallas', address: '192.0.2.7' }
    const change = { action: 'role', subject: 'Ripley', detail: { isAdmin: true } }
    const unsigned = { actor: null, actorName: null, address: null }
    await trail.record({ action: 'start' })
    await trail.record({ ...change, actor })
    const entries = await trail.list({ limit: 10 })
    const by = { actor: playerId, actorName: 'Dallas', address: '192.0.2.7' }
    expect(entries).toEqual([
      { at: expect.any(Date), ...by, ...change },
      { at: expect.any(Date), ...unsigned, action: 'start', subject: null, detail: null },
    ])
    expect(await trail.list({ limit: 1 })).toEqual(entries.slice(0, 1))
    expect(await trail.list({ limit: -5 })).toEqual(entries.slice(0, 1))
    expect(await trail.list({ limit: Infinity })).toEqual(entries)
  })
  it('of the audit trail the newest stay, of what people did to themselves apart', async () => {
    const trail = audit(database.sql)
    await database.sql`delete from audit`
    const playerId = randomUUID()
    const actor = { playerId, username: 'Dallas' }
    await trail.record({ action: 'start' })
    await trail.record({ action: 'pause', actor })
    await trail.record({ action: 'reset', actor, subject: randomUUID() })
    for (const action of ['register', 'change_password', 'delete_account']) {
      await trail.record({ action, actor, subject: playerId })
    }
    await trail.prune(2)
    const left = (await trail.list({ limit: 10 })).map(({ action }) => action)
    expect(left).toEqual(['delete_account', 'change_password', 'reset', 'pause'])
  })
}
