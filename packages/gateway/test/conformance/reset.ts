// The factory reset, which leaves nothing for other cases.
import { expect } from 'vitest'
import { ADMIN } from '../server-process.ts'
import type { Section } from './case.ts'
import { ADMIN_STATUS, PLAYER_ROW, SHIP, TEXT, TIMESTAMP, envelope } from './shapes.ts'
import { PASSWORD } from './world.ts'

export const resetSection: Section = {
  name: 'factory reset',
  cases: [
    {
      rows: [
        'reset/200',
        'state/reset',
        'admin/after-reset',
        'message/after-reset',
        'setting/registration_open',
        'design:reset/answer',
        'design:reset/sockets',
        'design:reset/admin-token',
      ],
      title: 'wipes all but the admin, tells the connected, and starts anew',
      script: async (world) => {
        const { order, ask, connect, ida, chief, newAdmin } = world
        const second = await newAdmin()
        await order('PUT', '/api/admin/game/tick-rate', { tick_rate: 20 })
        await order('PUT', '/api/admin/game/time-scale', { time_scale: 3 })
        await order('POST', '/api/admin/registrations', { open: false })
        await order('POST', '/api/admin/maneuver-logging', { level: 'verbose' })
        await order('POST', '/api/admin/snapshot')
        const { station_id: station } = await order('POST', '/api/admin/station', {
          name: 'Doomed',
          parent_body: 'Earth',
          altitude: 900_000,
        })
        await order('POST', '/api/admin/game/pause')
        const line = await connect(ida.token)
        await line.next('tick')
        const watching = await connect(chief.token)
        const watched = await connect(second.token)

        const answer = await order('POST', '/api/admin/game/reset')
        expect(answer).toEqual({
          success: true,
          game_time: TIMESTAMP,
          backup_id: TEXT,
          restart_required: false,
        })
        expect(Math.abs(Date.parse(answer.game_time) - Date.now())).toBeLessThan(30_000)

        const told = await line.next('reset')
        expect(await line.next('clock')).toMatchObject({ tick_rate: 1, paused: false })
        const frame = await line.next('tick', ({ era }) => era === told.era)
        expect(frame.ships).toEqual([])
        for (const command of [
          { type: 'ship_rename', name: 'Ghost' },
          { type: 'control', thrust_level: 1 },
        ]) {
          const refused = await line.answer(command)
          expect(refused).toMatchObject({ type: 'error', code: 'E006', message: TEXT })
        }
        expect((await line.answer({ type: 'ping' })).type).toBe('pong')

        const status = await order('GET', '/api/admin/status')
        expect(status).toEqual({
          ...ADMIN_STATUS,
          tick_rate: 1,
          time_scale: 1,
          paused: false,
          time_sync_enabled: false,
          adaptive_tick_rate: false,
          registration_open: true,
        })
        expect(status.current_tick).toBeLessThan(30)
        const { players } = await order('GET', '/api/admin/players')
        expect(players).toEqual([
          { ...PLAYER_ROW, player_id: chief.admin_id, username: ADMIN.username, ship_id: '' },
        ])
        expect(await order('GET', '/api/admin/snapshots')).toEqual({ snapshots: [] })
        expect(await order('GET', '/api/admin/maneuver-events')).toEqual({ events: [] })
        expect(await order('GET', '/api/admin/maneuver-logging')).toEqual({ level: 'normal' })
        const gone = await ask('DELETE', `/api/admin/station/${station}`, { token: chief.token })
        expect(gone.status).toBe(404)
        const out = await ask('GET', '/api/admin/status', { token: second.token })
        expect([out.status, out.body]).toEqual([401, envelope('E005')])
        expect(await watched.next('error')).toMatchObject({ code: 'E005' })
        expect((await watched.closed).code).toBe(4003)
        expect((await watching.answer({ type: 'ping' })).type).toBe('pong')
        const ship = await ask('GET', '/api/player/ship', { token: ida.token })
        expect([ship.status, ship.body]).toEqual([404, envelope('E006')])
        const login = await ask('POST', '/api/auth/login', { body: ADMIN })
        expect(login.body).toMatchObject({ player_id: chief.admin_id, is_admin: true })
      },
    },
    {
      rows: ['state/reset', 'player/username', 'register/201'],
      title: 'names are free again, and the new world can be flown in',
      script: async ({ ask, connect, ida }) => {
        const body = { username: 'Ida', password: PASSWORD }
        const { status, body: made } = await ask('POST', '/api/auth/register', { body })
        expect(status).toBe(201)
        const { token, ship_id } = made as { token: string; ship_id: string }
        expect(ship_id).not.toBe(ida.ship_id)
        const { ships } = await (await connect(token)).frame()
        expect(ships).toEqual([{ ...SHIP, ship_id }])
      },
    },
  ],
}
