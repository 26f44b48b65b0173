// What needs no admin: registration, login, status, and a player's own account and ship.
import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { inTurn } from '../in-turn.ts'
import { type Loose, PASSWORD, idsOf } from '../player-client.ts'
import { refusalOf } from '../refusal.ts'
import { ADMIN } from '../server-process.ts'
import { type Case, type Section, casesOf, fieldRows } from './case.ts'
import { JWT, OWN_SHIP, REGISTERED, SHIP, STATUS, TEXT, UUID, envelope } from './shapes.ts'
import { eventually, signed } from './world.ts'

const register = (username: unknown, password: unknown): readonly [string, string, unknown] => [
  'POST',
  '/api/auth/register',
  { username, password },
]

const registration: readonly Case[] = [
  {
    rows: ['register/201', 'auth/issuers', 'type/uuid', 'player/player_id', 'player/ship_id'],
    title: 'a new player gets ids and a token, and no password back',
    ask: register('Public_One', PASSWORD),
    answer: '201',
    body: { ...REGISTERED, username: 'Public_One' },
  },
  {
    rows: ['limit/username', 'player/username', 'limit/password', 'player/password', 'login/200'],
    title: 'names and passwords at their limits are valid and log in',
    script: async ({ ask, enter, secrets }) => {
      for (const [username, password] of [
        ['abc', PASSWORD],
        ['abcdefghij_123456789', '12345678'],
        ['___', ' '.repeat(8)],
        ['1234', 'x'.repeat(1024)],
        ['rockets', '🚀'.repeat(8)],
        ['nul_pass', 'nul\u0000inside'],
      ] as const) {
        const [method, path, body] = register(username, password)
        const made = await ask(method, path, { body })
        expect([made.status, made.body]).toEqual([201, { ...REGISTERED, username }])
        const { player_id, ship_id } = made.body as Loose
        const entered = await enter(username, password)
        const account = { player_id, username, ship_id, is_admin: false, token: JWT }
        expect([entered.status, entered.body]).toEqual([200, account])
        if (/^[ -~]*\S[ -~]*$/.test(password)) secrets.add(password)
      }
    },
  },
  ...casesOf(
    [
      'ab',
      'a'.repeat(21),
      'a-b-c',
      'a b c',
      ' abc',
      'abc\n',
      'abc\u0000',
      'zo\u00eb',
      '<i>me</i>',
      '',
      undefined,
      null,
      12345,
      ['abc'],
      { a: 1 },
      true,
    ],
    (username) => ({
      rows: [
        'register/E011',
        'limit/username',
        'error/E011',
        'player/username',
        'design:codes/of-fields',
      ],
      ask: register(username, PASSWORD),
      answer: '400 E011',
    }),
  ),
  ...casesOf(
    [
      '1234567',
      '',
      '🚀'.repeat(7),
      'x'.repeat(1025),
      undefined,
      null,
      12345678,
      1234567890,
      { length: 9 },
    ],
    (password) => ({
      rows: ['register/E012', 'limit/password', 'error/E012', 'design:codes/of-fields'],
      ask: register('Public_Two', password),
      answer: '400 E012',
    }),
  ),
  ...casesOf(['Ida', 'iDA', ADMIN.username, ADMIN.username.toLowerCase(), 'ida'], (username) => ({
    rows: ['register/E010', 'error/E010', 'player/username', 'design:register/order'],
    ask: register(username, PASSWORD),
    answer: '409 E010',
  })),
  {
    rows: ['design:register/order'],
    title: 'the name is checked before the password, and both before the owner of the name',
    ask: register('a', 'b'),
    answer: '400 E011',
  },
  { rows: ['design:register/order'], ask: register('ida', 'b'), answer: '400 E012' },
  {
    rows: ['register/E020', 'error/E020', 'design:register/order'],
    title: 'while closed, any registration is E020, and logins go on',
    script: async ({ ask, enter, order }) => {
      await order('POST', '/api/admin/registrations/disable')
      const good = { username: 'Public_Late', password: PASSWORD }
      for (const body of [good, { ...good, username: 'a' }, { ...good, password: 'short' }]) {
        expect(refusalOf(await ask('POST', '/api/auth/register', { body }))).toBe('403 E020')
      }
      const malformed = await ask('POST', '/api/auth/register', { text: '{' })
      expect(refusalOf(malformed)).toBe('403 E020')
      expect((await enter('ida', PASSWORD)).status).toBe(200)
      await order('POST', '/api/admin/registrations/enable')
    },
  },
]

