import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { PASSWORD } from '../player-client.ts'
import { refusalOf } from '../refusal.ts'
import { ADMIN, randomKey } from '../server-process.ts'
import { type Case, type Row, type Section, casesOf } from './case.ts'
import { UUID } from './shapes.ts'
import { type World, claimsOf, signed } from './world.ts'

const DAY = 86_400
const now = (): number => Math.floor(Date.now() / 1000)

const playerClaims = ({ ida }: World): object => ({
  sub: ida.player_id,
  type: 'player',
  ship_id: ida.ship_id,
  iat: now(),
  exp: now() + DAY,
})
const adminClaims = ({ chief }: World): object => ({
  sub: chief.admin_id,
  type: 'admin',
  iat: now(),
  exp: now() + DAY,
})

type Forging = (world: World) => string

/** A good player's token but for some claims and parts of its header. */
const asPlayer =
  (claims: object, header: object = {}): Forging =>
  (world) =>
    signed(world.key, { ...playerClaims(world), ...claims }, header)
const asAdmin =
  (claims: object, header: object = {}): Forging =>
  (world) =>
    signed(world.key, { ...adminClaims(world), ...claims }, header)
const unsigned =
  (token: Forging): Forging =>
  (world) =>
    token(world).replace(/[^.]*$/, '')

/** Tokens that are invalid everywhere, by what is wrong with them. */
const FORGED: Readonly<Record<string, Forging>> = {
  'no token at all': () => '',
  'a word': () => 'garbage',
  'dots only': () => '...',
  'another key': (world) => signed(randomKey(), playerClaims(world)),
  'another key, for an admin': (world) => signed(randomKey(), adminClaims(world)),
  'no algorithm': unsigned(asPlayer({}, { alg: 'none' })),
  'no algorithm, for an admin': unsigned(asAdmin({}, { alg: 'none' })),
  HS384: asPlayer({}, { alg: 'HS384' }),
  HS512: asPlayer({}, { alg: 'HS512' }),
  'HS512, for an admin': asAdmin({}, { alg: 'HS512' }),
  'an unknown extension': asPlayer({}, { crit: ['strict'], strict: true }),
  'a cut signature': ({ ida }) => ida.token.slice(0, -3),
  'no signature': unsigned(({ ida }) => ida.token),
  'another payload': (world) => {
    const [head, , signature] = world.ida.token.split('.')
    return [head, signed(world.key, adminClaims(world)).split('.')[1], signature].join('.')
  },
  'a past expiry': asPlayer({ iat: now() - DAY - 5, exp: now() - 1 }),
  'a past expiry, for an admin': asAdmin({ exp: now() - 1 }),
  'no expiry': asPlayer({ exp: undefined }),
  'a text as expiry': asPlayer({ exp: String(now() + DAY) }),
  'a start in the future': asPlayer({ nbf: now() + DAY }),
  'no type': asPlayer({ type: undefined }),
  'an unknown type': asPlayer({ type: 'root' }),
  'a list as type': asPlayer({ type: ['player', 'admin'] }),
  'no subject': asPlayer({ sub: undefined }),
  'no ship': asPlayer({ ship_id: undefined }),
  'the type player for an admin': asAdmin({ type: 'player' }),
  'the type admin for a player': asPlayer({ type: 'admin' }),
  'a generation to come': asPlayer({ generation: 99 }),
  'a text as generation': asPlayer({ generation: '0' }),
}

async function refusedEverywhere(world: World, token: string): Promise<void> {
  for (const path of ['/api/player/ship', '/api/admin/status', '/api/admin/players']) {
    const answer = await world.ask('GET', path, { token })
    expect([path, refusalOf(answer)]).toEqual([path, '401 E005'])
  }
  expect(await world.refused({ authorization: `Bearer ${token}` })).toBe('401 E005')
  if (token.length > 20) world.secrets.add(token)
}

