import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { type Loose, PASSWORD, idsOf } from '../player-client.ts'
import { refusalOf } from '../refusal.ts'
import { type Case, type Section, casesOf } from './case.ts'
import { ADMIN_ROW, PLAYER_ROW, TEXT, UUID } from './shapes.ts'
import type { Admin } from './world.ts'

const ADMINS = '/api/admin/admins'
const PLAYERS = '/api/admin/players'

const players: readonly Case[] = [
  {
    rows: ['players/200', 'player/created_at', 'player/online', 'design:players/all'],
    title: 'all accounts, with who is connected, in the same order twice',
    script: async ({ order, connect, ida, chief }) => {
      const socket = await connect(ida.token)
      const answer = await order('GET', PLAYERS)
      expect(Object.keys(answer)).toEqual(['players'])
      for (const row of answer.players) expect(row).toEqual(PLAYER_ROW)
      const row = (id: string): Loose =>
        answer.players.find(({ player_id: other }: Loose) => other === id)
      const { player_id, username, ship_id } = ida
      expect(row(player_id)).toMatchObject({ username, ship_id, online: true })
      expect(row(chief.admin_id)).toMatchObject({ ship_id: '', online: false })
      await socket.close()
      const again = await order('GET', PLAYERS)
      const names = ({ players }: Loose): string[] => players.map((item: Loose) => item.username)
      expect(names(again)).toEqual(names(answer))
      expect(again.players.some(({ online }: Loose) => online)).toBe(false)
    },
  },
  {
    rows: ['player-delete/204', 'state/delete', 'message/deleted', 'error/E014', 'error/socket'],
    title: 'a connected player gets E014 and is disconnected; the ship disappears',
    script: async ({ ask, removeOnce, connect, ida, newPlayer }) => {
      const { player_id: id, ship_id, username, token } = await newPlayer()
      const socket = await connect(token)
      await socket.next('tick')
      expect(refusalOf(await removeOnce(`${PLAYERS}/${id}`))).toBe('404 E009')
      expect(await socket.next('error')).toEqual({ type: 'error', code: 'E014', message: TEXT })
      expect((await socket.closed).code).toBe(4004)
      expect(idsOf(await (await connect(ida.token)).freshTick())).not.toContain(ship_id)
      const body = { username: username.toUpperCase(), password: PASSWORD }
      expect((await ask('POST', '/api/auth/register', { body })).status).toBe(201)
    },
  },
  {
    rows: [
      'player-password/200',
      'player-password/outside',
      'player/password',
      'design:token/reset-voids',
    ],
    title: 'after a reset the new password is valid, the old one and the old token are not',
    script: async ({ order, ask, newPlayer, connect, enter }) => {
      const { player_id: id, username, password, token } = await newPlayer()
      const socket = await connect(token)
      await socket.next('welcome')
      const path = `${PLAYERS}/${id}/reset-password`
      const answer = await order('POST', path, { new_password: 'brand new 77' })
      expect(answer).toEqual({ message: TEXT })
      expect(JSON.stringify(answer)).not.toContain('brand new 77')
      expect((await socket.closed).code).toBe(4006)
      expect((await ask('GET', '/api/player/ship', { token })).status).toBe(401)
      expect((await enter(username, password)).status).toBe(401)
      expect((await enter(username, 'brand new 77')).status).toBe(200)
    },
  },
  ...casesOf(['1234567', 12345678, undefined], (new_password) => ({
    rows: ['player-password/E012', 'limit/password', 'design:codes/of-fields'],
    ask: ['POST', `${PLAYERS}/{player}/reset-password`, { new_password }],
    answer: '400 E012',
  })),
]

/** Ids that no account has, some of them not UUIDs. */
const NO_IDS = ['{unknown}', 'no-uuid', '1', "'%20or%201=1", `${randomUUID()}x`, '%00']
const NEW_PASSWORD = { new_password: PASSWORD }

const unknown: readonly Case[] = NO_IDS.flatMap((id) => [
  {
    rows: ['player-delete/E009', 'error/E009', 'design:route/path-id'],
    ask: ['DELETE', `${PLAYERS}/${id}`],
    answer: '404 E009',
  },
  {
    rows: ['player-password/E009', 'design:route/path-id'],
    ask: ['POST', `${PLAYERS}/${id}/reset-password`, NEW_PASSWORD],
    answer: '404 E009',
  },
  {
    rows: ['design:ship/assign', 'design:route/path-id'],
    ask: ['POST', `${PLAYERS}/${id}/ship`],
    answer: '404 E009',
  },
  {
    rows: ['role/refused', 'design:role/unknown'],
    ask: ['PUT', `${PLAYERS}/${id}/role`, { is_admin: true }],
    answer: '400 E009',
  },
])

