// Snapshots, restores, and the factory reset, which leaves nothing for other cases.
import { expect } from 'vitest'
import { type Loose, PASSWORD, idsOf, shipOf } from '../player-client.ts'
import { refusalOf } from '../refusal.ts'
import { ADMIN } from '../server-process.ts'
import { type Case, type Section, fieldRows } from './case.ts'
import {
  ADMIN_STATUS,
  COUNT,
  OWN_SHIP,
  PLAYER_ROW,
  SHIP,
  SNAPSHOT,
  TEXT,
  TIMESTAMP,
} from './shapes.ts'
import { RATE_HZ, eventually } from './world.ts'

const SNAPSHOTS = '/api/admin/snapshots'
const STATION = { name: 'Kept', parent_body: 'Earth', altitude: 900_000 }

const snapshots: readonly Case[] = [
  {
    rows: [
      'snapshot-make/200',
      'snapshots/200',
      'design:snapshots/newest',
      ...fieldRows('snapshot', SNAPSHOT),
    ],
    title: 'new snapshots are listed, newest first, and automatic ones only on demand',
    script: async ({ order }) => {
      const made = []
      for (let i = 0; i < 2; i++) {
        const answer = await order('POST', '/api/admin/snapshot')
        expect(answer).toEqual({ success: true, snapshot_id: COUNT, tick_number: COUNT })
        made.push(answer)
      }
      const list = await order('GET', SNAPSHOTS)
      expect(Object.keys(list)).toEqual(['snapshots'])
      for (const row of list.snapshots) expect(row).toEqual(SNAPSHOT)
      const [second, first] = list.snapshots
      expect([first.id, second.id]).toEqual(made.map(({ snapshot_id: id }) => id))
      expect([first.tick_number, second.tick_number]).toEqual(
        made.map(({ tick_number: tick }) => tick),
      )
      const all = await order('GET', `${SNAPSHOTS}?include=automatic`)
      expect(all.snapshots.length).toBeGreaterThanOrEqual(list.snapshots.length)
    },
  },
  {
    rows: ['design:snapshots/delete', 'error/E016'],
    title: 'a snapshot is deleted once, audited; one that is needed is 409, a strange id 404',
    script: async ({ ask, order, chief }) => {
      const { token } = chief
      const { snapshot_id: id } = await order('POST', '/api/admin/snapshot')
      const path = `${SNAPSHOTS}/${id}`
      expect((await ask('DELETE', path, { token })).status).toBe(204)
      const [entry] = (await order('GET', '/api/admin/audit')).entries
      expect(entry).toMatchObject({ action: 'delete_snapshot', detail: { snapshot: id } })
      for (const gone of [path, `${SNAPSHOTS}/0`, `${SNAPSHOTS}/x`, `${SNAPSHOTS}/${10 ** 15}`]) {
        expect(refusalOf(await ask('DELETE', gone, { token }))).toBe('404 E016')
      }
      const { snapshots: all } = await order('GET', `${SNAPSHOTS}?include=automatic`)
      const automatic = all.filter(({ kind }: Loose) => kind !== 'admin')
      for (const { id: needed } of [automatic[0], automatic.at(-1)]) {
        const answer = await ask('DELETE', `${SNAPSHOTS}/${needed}`, { token })
        expect(refusalOf(answer)).toBe('409 E003')
      }
      expect((await order('GET', SNAPSHOTS)).snapshots[0].id).not.toBe(id)
    },
  },
]