const validation: readonly Case[] = Object.entries(FORGED).map(([what, forge]) => ({
  rows: ['auth/validation', 'auth/key', 'player-ship/E005', 'error/E005'],
  title: `a token with ${what} is refused everywhere`,
  script: (world) => refusedEverywhere(world, forge(world)),
}))

const claims: readonly Case[] = [
  {
    rows: [
      'claim/sub',
      'claim/type',
      'claim/ship_id',
      'claim/iat',
      'claim/exp',
      'limit/token',
      'auth/issuers',
      'auth/key',
    ],
    title: 'tokens are HS256 and carry their claims for a day',
    script: async ({ ida, chief, login }) => {
      const entered = await login(ida)
      const found = [ida.token, entered.token, chief.token].map(claimsOf)
      const [registered, again, admin] = found
      const { player_id: sub, ship_id } = ida
      expect(registered).toMatchObject({ sub, ship_id, type: 'player' })
      expect(again).toMatchObject({ sub, ship_id, type: 'player' })
      expect(admin).toMatchObject({ sub: UUID, type: 'admin' })
      expect(admin).not.toHaveProperty('ship_id')
      for (const { iat, exp } of found) {
        expect(exp - iat).toBe(DAY)
        expect(Math.abs(iat - now())).toBeLessThan(3600)
      }
      for (const token of [ida.token, chief.token]) {
        const head = JSON.parse(Buffer.from(token.split('.')[0], 'base64url').toString())
        expect(head.alg).toBe('HS256')
      }
    },
  },
  {
    rows: ['claim/ship_id', 'player/ship_id', 'design:login/admin-token'],
    title: "an admin's player token has an empty ship",
    script: async ({ chief, login }) => {
      const { token, admin_token } = await login(chief)
      expect(claimsOf(token)).toMatchObject({ type: 'player', ship_id: '' })
      expect(claimsOf(admin_token)).toMatchObject({ type: 'admin', sub: chief.admin_id })
    },
  },
  {
    rows: ['auth/validation', 'auth/key', 'design:token/exact-claims', 'design:token/ship-now'],
    title: "a token with exactly the interface's claims is valid, for a minute and for a century",
    script: async (world) => {
      const { ask, connect, ida } = world
      const extra = { iss: 'elsewhere', roles: ['admin'], is_admin: true, nbf: 0 }
      for (const claims of [
        { ship_id: randomUUID() },
        { exp: now() + 60 },
        { exp: now() + 100 * 366 * DAY },
        { ...extra, aud: 'others', jti: randomUUID() },
      ]) {
        const token = asPlayer(claims)(world)
        const ship = await ask('GET', '/api/player/ship', { token })
        expect([ship.status, ship.body]).toMatchObject([200, { ship_id: ida.ship_id }])
        expect(refusalOf(await ask('GET', '/api/admin/status', { token }))).toBe('401 E005')
        await (await connect(token)).freshTick()
      }
      const admin = asAdmin({})(world)
      expect((await ask('GET', '/api/admin/status', { token: admin })).status).toBe(200)
    },
  },
  {
    rows: ['claim/exp', 'design:socket/refusals'],
    title: 'a socket is closed with 4003 when its token expires',
    isOfNight: true,
    script: async (world) => {
      const token = asPlayer({ exp: now() + 3 })(world)
      const socket = await world.connect(token)
      expect(await socket.closed).toEqual({ code: 4003, reason: 'expired' })
      expect(await world.refused({ authorization: `Bearer ${token}` })).toBe('401 E005')
    },
  },
]