const notAdmins: readonly Case[] = [...NO_IDS, '{player}'].flatMap((id) => [
  {
    rows: ['admin-delete/E009', 'design:admins/not-one', 'design:route/path-id'],
    ask: ['DELETE', `${ADMINS}/${id}`],
    answer: '404 E009',
  },
  {
    rows: ['admin-password/E009', 'design:admins/not-one', 'design:route/path-id'],
    ask: ['PUT', `${ADMINS}/${id}/password`, NEW_PASSWORD],
    answer: '404 E009',
  },
])

const roles: readonly Case[] = [
  {
    rows: ['role/200', 'state/promote', 'state/demote', 'player/is_admin', 'design:token/role-now'],
    title: 'a player becomes admin with the same ship, and a player again',
    script: async ({ order, ask, login, newPlayer }) => {
      const player = await newPlayer()
      const { player_id: id, ship_id } = player
      const become = (is_admin: boolean): Promise<Loose> =>
        order('PUT', `${PLAYERS}/${id}/role`, { is_admin })
      expect(await become(true)).toEqual({ success: true })
      const entered = await login(player)
      expect(entered).toMatchObject({ is_admin: true, ship_id })
      const { admin_token: token } = entered
      expect((await ask('GET', '/api/admin/status', { token })).status).toBe(200)
      const ship = await ask('GET', '/api/player/ship', { token: entered.token })
      expect(ship.body).toMatchObject({ ship_id })
      expect(await become(false)).toEqual({ success: true })
      expect((await ask('GET', '/api/admin/status', { token })).status).toBe(401)
      const { is_admin, ship_id: kept } = await login(player)
      expect({ is_admin, kept }).toEqual({ is_admin: false, kept: ship_id })
    },
  },
  {
    rows: ['state/demote', 'design:login/no-ship', 'design:ship/assign'],
    title: 'a demoted admin without ship cannot log in until one is assigned',
    script: async ({ order, ask, newAdmin, chief, enter }) => {
      const { admin_id: id, username, password } = await newAdmin()
      await order('PUT', `${PLAYERS}/${id}/role`, { is_admin: false })
      expect(refusalOf(await enter(username, password))).toBe('403 E003')
      expect((await enter(username, 'not the one')).status).toBe(401)
      const assign = (): ReturnType<typeof ask> =>
        ask('POST', `${PLAYERS}/${id}/ship`, { token: chief.token })
      const assigned = await assign()
      expect([assigned.status, assigned.body]).toEqual([201, { ship_id: UUID }])
      expect(refusalOf(await assign())).toBe('409 E003')
      const { status, body } = await enter(username, password)
      expect([status, body]).toMatchObject([200, assigned.body])
    },
  },
  ...casesOf([true, false], (is_admin) => ({
    rows: ['role/own'],
    ask: ['PUT', `${PLAYERS}/{chief}/role`, { is_admin }],
    answer: '400 E003',
  })),
  ...casesOf(['true', 1, null, undefined], (is_admin) => ({
    rows: ['role/refused'],
    ask: ['PUT', `${PLAYERS}/{player}/role`, { is_admin }],
    answer: '400 E001',
  })),
]

