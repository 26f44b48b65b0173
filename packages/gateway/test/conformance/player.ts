import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import type { Section } from './case.ts'
import { SHIP, TEXT, envelope } from './shapes.ts'
import { PASSWORD, signed } from './world.ts'

const now = (): number => Math.floor(Date.now() / 1000)

export const playerSection: Section = {
  name: 'player',
  cases: [
    {
      rows: [
        'player-ship/200',
        'ship/ship_id',
        'ship/position',
        'ship/velocity',
        'ship/attitude',
        'ship/angular_velocity',
        'ship/thrust_level',
        'ship/fuel',
        'ship/fuel_capacity',
        'ship/mass',
        'ship/wheel_saturation',
        'ship/system_id',
        'ship/name',
        'type/vec3',
        'type/quaternion',
        'design:vectors/frame',
      ],
      title: 'the owner sees all fields of the ship',
      ask: ['GET', '/api/player/ship'],
      as: 'player',
      status: 200,
      body: SHIP,
    },
    {
      rows: ['ship/at-request', 'ship/position'],
      title: 'the ship of a later tick is elsewhere, at a distance its speed explains',
      script: async ({ ask, connect, ida }) => {
        const line = await connect(ida.token)
        const look = async () => (await ask('GET', '/api/player/ship', { token: ida.token })).body
        const before = (await look()) as typeof SHIP
        await line.frame()
        await line.next('tick')
        const after = (await look()) as typeof SHIP
        expect(after.position).not.toEqual(before.position)
      },
    },
    {
      rows: ['player-ship/E005', 'auth/header', 'error/http'],
      title: 'no token, no ship',
      ask: ['GET', '/api/player/ship'],
      status: 401,
      code: 'E005',
    },
    {
      rows: ['player-ship/E006', 'error/E006', 'design:token/gone'],
      title: 'a good token of nobody finds no ship',
      script: async ({ ask, key }) => {
        const claims = { sub: randomUUID(), type: 'player', ship_id: randomUUID(), iat: now() }
        const token = signed(key, { ...claims, exp: now() + 600 })
        const answer = await ask('GET', '/api/player/ship', { token })
        expect([answer.status, answer.body]).toEqual([404, envelope('E006')])
        const elsewhere = await ask('DELETE', '/api/account', { token })
        expect([elsewhere.status, elsewhere.body]).toEqual([401, envelope('E005')])
      },
    },
    {
      rows: ['player-ship/E006', 'player/ship_id'],
      title: 'an admin without ship has none to see',
      script: async ({ ask, chief, login }) => {
        const { token, ship_id } = await login(chief)
        expect(ship_id).toBe('')
        const answer = await ask('GET', '/api/player/ship', { token })
        expect([answer.status, answer.body]).toEqual([404, envelope('E006')])
      },
    },
    {
      rows: ['account-delete/204', 'state/delete', 'design:token/gone'],
      title: 'a deleted account leaves nothing, and its name is free',
      script: async ({ ask, connect, ida, newPlayer }) => {
        const { token, username, ship_id, player_id } = await newPlayer()
        const own = await connect(token)
        const other = await connect(ida.token)
        const seen = await other.next('tick', ({ ships }) =>
          ships.some((ship: typeof SHIP) => ship.ship_id === ship_id),
        )
        expect(seen.type).toBe('tick')
        const answer = await ask('DELETE', '/api/account', { token })
        expect([answer.status, answer.text]).toEqual([204, ''])
        const { ships } = await other.frame()
        expect(ships.map((ship: typeof SHIP) => ship.ship_id)).not.toContain(ship_id)
        expect((await own.closed).code).toBeGreaterThanOrEqual(1000)
        const ship = await ask('GET', '/api/player/ship', { token })
        expect([ship.status, ship.body]).toEqual([404, envelope('E006')])
        const again = await ask('DELETE', '/api/account', { token })
        expect([again.status, again.body]).toEqual([401, envelope('E005')])
        const body = { username, password: PASSWORD }
        expect((await ask('POST', '/api/auth/login', { body })).status).toBe(401)
        const reborn = await ask('POST', '/api/auth/register', { body })
        expect(reborn.status).toBe(201)
        expect(Object.values(reborn.body as object)).not.toContain(player_id)
        expect(Object.values(reborn.body as object)).not.toContain(ship_id)
      },
    },
    {
      rows: ['account-delete/E005'],
      title: 'without a token nothing is deleted',
      ask: ['DELETE', '/api/account'],
      status: 401,
      code: 'E005',
    },
    {
      rows: ['account-delete/E005', 'auth/types'],
      title: 'an admin token deletes no player account',
      ask: ['DELETE', '/api/account'],
      as: 'chief',
      status: 401,
      code: 'E005',
    },
    {
      rows: ['design:account/password'],
      title: 'a player changes the own password, and the token stays good',
      script: async ({ ask, newPlayer }) => {
        const { token, username, password } = await newPlayer()
        const renewed = 'another horse 9'
        for (const [current, next, status, answered] of [
          [password, 'short', 400, envelope('E012')],
          ['not the one', renewed, 401, envelope('E005')],
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
        expect((await ask('GET', '/api/player/ship', { token })).status).toBe(200)
        for (const [word, status] of [
          [renewed, 200],
          [password, 401],
        ] as const) {
          const answer = await ask('POST', '/api/auth/login', {
            body: { username, password: word },
          })
          expect([word, answer.status]).toEqual([word, status])
        }
      },
    },
  ],
}