const doors: readonly Case[] = [
  {
    rows: ['auth/open-routes'],
    title: 'five routes need no token',
    script: async ({ ask }) => {
      const bad = { headers: { authorization: 'Bearer nonsense' } }
      for (const options of [{}, bad]) {
        expect((await ask('GET', '/api/status', options)).status).toBe(200)
        const register = { ...options, body: {} }
        expect((await ask('POST', '/api/auth/register', register)).status).toBe(400)
        for (const path of ['/api/auth/login', '/api/admin/auth/login', '/api/admin/login']) {
          expect((await ask('POST', path, { ...options, body: ADMIN })).status).toBe(200)
        }
      }
    },
  },
  {
    rows: ['auth/header', 'auth/types', 'admin-routes/token'],
    title: 'a token counts only as Bearer in its header, and only for its kind',
    script: async ({ ask, ida, chief }) => {
      const status = async (
        path: string,
        headers: Readonly<Record<string, string>>,
      ): Promise<number> => (await ask('GET', path, { headers })).status
      const { token } = ida
      const bearer = (token: string): Record<string, string> => ({
        authorization: `Bearer ${token}`,
      })
      expect(await status('/api/player/ship', bearer(token))).toBe(200)
      expect(await status('/api/player/ship', { authorization: `bearer ${token}` })).toBe(200)
      expect(await status('/api/player/ship', { authorization: token })).toBe(401)
      expect(await status('/api/player/ship', { authorization: `Basic ${token}` })).toBe(401)
      expect(await status('/api/player/ship', { cookie: `token=${token}` })).toBe(401)
      const query = `token=${token}&authorization=Bearer%20${token}`
      expect(await status(`/api/player/ship?${query}`, {})).toBe(401)
      expect(await status('/api/player/ship', bearer(chief.token))).toBe(401)
      expect(await status('/api/admin/status', bearer(chief.token))).toBe(200)
      expect(await status('/api/admin/status', bearer(token))).toBe(401)
    },
  },
]

const STATION = { name: 'Halfway', parent_body: 'Earth', altitude: 900_000 }
const GATE = { name: 'Door', primary_body: 'Sun', secondary_body: 'Earth' }
const PASSWORD_CHANGE = { new_password: PASSWORD }
const NEW_ADMIN = { username: 'Third_Chief', password: PASSWORD }

