import { expect } from 'vitest'
import type { Case, Section } from './case.ts'
import { ADMIN_ROW, PLAYER_ROW, TEXT, UUID, envelope } from './shapes.ts'
import { type Admin, type Loose, PASSWORD } from './world.ts'

const players: readonly Case[] = [
  {
    rows: ['players/200', 'player/created_at', 'player/online', 'design:players/all'],
    title: 'all accounts, with who is connected, in the same order twice',
    script: async ({ order, connect, ida, chief }) => {
      const line = await connect(ida.token)
      const answer = await order('GET', '/api/admin/players')
      expect(Object.keys(answer)).toEqual(['players'])
      for (const row of answer.players) expect(row).toEqual(PLAYER_ROW)
      const row = (id: string): Loose =>
        answer.players.find(({ player_id: other }: Loose) => other === id)
      const { player_id, username, ship_id } = ida
      expect(row(player_id)).toMatchObject({ username, ship_id, online: true })
      expect(row(chief.admin_id)).toMatchObject({ ship_id: '', online: false })
      await line.hangUp()
      const again = await order('GET', '/api/admin/players')
      const names = ({ players }: Loose): string[] => players.map((item: Loose) => item.username)
      expect(names(again)).toEqual(names(answer))
      expect(again.players.some(({ online }: Loose) => online)).toBe(false)
    },
  },
  {
    rows: ['players/E005', 'admin-routes/token'],
    title: 'not for players',
    ask: ['GET', '/api/admin/players'],
    as: 'player',
    status: 401,
    code: 'E005',
  },
  {
    rows: ['player-delete/204', 'state/delete', 'message/deleted', 'error/E014', 'error/socket'],
    title: 'a connected player is told E014 and cut off; the ship is gone',
    script: async ({ ask, chief, connect, ida, newPlayer }) => {
      const { player_id: id, ship_id, username, token } = await newPlayer()
      const line = await connect(token)
      await line.next('tick')
      const path = `/api/admin/players/${id}`
      const answer = await ask('DELETE', path, { token: chief.token })
      expect([answer.status, answer.text]).toEqual([204, ''])
      expect(await line.next('error')).toEqual({ type: 'error', code: 'E014', message: TEXT })
      expect((await line.closed).code).toBe(4004)
      const { ships } = await (await connect(ida.token)).frame()
      expect(ships.map((ship: Loose) => ship.ship_id)).not.toContain(ship_id)
      const again = await ask('DELETE', path, { token: chief.token })
      expect([again.status, again.body]).toEqual([404, envelope('E009')])
      const body = { username, password: PASSWORD }
      expect((await ask('POST', '/api/auth/register', { body })).status).toBe(201)
    },
  },
  ...['{nobody}', 'no-uuid', '1', "'%20or%201=1"].map((id) => ({
    rows: ['player-delete/E009', 'error/E009', 'design:route/path-id'] as const,
    title: `${id} is nobody to delete`,
    ask: ['DELETE', `/api/admin/players/${id}`] as const,
    as: 'chief' as const,
    status: 404,
    code: 'E009',
  })),
  {
    rows: ['player-delete/E005'],
    title: 'players delete nobody',
    ask: ['DELETE', '/api/admin/players/{player}'],
    as: 'player',
    status: 401,
    code: 'E005',
  },
  {
    rows: [
      'player-password/200',
      'player-password/outside',
      'player/password',
      'design:token/reset-voids',
    ],
    title: 'a reset password opens, the old one and the old token do not',
    script: async ({ order, ask, newPlayer, connect }) => {
      const { player_id: id, username, password, token } = await newPlayer()
      const line = await connect(token)
      await line.next('welcome')
      const path = `/api/admin/players/${id}/reset-password`
      const answer = await order('POST', path, { new_password: 'brand new 77' })
      expect(answer).toEqual({ message: TEXT })
      expect(JSON.stringify(answer)).not.toContain('brand new 77')
      expect((await line.closed).code).toBe(4006)
      expect((await ask('GET', '/api/player/ship', { token })).status).toBe(401)
      const enter = async (password: string): Promise<number> =>
        (await ask('POST', '/api/auth/login', { body: { username, password } })).status
      expect(await enter(password)).toBe(401)
      expect(await enter('brand new 77')).toBe(200)
    },
  },
  ...['1234567', 12345678, undefined].map((password) => ({
    rows: ['player-password/E012', 'limit/password', 'design:codes/of-fields'] as const,
    title: `${JSON.stringify(password)} is no password to reset to`,
    ask: [
      'POST',
      '/api/admin/players/{player}/reset-password',
      { new_password: password },
    ] as const,
    as: 'chief' as const,
    status: 400,
    code: 'E012',
  })),
  ...['{nobody}', 'no-uuid'].map((id) => ({
    rows: ['player-password/E009', 'design:route/path-id'] as const,
    title: `${id} has no password`,
    ask: ['POST', `/api/admin/players/${id}/reset-password`, { new_password: PASSWORD }] as const,
    as: 'chief' as const,
    status: 404,
    code: 'E009',
  })),
  {
    rows: ['player-password/E005'],
    title: 'players reset no passwords',
    ask: ['POST', '/api/admin/players/{player}/reset-password', { new_password: PASSWORD }],
    as: 'player',
    status: 401,
    code: 'E005',
  },
]

