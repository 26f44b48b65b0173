import { expect } from 'vitest'
import type { Case, Section } from './case.ts'
import { JWT, REGISTERED, STATUS, UUID, envelope } from './shapes.ts'
import { ADMIN } from '../server-process.ts'
import { type Loose, PASSWORD, eventually } from './world.ts'

const register = (username: unknown, password: unknown): RequestBody => [
  'POST',
  '/api/auth/register',
  { username, password },
]
type RequestBody = readonly [string, string, unknown]

const badNames: readonly (readonly [string, unknown])[] = [
  ['two characters', 'ab'],
  ['21 characters', 'a'.repeat(21)],
  ['a hyphen', 'a-b-c'],
  ['a space', 'a b c'],
  ['a letter beyond ASCII', 'zo\u00eb'],
  ['markup', '<i>me</i>'],
  ['nothing', ''],
]

const registration: readonly Case[] = [
  {
    rows: ['register/201', 'auth/issuers', 'type/uuid', 'player/player_id', 'player/ship_id'],
    title: 'a new player gets ids and a token, and no password back',
    ask: register('Public_One', PASSWORD),
    status: 201,
    body: { ...REGISTERED, username: 'Public_One' },
  },
  ...['abc', 'abcdefghij_123456789', '___', '1234'].map((username) => ({
    rows: ['limit/username', 'player/username', 'register/201'] as const,
    title: `${username.length} characters such as ${username} make a name`,
    ask: register(username, PASSWORD),
    status: 201,
    body: { ...REGISTERED, username },
  })),
  ...badNames.map(([what, username]) => ({
    rows: ['register/E011', 'limit/username', 'error/E011', 'player/username'] as const,
    title: `a name with ${what} is refused`,
    ask: register(username, PASSWORD),
    status: 400,
    code: 'E011',
  })),
  ...[undefined, null, 12345, ['abc'], { a: 1 }, true].map((username) => ({
    rows: ['design:codes/of-fields'] as const,
    title: `a name that is ${JSON.stringify(username)} counts as a bad name`,
    ask: register(username, PASSWORD),
    status: 400,
    code: 'E011',
  })),
  ...['1234567', '', undefined, 12345678].map((password) => ({
    rows: ['register/E012', 'limit/password', 'error/E012', 'design:codes/of-fields'] as const,
    title: `a password that is ${JSON.stringify(password)} is refused`,
    ask: register('Public_Two', password),
    status: 400,
    code: 'E012',
  })),
  {
    rows: ['limit/password', 'player/password'],
    title: 'eight characters make a password',
    ask: register('Public_Eight', '12345678'),
    status: 201,
    body: { ...REGISTERED, username: 'Public_Eight' },
  },
  ...['Ida', 'iDA', ADMIN.username, 'ida'].map((username) => ({
    rows: ['register/E010', 'error/E010', 'player/username', 'design:register/order'] as const,
    title: `the name ${username} is taken`,
    ask: register(username, PASSWORD),
    status: 409,
    code: 'E010',
  })),
  {
    rows: ['design:register/order'],
    title: 'the name is looked at before the password, and both before who has the name',
    script: async ({ ask }) => {
      const answered = async (username: string, password: string): Promise<unknown> =>
        (await ask('POST', '/api/auth/register', { body: { username, password } })).body
      expect(await answered('a', 'b')).toEqual(envelope('E011'))
      expect(await answered('ida', 'b')).toEqual(envelope('E012'))
    },
  },
  {
    rows: ['register/E020', 'error/E020', 'design:register/order'],
    title: 'closed, even a bad name is only told that it is closed',
    script: async ({ ask, order }) => {
      await order('POST', '/api/admin/registrations/disable')
      for (const username of ['Public_Late', 'a']) {
        const body = { username, password: PASSWORD }
        const answer = await ask('POST', '/api/auth/register', { body })
        expect([answer.status, answer.body]).toEqual([403, envelope('E020')])
      }
      await order('POST', '/api/admin/registrations/enable')
    },
  },
]

