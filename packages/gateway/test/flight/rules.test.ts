// Goal: a pilot's rules act by themselves, and stand as he wrote them over HTTP and on the socket,
// also after a kill; what cannot be a rule is refused by name and changes nothing. Method: one real
// server, killed once; rules on game time and fuel, whose moments are known.
import { connectSocket, createGameClient } from '@orrery/client'
import type { RuleRequest } from '@orrery/protocol'
import { IS_NIGHT } from '@orrery/testkit/tier'
import { expect, test } from 'vitest'
import { type PlayerSocket, ask, openSocket, register } from '../player-client.ts'
import { refusalOf } from '../refusal.ts'
import { sharedServer } from '../used-server.ts'

const server = sharedServer()
let ida: Awaited<ReturnType<typeof register>>
let socket: PlayerSocket

const rulesOf = (token: string) => createGameClient({ url: server.url }).player(token).rules

/** A rule that burns for half a second, when game time has gone on by some seconds. */
function later(seconds: number, gameTime: string): RuleRequest {
  const moment = Math.ceil(Date.parse(gameTime) / 1000 + seconds) * 1000
  return {
    name: 'Burn',
    once: true,
    condition: { type: 'game_time', game_time: new Date(moment).toISOString() },
    action: { type: 'control', thrust_level: 1, duration: 0.5 },
  }
}

const EMPTY: RuleRequest = {
  name: 'Tank is not full',
  condition: { type: 'fuel', below: 0.99999 },
  action: { type: 'event' },
}

const TRANSFER = { type: 'maneuver_start', maneuver: 'transfer' } as const

test('rules fire at the second of their conditions, and one fires another', async () => {
  ida = await register(server, 'Ida')
  socket = await openSocket(server, ida.token)
  const { game_time: now } = await socket.next('tick')
  const rules = rulesOf(ida.token)
  const burn = await rules.create(later(3, now))
  const empty = await rules.create(EMPTY)
  expect((await rules.list()).rules).toEqual([burn, empty])
  expect(burn).toMatchObject({ ...later(3, now), armed: true })
  const isRule = ({ event }: { event: string }): boolean => event === 'rule'
  const first = await socket.next('event', isRule)
  expect(first).toMatchObject({ rule_id: burn.rule_id, rule_name: 'Burn', ship_id: ida.ship_id })
  const due = burn.condition.game_time ?? ''
  const late = Date.parse(first.game_time) - Date.parse(due)
  expect(late).toBeGreaterThanOrEqual(0)
  expect(late).toBeLessThan(1000)
  expect(Math.abs((Date.parse(first.game_time) % 1000) - 816)).toBeLessThan(3)
  const second = await socket.next('event', isRule)
  expect(second.rule_id).toBe(empty.rule_id)
  expect(Date.parse(second.game_time) - Date.parse(first.game_time)).toBe(1000)
  const { rules: after } = await rules.list()
  expect(after).toEqual([{ ...burn, armed: false }, empty])
})

test('rules are kept, over a kill at night, and are changed and deleted', async () => {
  if (IS_NIGHT) {
    await server.kill()
    await server.restart()
  }
  const rules = rulesOf(ida.token)
  const [burn, empty] = (await rules.list()).rules
  expect([burn.armed, empty.armed]).toEqual([false, true])
  const changed = await rules.replace(burn.rule_id, { ...EMPTY, name: 'Other', armed: false })
  expect(changed).toMatchObject({ rule_id: burn.rule_id, name: 'Other', armed: false })
  await rules.remove(empty.rule_id)
  expect((await rules.list()).rules).toEqual([changed])
  await rules.remove(burn.rule_id)
  expect((await rules.list()).rules).toEqual([])
})

test('the socket has the same rules', async () => {
  const pilot = connectSocket({ url: server.url, token: ida.token })
  await pilot.opened
  const saved = await pilot.saveRule({
    name: 'Down',
    condition: { type: 'altitude', below: 1e5, body: 'earth' },
    action: { type: 'maneuver_start', maneuver: 'circularize' },
  })
  expect(saved.armed).toBe(true)
  expect(await pilot.rules()).toEqual([saved])
  expect((await rulesOf(ida.token).list()).rules).toEqual([saved])
  const again = await pilot.saveRule({ ...EMPTY, once: true }, saved.rule_id)
  expect(await pilot.rules()).toEqual([again])
  await pilot.deleteRule(saved.rule_id)
  expect(await pilot.rules()).toEqual([])
  await expect(pilot.deleteRule(saved.rule_id)).rejects.toMatchObject({ code: 'E002' })
  pilot.close()
})