/** A good request for each admin route, and its row of refusals. */
export const ADMIN_ROUTES: readonly (readonly [Row, string, string, unknown?])[] = [
  ['players/E005', 'GET', '/api/admin/players'],
  ['player-delete/E005', 'DELETE', '/api/admin/players/{player}'],
  ['player-password/E005', 'POST', '/api/admin/players/{player}/reset-password', PASSWORD_CHANGE],
  ['role/E005', 'PUT', '/api/admin/players/{player}/role', { is_admin: true }],
  ['admin-routes/token', 'GET', '/api/admin/players/{player}'],
  ['admin-routes/token', 'GET', '/api/admin/admins'],
  ['admin-routes/token', 'POST', '/api/admin/admins', NEW_ADMIN],
  ['admin-routes/token', 'DELETE', '/api/admin/admins/{chief}'],
  ['admin-routes/token', 'PUT', '/api/admin/admins/{chief}/password', PASSWORD_CHANGE],
  ['admin-status/E005', 'GET', '/api/admin/status'],
  ['admin-routes/token', 'POST', '/api/admin/game/pause'],
  ['admin-routes/token', 'POST', '/api/admin/game/resume'],
  ['admin-routes/token', 'PUT', '/api/admin/game/tick-rate', { tick_rate: 5 }],
  ['admin-routes/token', 'PUT', '/api/admin/game/time-scale', { time_scale: 5 }],
  ['admin-routes/token', 'PUT', '/api/admin/game/clock', { game_time: '2027-01-01T00:00:00Z' }],
  ['admin-routes/token', 'DELETE', '/api/admin/game/clock'],
  ['admin-routes/token', 'GET', '/api/admin/game/pace-vote'],
  ['admin-routes/token', 'PUT', '/api/admin/game/pace-vote', { lowest: 1, highest: 9 }],
  ['admin-routes/token', 'DELETE', '/api/admin/game/pace-vote'],
  ['admin-routes/token', 'POST', '/api/admin/game/time-sync', { enabled: true }],
  ['adaptive/E005', 'POST', '/api/admin/game/adaptive-tick-rate', { enabled: true }],
  ['reset/E005', 'POST', '/api/admin/game/reset'],
  ['registrations/E005', 'GET', '/api/admin/registrations'],
  ['registrations-set/E005', 'POST', '/api/admin/registrations', { open: false }],
  ['registrations-enable/E005', 'POST', '/api/admin/registrations/enable'],
  ['registrations-disable/E005', 'POST', '/api/admin/registrations/disable'],
  ['talk/E005', 'POST', '/api/admin/talk', { enabled: true }],
  ['admin-routes/token', 'POST', '/api/admin/snapshot'],
  ['admin-routes/token', 'GET', '/api/admin/snapshots'],
  ['admin-routes/token', 'GET', '/api/admin/snapshots/{unknown}'],
  ['admin-routes/token', 'DELETE', '/api/admin/snapshots/{unknown}'],
  ['admin-routes/token', 'GET', '/api/admin/backups'],
  ['admin-routes/token', 'POST', '/api/admin/backups'],
  ['admin-routes/token', 'POST', '/api/admin/backups/{unknown}/file', { password: PASSWORD }],
  ['admin-routes/token', 'DELETE', '/api/admin/backups/{unknown}'],
  ['admin-routes/token', 'POST', '/api/admin/backups/{unknown}/restore'],
  ['admin-routes/token', 'DELETE', '/api/admin/tokens'],
  ['admin-routes/token', 'GET', '/api/admin/version'],
  ['admin-routes/token', 'GET', '/api/admin/hosts'],
  ['admin-routes/token', 'POST', '/api/admin/hosts/{unknown}/systems', { system_id: 'sol' }],
  ['admin-routes/token', 'POST', '/api/admin/hosts/{unknown}/drain'],
  ['admin-routes/token', 'DELETE', '/api/admin/hosts/{unknown}/drain'],
  ['admin-routes/token', 'GET', '/api/admin/load'],
  ['admin-routes/token', 'GET', '/api/admin/history?span=hour'],
  ['admin-routes/token', 'POST', '/api/admin/restore', { snapshot_id: 1 }],
  ['systems/E005', 'GET', '/api/admin/systems'],
  ['transfer/E005', 'POST', '/api/admin/ship/{ship}/system', { system_id: 'sol' }],
  ['station-make/E005', 'POST', '/api/admin/station', STATION],
  ['stations/E005', 'GET', '/api/admin/stations'],
  ['station-delete/E005', 'DELETE', '/api/admin/station/{unknown}'],
  ['gate-make/E005', 'POST', '/api/admin/jumpgate', GATE],
  ['gates/E005', 'GET', '/api/admin/jumpgates'],
  ['gate-delete/E005', 'DELETE', '/api/admin/jumpgate/{unknown}'],
  ['logging/E005', 'GET', '/api/admin/maneuver-logging'],
  ['logging-set/E005', 'POST', '/api/admin/maneuver-logging', { level: 'off' }],
  ['maneuver-events/E005', 'GET', '/api/admin/maneuver-events'],
  ['admin-routes/token', 'GET', '/api/admin/maneuver-debug?ship_id={ship}'],
  ['admin-routes/token', 'POST', '/api/admin/maneuver-debug', { ship_id: '{ship}', enabled: true }],
]

const strangers: readonly Case[] = ADMIN_ROUTES.flatMap(([row, method, path, body]) =>
  casesOf(['player', 'stranger'], (as) => ({
    rows: [row, 'admin-routes/token'],
    ask: [method, path, body],
    as,
    answer: '401 E005',
  })),
)

export const authenticationSection: Section = {
  name: 'authentication',
  cases: [...validation, ...claims, ...doors, ...strangers],
}