const roles: readonly Case[] = [
  {
    rows: ['role/200', 'state/promote', 'state/demote', 'player/is_admin', 'design:token/role-now'],
    title: 'a player becomes admin with the same ship, and a player again',
    script: async ({ order, ask, login, newPlayer }) => {
      const player = await newPlayer()
      const { player_id: id, ship_id } = player
      const become = (is_admin: boolean): Promise<Loose> =>
        order('PUT', `/api/admin/players/${id}/role`, { is_admin })
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
    script: async ({ order, ask, newAdmin, chief }) => {
      const { admin_id: id, username, password } = await newAdmin()
      await order('PUT', `/api/admin/players/${id}/role`, { is_admin: false })
      const enter = (password: string): ReturnType<typeof ask> =>
        ask('POST', '/api/auth/login', { body: { username, password } })
      const refused = await enter(password)
      expect([refused.status, refused.body]).toEqual([403, envelope('E003')])
      expect((await enter('not the one')).status).toBe(401)
      const assign = (): ReturnType<typeof ask> =>
        ask('POST', `/api/admin/players/${id}/ship`, { token: chief.token })
      const assigned = await assign()
      expect([assigned.status, assigned.body]).toEqual([201, { ship_id: UUID }])
      const second = await assign()
      expect([second.status, second.body]).toEqual([409, envelope('E003')])
      const { status, body } = await enter(password)
      expect([status, body]).toMatchObject([200, assigned.body])
    },
  },
  ...[true, false].map((is_admin) => ({
    rows: ['role/own'] as const,
    title: `one's own role cannot be set to ${is_admin}`,
    ask: ['PUT', '/api/admin/players/{chief}/role', { is_admin }] as const,
    as: 'chief' as const,
    status: 400,
    code: 'E003',
  })),
  ...['{nobody}', 'no-uuid'].map((id) => ({
    rows: ['role/refused', 'design:role/unknown'] as const,
    title: `${id} has no role`,
    ask: ['PUT', `/api/admin/players/${id}/role`, { is_admin: true }] as const,
    as: 'chief' as const,
    status: 400,
    code: 'E009',
  })),
  ...['true', 1, null, undefined].map((is_admin) => ({
    rows: ['role/refused'] as const,
    title: `${JSON.stringify(is_admin)} is no role`,
    ask: ['PUT', '/api/admin/players/{player}/role', { is_admin }] as const,
    as: 'chief' as const,
    status: 400,
    code: 'E001',
  })),
  {
    rows: ['role/E005'],
    title: 'players give no roles',
    ask: ['PUT', '/api/admin/players/{player}/role', { is_admin: true }],
    as: 'player',
    status: 401,
    code: 'E005',
  },
]

const admins: readonly Case[] = [
  {
    rows: ['admin-create/201', 'admin/username'],
    title: 'an admin makes an admin',
    ask: ['POST', '/api/admin/admins', { username: 'Second_Chief', password: PASSWORD }],
    as: 'chief',
    status: 201,
    body: { admin_id: UUID, username: 'Second_Chief' },
  },
  ...(
    [
      [400, 'E011', { username: 'x', password: PASSWORD }],
      [400, 'E011', { username: 'a b c', password: PASSWORD }],
      [400, 'E011', { password: PASSWORD }],
      [400, 'E012', { username: 'Third_Chief', password: 'short' }],
      [400, 'E012', { username: 'Third_Chief' }],
      [409, 'E010', { username: 'ida', password: PASSWORD }],
      [409, 'E010', { username: 'second_chief', password: PASSWORD }],
    ] as const
  ).map(([status, code, body]) => ({
    rows: [`admin-create/${code}`, 'limit/username', 'limit/password'] as const,
    title: `${JSON.stringify(body)} is ${code}`,
    ask: ['POST', '/api/admin/admins', body] as const,
    as: 'chief' as const,
    status,
    code,
  })),
  {
    rows: ['admins/200', 'admin/admin_id', 'admin/username', 'admin/created_at'],
    title: 'admins only, the first among them',
    script: async ({ order, chief, ida }) => {
      const { admins, ...rest } = await order('GET', '/api/admin/admins')
      expect(rest).toEqual({})
      for (const row of admins) expect(row).toEqual(ADMIN_ROW)
      const ids = admins.map(({ admin_id: id }: Admin) => id)
      expect(ids).toContain(chief.admin_id)
      expect(ids).not.toContain(ida.player_id)
      expect((await order('GET', '/api/admin/admins')).admins).toEqual(admins)
    },
  },
  {
    rows: ['admin-delete/204', 'design:token/role-now'],
    title: 'a deleted admin is out at once',
    script: async ({ ask, chief, newAdmin }) => {
      const { admin_id: id, token } = await newAdmin()
      const path = `/api/admin/admins/${id}`
      const answer = await ask('DELETE', path, { token: chief.token })
      expect([answer.status, answer.text]).toEqual([204, ''])
      expect((await ask('GET', '/api/admin/status', { token })).status).toBe(401)
      const again = await ask('DELETE', path, { token: chief.token })
      expect([again.status, again.body]).toEqual([404, envelope('E009')])
    },
  },
  {
    rows: ['design:admins/deleted', 'message/deleted'],
    title: 'a deleted admin with a ship is told E014',
    script: async ({ order, connect, login, newPlayer }) => {
      const player = await newPlayer()
      await order('PUT', `/api/admin/players/${player.player_id}/role`, { is_admin: true })
      const line = await connect((await login(player)).token)
      await line.next('welcome')
      await order('DELETE', `/api/admin/admins/${player.player_id}`)
      expect((await line.next('error')).code).toBe('E014')
      expect((await line.closed).code).toBe(4004)
    },
  },
  ...['admins', 'players'].map((kind) => ({
    rows: ['admin-delete/self', 'design:admins/last'] as const,
    title: `nobody deletes himself among the ${kind}`,
    ask: ['DELETE', `/api/admin/${kind}/{chief}`] as const,
    as: 'chief' as const,
    status: 400,
    code: 'E003',
  })),
  ...['{nobody}', 'no-uuid', '{player}'].flatMap((id) => [
    {
      rows: ['admin-delete/E009', 'design:admins/not-one', 'design:route/path-id'] as const,
      title: `${id} is no admin to delete`,
      ask: ['DELETE', `/api/admin/admins/${id}`] as const,
      as: 'chief' as const,
      status: 404,
      code: 'E009',
    },
    {
      rows: ['admin-password/E009', 'design:admins/not-one', 'design:route/path-id'] as const,
      title: `${id} is no admin with a password`,
      ask: ['PUT', `/api/admin/admins/${id}/password`, { new_password: PASSWORD }] as const,
      as: 'chief' as const,
      status: 404,
      code: 'E009',
    },
  ]),
  ...['1234567', null, undefined].map((password) => ({
    rows: ['admin-password/E012', 'limit/password'] as const,
    title: `${JSON.stringify(password)} is no admin's password`,
    ask: ['PUT', '/api/admin/admins/{chief}/password', { new_password: password }] as const,
    as: 'chief' as const,
    status: 400,
    code: 'E012',
  })),
  {
    rows: ['admin-password/200', 'admin-password/anybody', 'admin-password/keeps-token'],
    title: "one's own password changes, and one's own token stays good",
    script: async ({ ask, login, newAdmin }) => {
      const { admin_id: id, username, password, token } = await newAdmin()
      const body = { new_password: 'a newer one 8' }
      const answer = await ask('PUT', `/api/admin/admins/${id}/password`, { token, body })
      expect([answer.status, answer.body]).toEqual([200, { message: TEXT }])
      expect((await ask('GET', '/api/admin/status', { token })).status).toBe(200)
      const old = await ask('POST', '/api/auth/login', { body: { username, password } })
      expect(old.status).toBe(401)
      expect(await login({ username, password: 'a newer one 8' })).toMatchObject({ username })
    },
  },
  {
    rows: ['admin-password/200', 'admin-password/anybody', 'design:token/reset-voids'],
    title: "another admin's password changes, and the tokens of that admin are void",
    script: async ({ ask, order, login, newAdmin }) => {
      const { admin_id: id, username, token } = await newAdmin()
      const body = { new_password: 'given by another' }
      expect(await order('PUT', `/api/admin/admins/${id}/password`, body)).toEqual({
        message: TEXT,
      })
      expect((await ask('GET', '/api/admin/status', { token })).status).toBe(401)
      expect(await login({ username, password: 'given by another' })).toMatchObject({ username })
    },
  },
]

export const accountSection: Section = {
  name: 'admin accounts',
  cases: [...players, ...roles, ...admins],
}