const ADMIN_LOGINS = ['/api/admin/auth/login', '/api/admin/login'] as const

const logins: readonly Case[] = [
  {
    rows: ['login/200', 'auth/one-login', 'admin/one-login', 'player/is_admin'],
    title: 'a player logs in and is no admin',
    ask: ['POST', '/api/auth/login', { username: 'Ida', password: PASSWORD }],
    answer: '200',
    body: { player_id: UUID, username: 'Ida', ship_id: UUID, token: JWT, is_admin: false },
  },
  ...casesOf([ADMIN.username, ADMIN.username.toUpperCase()], (username) => ({
    rows: [
      'login/200',
      'auth/one-login',
      'admin/one-login',
      'admin/from-environment',
      'player/is_admin',
      'player/ship_id',
      'design:login/admin-token',
    ],
    title: `the environment's admin logs in too, without a ship, as ${username}`,
    ask: ['POST', '/api/auth/login', { ...ADMIN, username }],
    answer: '200',
    body: {
      player_id: UUID,
      username: ADMIN.username,
      ship_id: '',
      token: JWT,
      is_admin: true,
      admin_token: JWT,
    },
  })),
  {
    rows: ['login/E005', 'admin-login/E005', 'security/login', 'error/E005'],
    title: 'unknown names and wrong passwords get the same bytes, on all three routes',
    script: async ({ ask }) => {
      const texts = new Set<string>()
      const wrong = [
        { username: 'Ida', password: 'not this one' },
        { username: 'Nobody_here', password: PASSWORD },
        { username: ADMIN.username, password: PASSWORD },
        { username: ['Ida'], password: PASSWORD },
        { username: "Ida' or '1'='1", password: PASSWORD },
        { username: 'Ida\u0000', password: PASSWORD },
        { username: 'Ida', password: null },
        { username: 'Ida', password: 12345678 },
        { username: 'Ida', password: `${PASSWORD} ` },
        { username: 'Ida', password: 'x'.repeat(5000) },
        { username: 'Ida' },
        { password: PASSWORD },
        {},
      ]
      const [name, ...odd] = wrong
      for (const [i, path] of ['/api/auth/login', ...ADMIN_LOGINS].entries()) {
        const others = path === '/api/auth/login' ? [] : [{ username: 'Ida', password: PASSWORD }]
        for (const body of [name, ...inTurn(odd, i), ...others]) {
          const answer = await ask('POST', path, { body })
          expect([path, body, refusalOf(answer)]).toEqual([path, body, '401 E005'])
          texts.add(answer.text)
        }
      }
      expect(texts.size).toBe(1)
    },
  },
  ...casesOf(ADMIN_LOGINS, (path) => ({
    rows: ['admin-login/200', 'admin-login/alias', 'version/alias', 'admin/admin_id'],
    ask: ['POST', path, ADMIN],
    answer: '200',
    body: { success: true, admin_id: UUID, token: JWT, role: 'admin', is_admin: true },
  })),
]