const logins: readonly Case[] = [
  {
    rows: ['login/200', 'auth/one-login', 'admin/one-login', 'player/is_admin'],
    title: 'a player logs in and is no admin',
    ask: ['POST', '/api/auth/login', { username: 'Ida', password: PASSWORD }],
    status: 200,
    body: { player_id: UUID, username: 'Ida', ship_id: UUID, token: JWT, is_admin: false },
  },
  {
    rows: [
      'login/200',
      'auth/one-login',
      'admin/one-login',
      'admin/from-environment',
      'player/is_admin',
      'player/ship_id',
      'design:login/admin-token',
    ],
    title: "the environment's admin logs in too, without a ship",
    ask: ['POST', '/api/auth/login', ADMIN],
    status: 200,
    body: {
      player_id: UUID,
      username: ADMIN.username,
      ship_id: '',
      token: JWT,
      is_admin: true,
      admin_token: JWT,
    },
  },
  {
    rows: ['login/E005', 'security/login', 'error/E005'],
    title: 'unknown names and wrong passwords cannot be told apart',
    script: async ({ ask }) => {
      const texts = new Set<string>()
      for (const body of [
        { username: 'Ida', password: 'not this one' },
        { username: 'Nobody_here', password: PASSWORD },
        { username: ADMIN.username, password: PASSWORD },
        { username: 'Ida' },
        {},
      ]) {
        const answer = await ask('POST', '/api/auth/login', { body })
        expect([answer.status, answer.body]).toEqual([401, envelope('E005')])
        texts.add(answer.text)
      }
      expect(texts.size).toBe(1)
    },
  },
  ...['/api/admin/auth/login', '/api/admin/login'].map((path) => ({
    rows: ['admin-login/200', 'admin-login/alias', 'version/alias', 'admin/admin_id'] as const,
    title: `${path} takes an admin`,
    ask: ['POST', path, ADMIN] as const,
    status: 200,
    body: { success: true, admin_id: UUID, token: JWT, role: 'admin', is_admin: true },
  })),
  ...['/api/admin/auth/login', '/api/admin/login'].flatMap((path) =>
    [
      { username: 'Ida', password: PASSWORD },
      { username: ADMIN.username, password: 'wrong one' },
      { username: 'Nobody_here', password: PASSWORD },
    ].map((body) => ({
      rows: ['admin-login/E005', 'error/E005'] as const,
      title: `${path} refuses ${body.username} with ${body.password}`,
      ask: ['POST', path, body] as const,
      status: 401,
      code: 'E005',
    })),
  ),
]

const status: readonly Case[] = [
  {
    rows: ['status/200', 'status/online', 'auth/open-routes', 'version/paths', 'type/timestamp'],
    title: 'anybody sees ten fields',
    ask: ['GET', '/api/status'],
    status: 200,
    body: { ...STATUS, server_name: 'Conformance' },
  },
  {
    rows: ['status/players_online', 'design:online/players'],
    title: 'players are counted while they are connected, admins who watch are not',
    script: async ({ ask, connect, ida, chief, newPlayer }) => {
      const online = async (count: number): Promise<unknown> => {
        const look = async () => (await ask('GET', '/api/status')).body as Loose
        const found = await eventually(look, ({ players_online: now }) => now === count)
        return found.players_online
      }
      const first = await connect(ida.token)
      const second = await connect((await newPlayer()).token)
      const watching = await connect(chief.token)
      await watching.next('welcome')
      expect(await online(2)).toBe(2)
      await second.hangUp()
      expect(await online(1)).toBe(1)
      await first.hangUp()
      expect(await online(0)).toBe(0)
    },
  },
  {
    rows: ['status/sources', 'setting/paused', 'setting/registration_open'],
    title: 'tick, time, pause and registration are those the admin sees and sets',
    script: async ({ ask, order }) => {
      await order('POST', '/api/admin/game/pause')
      await order('POST', '/api/admin/registrations', { open: false })
      const open = (await ask('GET', '/api/status')).body
      const { current_tick: tick, ...rest } = await order('GET', '/api/admin/status')
      expect(open).toMatchObject({
        tick,
        game_time: rest.game_time,
        paused: true,
        registration_open: false,
        time_sync_enabled: rest.time_sync_enabled,
        effective_time_scale: rest.effective_time_scale,
      })
      await order('POST', '/api/admin/registrations', { open: true })
      await order('POST', '/api/admin/game/resume')
      const resumed = (await ask('GET', '/api/status')).body
      expect(resumed).toMatchObject({ paused: false, registration_open: true })
    },
  },
]

export const publicSection: Section = {
  name: 'public',
  cases: [...registration, ...logins, ...status],
}