const admins: readonly Case[] = [
  {
    rows: ['admin-create/201', 'admin/username'],
    title: 'an admin makes an admin',
    ask: ['POST', ADMINS, { username: 'Second_Chief', password: PASSWORD }],
    answer: '201',
    body: { admin_id: UUID, username: 'Second_Chief' },
  },
  ...casesOf(
    [
      ['400 E011', { username: 'x', password: PASSWORD }],
      ['400 E011', { username: 'a b c', password: PASSWORD }],
      ['400 E011', { password: PASSWORD }],
      ['400 E012', { username: 'Third_Chief', password: 'short' }],
      ['400 E012', { username: 'Third_Chief' }],
      ['409 E010', { username: 'ida', password: PASSWORD }],
      ['409 E010', { username: 'second_chief', password: PASSWORD }],
    ],
    ([answer, body]) => ({
      rows: [`admin-create/${codeIn(answer)}`, 'limit/username', 'limit/password'],
      ask: ['POST', ADMINS, body],
      answer,
    }),
  ),
  {
    rows: ['admins/200', 'admin/admin_id', 'admin/username', 'admin/created_at'],
    title: 'admins only, the first among them',
    script: async ({ order, chief, ida }) => {
      const { admins, ...rest } = await order('GET', ADMINS)
      expect(rest).toEqual({})
      for (const row of admins) expect(row).toEqual(ADMIN_ROW)
      const ids = admins.map(({ admin_id: id }: Admin) => id)
      expect(ids).toContain(chief.admin_id)
      expect(ids).not.toContain(ida.player_id)
      expect((await order('GET', ADMINS)).admins).toEqual(admins)
    },
  },
  {
    rows: ['admin-delete/204', 'design:token/role-now'],
    title: 'the token of a deleted admin is void at once',
    script: async ({ ask, removeOnce, newAdmin }) => {
      const { admin_id: id, token } = await newAdmin()
      expect(refusalOf(await removeOnce(`${ADMINS}/${id}`))).toBe('404 E009')
      expect((await ask('GET', '/api/admin/status', { token })).status).toBe(401)
    },
  },
  {
    rows: ['design:admins/deleted', 'message/deleted'],
    title: 'a deleted admin with a ship gets E014',
    script: async ({ order, connect, login, newPlayer }) => {
      const player = await newPlayer()
      await order('PUT', `${PLAYERS}/${player.player_id}/role`, { is_admin: true })
      const socket = await connect((await login(player)).token)
      await socket.next('welcome')
      await order('DELETE', `${ADMINS}/${player.player_id}`)
      expect((await socket.next('error')).code).toBe('E014')
      expect((await socket.closed).code).toBe(4004)
    },
  },
  ...casesOf([ADMINS, PLAYERS], (path) => ({
    rows: ['admin-delete/self', 'design:admins/last'],
    ask: ['DELETE', `${path}/{chief}`],
    answer: '400 E003',
  })),
  ...casesOf(['1234567', null, undefined], (new_password) => ({
    rows: ['admin-password/E012', 'limit/password'],
    ask: ['PUT', `${ADMINS}/{chief}/password`, { new_password }],
    answer: '400 E012',
  })),
  {
    rows: ['admin-password/200', 'admin-password/anybody', 'admin-password/keeps-token'],
    title: "one's own password changes by either route, and one's own token stays valid",
    script: async ({ ask, newAdmin, enter }) => {
      const { admin_id: id, username, password, token } = await newAdmin()
      const body = { new_password: 'a newer one 8' }
      for (const [method, path] of [
        ['PUT', `${ADMINS}/${id}/password`],
        ['POST', `${PLAYERS}/${id.toUpperCase()}/reset-password`],
      ] as const) {
        const answer = await ask(method, path, { token, body })
        expect([answer.status, answer.body]).toEqual([200, { message: TEXT }])
        expect((await ask('GET', '/api/admin/status', { token })).status).toBe(200)
      }
      expect((await enter(username, password)).status).toBe(401)
      expect((await enter(username, 'a newer one 8')).body).toMatchObject({ username })
    },
  },
  {
    rows: ['admin-password/200', 'admin-password/anybody', 'design:token/reset-voids'],
    title: "another admin's password changes, and that admin's tokens are void",
    script: async ({ ask, order, login, newAdmin, connect }) => {
      const admin = await newAdmin()
      const { admin_id: id, username, token } = admin
      const socket = await connect((await login(admin)).token)
      await socket.next('welcome')
      const password = 'given by another'
      const path = `${ADMINS}/${id.toUpperCase()}/password`
      expect(await order('PUT', path, { new_password: password })).toEqual({ message: TEXT })
      expect((await socket.closed).code).toBe(4006)
      expect((await ask('GET', '/api/admin/status', { token })).status).toBe(401)
      expect(await login({ username, password })).toMatchObject({ username })
    },
  },
]

function codeIn<Code extends string>(answer: `${string} ${Code}`): Code {
  return answer.slice(answer.indexOf(' ') + 1) as Code
}

export const accountSection: Section = {
  name: 'admin accounts',
  cases: [...players, ...unknown, ...roles, ...admins, ...notAdmins],
}
