import { expect } from 'vitest'
import type { Case, Section } from './case.ts'
import { COUNT, SNAPSHOT, TIMESTAMP } from './shapes.ts'
import { type Loose, RATE_HZ, eventually } from './world.ts'

const making: readonly Case[] = [
  {
    rows: [
      'snapshot-make/200',
      'snapshots/200',
      'snapshot/id',
      'snapshot/tick_number',
      'snapshot/game_time',
      'snapshot/created_at',
      'design:snapshots/newest',
    ],
    title: 'what is made is listed, newest first, and automatic ones only on demand',
    script: async ({ order }) => {
      const made = []
      for (let i = 0; i < 2; i++) {
        const answer = await order('POST', '/api/admin/snapshot')
        expect(answer).toEqual({ success: true, snapshot_id: COUNT, tick_number: COUNT })
        made.push(answer)
      }
      const list = await order('GET', '/api/admin/snapshots')
      expect(Object.keys(list)).toEqual(['snapshots'])
      for (const row of list.snapshots) expect(row).toEqual(SNAPSHOT)
      const [second, first] = list.snapshots
      expect([first.id, second.id]).toEqual(made.map(({ snapshot_id: id }) => id))
      expect([first.tick_number, second.tick_number]).toEqual(
        made.map(({ tick_number: tick }) => tick),
      )
      const all = await order('GET', '/api/admin/snapshots?include=automatic')
      expect(all.snapshots.length).toBeGreaterThanOrEqual(list.snapshots.length)
    },
  },
  ...['POST', 'GET'].map((method) => ({
    rows: ['admin-routes/token'] as const,
    title: `${method} of snapshots is not for players`,
    ask: [method, `/api/admin/snapshot${method === 'GET' ? 's' : ''}`] as const,
    as: 'player' as const,
    status: 401,
    code: 'E005',
  })),
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
    title: 'takes tick, time, names, stations back; leaves accounts and settings',
    script: async ({ order, ask, connect, ida, newPlayer }) => {
      const line = await connect(ida.token)
      await line.answer({ type: 'ship_rename', name: 'Before' })
      const spawned = await order('POST', '/api/admin/station', {
        name: 'Kept',
        parent_body: 'Earth',
        altitude: 900_000,
      })
      const { snapshot_id: id, tick_number: tick } = await order('POST', '/api/admin/snapshot')
      const kept = (await order('GET', '/api/admin/snapshots')).snapshots[0]
      await order('DELETE', `/api/admin/station/${spawned.station_id}`)
      await line.answer({ type: 'ship_rename', name: 'After' })
      const late = await newPlayer()
      await order('PUT', '/api/admin/game/tick-rate', { tick_rate: 5 })
      await line.next('tick', (frame) => frame.tick > tick)

      const answer = await order('POST', '/api/admin/restore', { snapshot_id: id })
      expect(answer).toEqual({ success: true, tick_number: tick, game_time: TIMESTAMP })
      expect(answer.game_time).toBe(kept.game_time)
      const told = await line.next('restored')
      expect(told).toMatchObject({ tick, game_time: kept.game_time })
      const frame = await line.next('tick', ({ era }) => era === told.era)
      expect(frame.tick).toBeGreaterThanOrEqual(tick)
      const own = frame.ships.find(({ ship_id: ship }: Loose) => ship === ida.ship_id)
      expect(own.name).toBe('Before')
      const { stations } = await order('GET', '/api/admin/stations')
      expect(stations.map(({ name }: Loose) => name)).toContain('Kept')
      expect(await order('GET', '/api/admin/status')).toMatchObject({
        tick_rate: 5,
        paused: false,
        registration_open: true,
      })
      const ship = await ask('GET', '/api/player/ship', { token: late.token })
      expect(ship.status).toBe(200)
      await order('PUT', '/api/admin/game/tick-rate', { tick_rate: RATE_HZ })
      await line.answer({ type: 'ship_rename', name: 'Ida' })
    },
  },
  {
    rows: ['design:token/ship-now', 'design:restore/keeps'],
    title: 'a ship of somebody deleted since is not in the restored world',
    script: async ({ order, connect, ida, newPlayer }) => {
      const gone = await newPlayer()
      const { snapshot_id: id } = await order('POST', '/api/admin/snapshot')
      await order('DELETE', `/api/admin/players/${gone.player_id}`)
      await order('POST', '/api/admin/restore', { snapshot_id: id })
      const line = await connect(ida.token)
      const found = await eventually(
        () => line.frame(),
        ({ ships }) => !ships.some(({ ship_id: ship }: Loose) => ship === gone.ship_id),
      )
      expect(found.ships.map(({ ship_id: ship }: Loose) => ship)).not.toContain(gone.ship_id)
    },
  },
  ...[999_999_999, 0, -1].map((id) => ({
    rows: ['restore/E016', 'error/E016'] as const,
    title: `there is no snapshot ${id}`,
    ask: ['POST', '/api/admin/restore', { snapshot_id: id }] as const,
    as: 'chief' as const,
    status: 404,
    code: 'E016',
  })),
  ...['1', 1.5, null, undefined, [1]].map((id) => ({
    rows: ['design:codes/restore'] as const,
    title: `${JSON.stringify(id)} is no id of a snapshot`,
    ask: ['POST', '/api/admin/restore', { snapshot_id: id }] as const,
    as: 'chief' as const,
    status: 400,
    code: 'E001',
  })),
  {
    rows: ['admin-routes/token'],
    title: 'players restore nothing',
    ask: ['POST', '/api/admin/restore', { snapshot_id: 1 }],
    as: 'player',
    status: 401,
    code: 'E005',
  },
]

export const snapshotSection: Section = { name: 'snapshots', cases: [...making, ...restoring] }