test('what is no rule is refused, and the 33rd one', async () => {
  const { token } = ida
  const post = (body: unknown) => ask(server, 'POST', '/api/player/rules', { token, body })
  const unknownId = '11111111-2222-4333-8444-555555555555'
  const bad: readonly [object, string][] = [
    [{ condition: { type: 'altitude' } }, '400 E001'],
    [{ condition: { type: 'altitude', above: 1, below: 2 } }, '400 E001'],
    [{ condition: { type: 'altitude', above: 1, body: 'Vulcan' } }, '404 E002'],
    [{ condition: { type: 'distance', above: 1 } }, '400 E001'],
    [{ condition: { type: 'distance', above: 1, ship_id: unknownId } }, '404 E002'],
    [{ condition: { type: 'distance', above: 1, ship_id: ida.ship_id } }, '400 E001'],
    [{ condition: { type: 'distance', above: 1, station_id: unknownId } }, '404 E002'],
    [{ condition: { type: 'speed', above: 'NaN' } }, '400 E001'],
    [{ condition: { type: 'fuel', above: 2 } }, '400 E001'],
    [{ condition: { type: 'apsis', apsis: 'middle' } }, '400 E001'],
    [{ condition: { type: 'game_time', game_time: 'soon' } }, '400 E001'],
    [{ condition: { type: 'mood', above: 1 } }, '400 E001'],
    // The server has no modules.
    [{ condition: { type: 'module', module: 'mining', column: 'ore', above: 1 } }, '404 E002'],
    [{ condition: { type: 'module', module: 'mining', above: 1 } }, '400 E001'],
    [{ condition: { type: 'fuel', above: 0.5, column: 'ore' } }, '400 E001'],
    [{ module_command: { module: 'mining', command: 'stop' } }, '404 E002'],
    [{ module_command: { module: 'mining' } }, '400 E001'],
    [{ action: { type: 'control' } }, '400 E001'],
    [{ action: { type: 'control', thrust_level: 2 } }, '400 E001'],
    [{ action: { type: 'maneuver_start', maneuver: 'loop' } }, '400 E001'],
    [{ action: { ...TRANSFER, target_body: 'Vulcan' } }, '404 E002'],
    [{ action: { ...TRANSFER, target_body: 'Phobos' } }, '400 E001'],
    [{ action: { type: 'rule_set' } }, '400 E001'],
    [{ name: '' }, '400 E001'],
    [{ name: 'x'.repeat(65) }, '400 E001'],
    [{ once: 1 }, '400 E001'],
  ]
  for (const [change, refusal] of bad) {
    const found = refusalOf(await post({ ...EMPTY, ...change }))
    expect({ change, found }).toEqual({ change, found: refusal })
  }
  const named = await post({ ...EMPTY, action: { type: 'control', thrust_level: 3 } })
  expect(JSON.stringify(named.body)).toContain('action.thrust_level')
  const other = `/api/player/rules/${unknownId}`
  expect(refusalOf(await ask(server, 'PUT', other, { token, body: EMPTY }))).toBe('404 E002')
  expect(refusalOf(await ask(server, 'DELETE', other, { token }))).toBe('404 E002')
  expect(refusalOf(await ask(server, 'GET', '/api/player/rules'))).toBe('401 E005')
  for (let i = 0; i < 32; i++) expect((await post(EMPTY)).status).toBe(201)
  const all = (await rulesOf(token).list()).rules
  expect(all).toHaveLength(32)
  expect(refusalOf(await post(EMPTY))).toBe('409 E003')
  const texts = await Promise.all(Array.from({ length: 100 }, () => post(EMPTY)))
  expect(new Set(texts.map(refusalOf))).toEqual(new Set(['409 E003']))
  expect((await rulesOf(token).list()).rules).toEqual(all)
  const max = await register(server, 'Max')
  expect((await rulesOf(max.token).list()).rules).toEqual([])
  const theirs = `/api/player/rules/${all[0].rule_id}`
  expect(refusalOf(await ask(server, 'DELETE', theirs, { token: max.token }))).toBe('404 E002')
})