const status: readonly Case[] = [
  {
    rows: ['status/200', 'status/online', 'auth/open-routes', 'version/paths', 'type/timestamp'],
    title: 'the public status has ten fields',
    ask: ['GET', '/api/status'],
    answer: '200',
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
      await second.close()
      expect(await online(1)).toBe(1)
      await first.close()
      expect(await online(0)).toBe(0)
    },
  },
  {
    rows: ['status/sources', 'setting/paused', 'setting/registration_open'],
    title: 'tick, time, pause and registration equal those that the admin sees and sets',
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

const ownShip: readonly Case[] = [
  {
    rows: ['player-ship/200', 'type/vec3', 'type/quaternion', 'design:vectors/frame'].concat(
      fieldRows('ship', SHIP),
    ) as Case['rows'],
    title: 'the owner sees all fields of the ship',
    ask: ['GET', '/api/player/ship'],
    answer: '200',
    body: OWN_SHIP,
  },
  {
    rows: ['ship/at-request', 'ship/position'],
    title: 'the ship of a later tick is in another place',
    script: async ({ ask, connect, ida }) => {
      const socket = await connect(ida.token)
      const look = async () => (await ask('GET', '/api/player/ship', { token: ida.token })).body
      const before = (await look()) as typeof SHIP
      await socket.freshTick()
      await socket.next('tick')
      const after = (await look()) as typeof SHIP
      expect(after.position).not.toEqual(before.position)
    },
  },
  {
    rows: ['player-ship/E005', 'auth/header', 'error/http'],
    ask: ['GET', '/api/player/ship'],
    as: 'stranger',
    answer: '401 E005',
  },
  {
    rows: ['player-ship/E006', 'error/E006', 'design:token/gone', 'auth/validation'],
    title: 'a valid token without an account is 404 E006 at the ship, and 401 elsewhere',
    script: async ({ ask, key, refused }) => {
      const now = Math.floor(Date.now() / 1000)
      for (const sub of [randomUUID(), 'no uuid', '', "'; drop table account; --"]) {
        const claims = { sub, iat: now, exp: now + 600 }
        const token = signed(key, { ...claims, type: 'player', ship_id: randomUUID() })
        expect(refusalOf(await ask('GET', '/api/player/ship', { token }))).toBe('404 E006')
        expect(refusalOf(await ask('DELETE', '/api/account', { token }))).toBe('401 E005')
        expect(await refused({ authorization: `Bearer ${token}` })).toBe('401 E005')
        const admin = { token: signed(key, { ...claims, type: 'admin' }) }
        expect(refusalOf(await ask('GET', '/api/admin/status', admin))).toBe('401 E005')
      }
    },
  },
  {
    rows: ['player-ship/E006', 'player/ship_id'],
    title: 'an admin without ship gets E006',
    script: async ({ ask, chief, login }) => {
      const { token, ship_id } = await login(chief)
      expect(ship_id).toBe('')
      expect(refusalOf(await ask('GET', '/api/player/ship', { token }))).toBe('404 E006')
    },
  },
]

const ownAccount: readonly Case[] = [
  {
    rows: ['account-delete/204', 'state/delete', 'message/deleted', 'design:token/gone'],
    title: 'a deleted account leaves nothing, and its name is free',
    script: async ({ ask, connect, enter, ida, newPlayer }) => {
      const { token, username, ship_id, player_id } = await newPlayer()
      const own = await connect(token)
      const other = await connect(ida.token)
      await other.next('tick', (tick) => idsOf(tick).includes(ship_id))
      const answer = await ask('DELETE', '/api/account', { token })
      expect([answer.status, answer.text]).toEqual([204, ''])
      expect(idsOf(await other.freshTick())).not.toContain(ship_id)
      expect(await own.next('error')).toMatchObject({ code: 'E014' })
      expect((await own.closed).code).toBe(4004)
      expect(refusalOf(await ask('GET', '/api/player/ship', { token }))).toBe('404 E006')
      expect(refusalOf(await ask('DELETE', '/api/account', { token }))).toBe('401 E005')
      expect(refusalOf(await enter(username, PASSWORD))).toBe('401 E005')
      const body = { username, password: PASSWORD }
      const reborn = await ask('POST', '/api/auth/register', { body })
      expect(reborn.status).toBe(201)
      expect(Object.values(reborn.body as object)).not.toContain(player_id)
      expect(Object.values(reborn.body as object)).not.toContain(ship_id)
    },
  },
  ...casesOf(['stranger', 'chief'], (as) => ({
    rows: ['account-delete/E005', 'auth/types'],
    ask: ['DELETE', '/api/account'],
    as,
    answer: '401 E005',
  })),
  {
    rows: ['design:account/password'],
    title: 'players change their own password by the present one, and the token stays valid',
    script: async ({ ask, connect, enter, newPlayer }) => {
      const { token, username, password } = await newPlayer()
      const socket = await connect(token)
      const renewed = 'another horse 9'
      for (const [current, next, status, answered] of [
        ['not the one', renewed, 401, envelope('E005')],
        [undefined, renewed, 401, envelope('E005')],
        [12_345_678, renewed, 401, envelope('E005')],
        ['x'.repeat(1025), renewed, 401, envelope('E005')],
        ['', renewed, 401, envelope('E005')],
        [password, 'short', 400, envelope('E012')],
        [password, undefined, 400, envelope('E012')],
        [password, 12_345_678, 400, envelope('E012')],
        ['not the one', 'short', 400, envelope('E012')],
        [password, renewed, 200, { message: TEXT }],
      ] as const) {
        const body = { current_password: current, new_password: next }
        const answer = await ask('PUT', '/api/account/password', { token, body })
        expect([current, next, answer.status, answer.body]).toEqual([
          current,
          next,
          status,
          answered,
        ])
      }
      await socket.freshTick()
      expect((await ask('GET', '/api/player/ship', { token })).status).toBe(200)
      expect((await enter(username, renewed)).status).toBe(200)
      expect((await enter(username, password)).status).toBe(401)
    },
  },
]

export const playerSection: Section = {
  name: 'players',
  cases: [...registration, ...logins, ...status, ...ownShip, ...ownAccount],
}