const restoring: readonly Case[] = [
  {
    rows: [
      'restore/200',
      'state/restore',
      'snapshot/whole',
      'design:restore/keeps',
      'ship/name',
      'type/timestamp',
    ],
    title: 'restores tick, time, names, stations; keeps accounts and settings',
    script: async ({ order, ask, connect, ida, newPlayer }) => {
      const socket = await connect(ida.token)
      await socket.answer({ type: 'ship_rename', name: 'Before' })
      const station = await order('POST', '/api/admin/station', STATION)
      const { snapshot_id: id, tick_number: tick } = await order('POST', '/api/admin/snapshot')
      const kept = (await order('GET', SNAPSHOTS)).snapshots[0]
      await order('DELETE', `/api/admin/station/${station.station_id}`)
      await socket.answer({ type: 'ship_rename', name: 'After' })
      const late = await newPlayer()
      await order('POST', '/api/admin/registrations/disable')
      await order('PUT', '/api/admin/game/tick-rate', { tick_rate: 5 })
      await order('PUT', '/api/admin/game/time-scale', { time_scale: 2 })
      const last = await socket.next('tick', (frame) => frame.tick > tick)

      const answer = await order('POST', '/api/admin/restore', { snapshot_id: id })
      expect(answer).toEqual({ success: true, tick_number: tick, game_time: kept.game_time })
      const restored = await socket.next('restored')
      expect(restored).toMatchObject({ tick, game_time: kept.game_time, era: last.era + 1 })
      const frame = await socket.next('tick', ({ era }) => era === restored.era)
      expect(frame.tick).toBeGreaterThanOrEqual(tick)
      expect(shipOf(frame, ida.ship_id).name).toBe('Before')
      const { stations } = await order('GET', '/api/admin/stations')
      expect(stations.map(({ name }: Loose) => name)).toContain('Kept')
      expect(await order('GET', '/api/admin/status')).toMatchObject({
        tick_rate: 5,
        time_scale: 2,
        paused: false,
        registration_open: false,
      })
      // A ship newer than the snapshot is made again, and flies.
      const own = { token: late.token }
      const first = (await ask('GET', '/api/player/ship', own)).body as typeof SHIP
      await socket.freshTick()
      await socket.next('tick')
      const later = (await ask('GET', '/api/player/ship', own)).body as typeof SHIP
      expect(later.relative_position).not.toEqual(first.relative_position)
      const command = await socket.answer({ type: 'control', thrust_level: 0 })
      expect(command.type).toBe('accepted')
      await order('POST', '/api/admin/registrations/enable')
      await order('PUT', '/api/admin/game/tick-rate', { tick_rate: RATE_HZ })
      await order('PUT', '/api/admin/game/time-scale', { time_scale: 1 })
      await socket.answer({ type: 'ship_rename', name: 'Ida' })
    },
  },
  {
    rows: ['design:token/ship-now', 'design:restore/keeps'],
    title: 'the restored world has no ship of an account that was deleted since',
    script: async ({ order, connect, ida, newPlayer }) => {
      const gone = await newPlayer()
      const { snapshot_id: id } = await order('POST', '/api/admin/snapshot')
      await order('DELETE', `/api/admin/players/${gone.player_id}`)
      await order('POST', '/api/admin/restore', { snapshot_id: id })
      const socket = await connect(ida.token)
      const found = await eventually(
        async () => idsOf(await socket.freshTick()),
        (ids) => !ids.includes(gone.ship_id),
      )
      expect(found).not.toContain(gone.ship_id)
    },
  },
  {
    rows: ['restore/E016', 'error/E016', 'design:codes/restore'],
    title: 'a restore without a stored snapshot is refused, and the era stays',
    script: async ({ ask, chief, connect, ida }) => {
      const socket = await connect(ida.token)
      const { era } = await socket.freshTick()
      for (const [refusal, ids] of [
        ['404 E016', [999_999_999, 0, -1, 1e15]],
        ['400 E001', ['1', 1.5, null, undefined, [1]]],
      ] as const) {
        for (const snapshot_id of ids) {
          const request = { token: chief.token, body: { snapshot_id } }
          const answer = await ask('POST', '/api/admin/restore', request)
          expect([snapshot_id, refusalOf(answer)]).toEqual([snapshot_id, refusal])
        }
      }
      expect((await socket.freshTick()).era).toBe(era)
    },
  },
]

const reset: readonly Case[] = [
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
    title: 'deletes all but the admin, notifies clients, and starts again',
    isOfNight: true,
    script: async (world) => {
      const { order, ask, connect, enter, ida, chief, newAdmin } = world
      const second = await newAdmin()
      await order('PUT', '/api/admin/game/tick-rate', { tick_rate: 20 })
      await order('PUT', '/api/admin/game/time-scale', { time_scale: 3 })
      await order('POST', '/api/admin/registrations', { open: false })
      await order('POST', '/api/admin/maneuver-logging', { level: 'verbose' })
      await order('POST', '/api/admin/snapshot')
      const { station_id: station } = await order('POST', '/api/admin/station', STATION)
      await order('POST', '/api/admin/game/pause')
      const socket = await connect(ida.token)
      await socket.next('tick')
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

      const notice = await socket.next('reset')
      expect(await socket.next('clock')).toMatchObject({ tick_rate: 1, paused: false })
      const frame = await socket.next('tick', ({ era }) => era === notice.era)
      expect(frame.ships).toEqual([])
      for (const command of [
        { type: 'ship_rename', name: 'Ghost' },
        { type: 'control', thrust_level: 1 },
      ]) {
        const refused = await socket.answer(command)
        expect(refused).toMatchObject({ type: 'error', code: 'E006', message: TEXT })
      }
      expect((await socket.answer({ type: 'ping' })).type).toBe('pong')

      const status = await order('GET', '/api/admin/status')
      expect(status).toEqual({
        ...ADMIN_STATUS,
        tick_rate: 1,
        time_scale: 1,
        paused: false,
        time_sync_enabled: false,
        adaptive_tick_rate: false,
        registration_open: true,
        talk_enabled: false,
      })
      expect(status.current_tick).toBeLessThan(30)
      const { players } = await order('GET', '/api/admin/players')
      expect(players).toEqual([
        { ...PLAYER_ROW, player_id: chief.admin_id, username: ADMIN.username, ship_id: '' },
      ])
      expect(await order('GET', SNAPSHOTS)).toEqual({ snapshots: [] })
      expect(await order('GET', '/api/admin/maneuver-events')).toEqual({ events: [] })
      expect(await order('GET', '/api/admin/maneuver-logging')).toEqual({ level: 'normal' })
      const gone = await ask('DELETE', `/api/admin/station/${station}`, { token: chief.token })
      expect(gone.status).toBe(404)
      const out = await ask('GET', '/api/admin/status', { token: second.token })
      expect(refusalOf(out)).toBe('401 E005')
      expect(await watched.next('error')).toMatchObject({ code: 'E005' })
      expect((await watched.closed).code).toBe(4003)
      expect((await watching.answer({ type: 'ping' })).type).toBe('pong')
      const ship = await ask('GET', '/api/player/ship', { token: ida.token })
      expect(refusalOf(ship)).toBe('404 E006')
      expect(refusalOf(await enter('Ida', PASSWORD))).toBe('401 E005')
      const { body } = await enter(ADMIN.username, ADMIN.password)
      expect(body).toMatchObject({ player_id: chief.admin_id, is_admin: true })
    },
  },
  {
    rows: ['state/reset', 'player/username', 'register/201'],
    title: 'names are free again, and new players fly in the new world',
    isOfNight: true,
    script: async ({ ask, connect, ida }) => {
      const body = { username: 'Ida', password: PASSWORD }
      const { status, body: made } = await ask('POST', '/api/auth/register', { body })
      expect(status).toBe(201)
      const { token, ship_id, player_id } = made as Loose
      expect(ship_id).not.toBe(ida.ship_id)
      expect(player_id).not.toBe(ida.player_id)
      const { ships } = await (await connect(token)).freshTick()
      expect(ships).toEqual([{ ...OWN_SHIP, ship_id }])
    },
  },
]

export const replacementSection: Section = {
  name: 'replacement of the world',
  cases: [...snapshots, ...restoring],
}
/** Runs last. */
export const resetSection: Section = { name: 'factory reset', cases: reset }
