import { expect } from 'vitest'
import { type PlayerSocket, idsOf, shipOf } from '../player-client.ts'
import type { Case, Section } from './case.ts'
import { COUNT, NUMBER, OWN_SHIP, SHIP, TEXT, TIMESTAMP, UUID } from './shapes.ts'
import { RATE_HZ } from './world.ts'

const COMMANDS: readonly object[] = [
  { type: 'ship_rename', name: 'Stranger' },
  { type: 'control', thrust_level: 1 },
  { type: 'maneuver_start', maneuver: 'kill_rotation' },
  { type: 'maneuver_abort' },
]

async function refusesCommands(socket: PlayerSocket, code: string): Promise<void> {
  for (const command of COMMANDS) {
    expect(await socket.answer(command)).toMatchObject({ type: 'error', code })
  }
}

const renaming: readonly Case[] = [
  {
    rows: ['message/ship_rename', 'message/ship_renamed', 'message/rename-shows', 'ship/name'],
    title: 'the owner gets the new name, and all see it with the next tick',
    script: async ({ ask, connect, ida, newPlayer }) => {
      const own = await connect(ida.token)
      const other = await connect((await newPlayer()).token)
      await other.freshTick()
      own.send({ type: 'ship_rename', name: '  Dawn Treader\t\n' })
      expect(await own.next('ship_renamed')).toEqual({
        type: 'ship_renamed',
        name: 'Dawn Treader',
      })
      expect(shipOf(await other.freshTick(), ida.ship_id).name).toBe('Dawn Treader')
      const asked = await ask('GET', '/api/player/ship', { token: ida.token })
      expect(asked.body).toMatchObject({ name: 'Dawn Treader' })
      await own.answer({ type: 'ship_rename', name: 'Ida' })
    },
  },
  {
    rows: ['limit/ship-name', 'message/ship_rename'],
    title: 'names of 3 and of 32 characters are valid, in their composed form',
    script: async ({ connect, ida }) => {
      const socket = await connect(ida.token)
      const valid = ['abc', 'x'.repeat(32), '\u{1f680}'.repeat(32), '<b>"&\'</b>', 'Zoe\u0301']
      for (const name of [...valid, 'Ida']) {
        socket.send({ type: 'ship_rename', name })
        const renamed = { type: 'ship_renamed', name: name.normalize('NFC') }
        expect(await socket.next('ship_renamed')).toEqual(renamed)
      }
    },
  },
  {
    rows: ['message/error', 'limit/ship-name', 'error/E030', 'error/socket', 'design:names/plain'],
    title: 'other names are E030',
    script: async ({ ask, connect, ida }) => {
      const socket = await connect(ida.token)
      const message = expect.stringContaining('3-32 characters')
      const texts = ['', '   ', 'ab', ' ab ', 'x'.repeat(33), '\u{1f680}'.repeat(33), 'a\nbc']
      const hidden = ['a\u0000bc', 'a\u202ebc', 'a\u2028bc', 'abc\ud800']
      for (const name of [...texts, ...hidden, 12345, null, undefined, ['abc'], { name: 'abc' }]) {
        socket.send({ type: 'ship_rename', name })
        expect(await socket.next('error')).toEqual({ type: 'error', code: 'E030', message })
      }
      const { body } = await ask('GET', '/api/player/ship', { token: ida.token })
      expect(body).toMatchObject({ name: 'Ida' })
    },
  },
]

const broadcasts: readonly Case[] = [
  {
    rows: ['design:socket/welcome', 'design:socket/header', 'setting/server-name'],
    title: 'the first message is a welcome',
    script: async ({ connect, ida }) => {
      const socket = await connect(ida.token)
      await socket.next('tick')
      expect(socket.messages[0]).toEqual({
        type: 'welcome',
        protocol: 'orrery.v1',
        era: COUNT,
        player_id: ida.player_id,
        ship_id: ida.ship_id,
        system_id: 'sol',
        server_name: 'Conformance',
        tick: COUNT,
        game_time: TIMESTAMP,
        tick_rate: RATE_HZ,
        time_scale: 1,
        effective_time_scale: 1,
        paused: false,
        age: expect.any(Number),
      })
    },
  },
  {
    rows: ['message/tick', 'design:socket/tick', 'ship/name'],
    title: 'each tick has all ships with their names, one tick after the other',
    script: async ({ connect, ida }) => {
      const socket = await connect(ida.token)
      let before = await socket.freshTick()
      for (let i = 0; i < 5; i++) {
        const frame = await socket.next('tick')
        expect(frame).toEqual({
          type: 'tick',
          era: COUNT,
          tick: before.tick + 1,
          game_time: TIMESTAMP,
          index: COUNT,
          offset: NUMBER,
          effective_time_scale: NUMBER,
          ships: expect.any(Array),
          stations: expect.any(Array),
          jumpgates: expect.any(Array),
        })
        for (const ship of frame.ships) {
          expect(ship).toEqual(ship.ship_id === ida.ship_id ? OWN_SHIP : SHIP)
        }
        expect(idsOf(frame)).toContain(ida.ship_id)
        before = frame
      }
    },
  },
  {
    rows: ['message/pause', 'state/pause', 'state/resume'],
    title: 'all clients get pause and resume',
    script: async ({ connect, ida, order, newPlayer }) => {
      const sockets = [await connect(ida.token), await connect((await newPlayer()).token)]
      const { paused_at_tick: tick } = await order('POST', '/api/admin/game/pause')
      for (const socket of sockets) {
        expect(await socket.next('paused')).toEqual({ type: 'paused', tick, game_time: TIMESTAMP })
      }
      await order('POST', '/api/admin/game/resume')
      for (const socket of sockets) {
        const resumed = await socket.next('resumed')
        expect(resumed).toEqual({ type: 'resumed', tick, game_time: TIMESTAMP })
      }
    },
  },
]

const talk: readonly Case[] = [
  {
    rows: ['design:socket/ping', 'design:socket/id', 'design:socket/control'],
    title: 'answers to ping and control carry the id of the message',
    script: async ({ connect, ida }) => {
      const socket = await connect(ida.token)
      socket.send({ type: 'ping', id: 7, client_time: -12.5 })
      const pong = await socket.next('pong')
      expect(pong).toEqual({ type: 'pong', id: 7, client_time: -12.5, server_time: NUMBER })
      expect(Math.abs(pong.server_time - Date.now())).toBeLessThan(60_000)
      socket.send({ type: 'ping' })
      expect(await socket.next('pong')).toEqual({ type: 'pong', server_time: NUMBER })
      socket.send({ type: 'control', id: 'c', thrust_level: 0 })
      expect(await socket.next('accepted')).toEqual({
        type: 'accepted',
        id: 'c',
        game_time: TIMESTAMP,
      })
      socket.send({ type: 'control', id: 'd', thrust_level: 2 })
      expect(await socket.next('error')).toEqual({
        type: 'error',
        id: 'd',
        code: 'E001',
        message: TEXT,
      })
    },
  },
  {
    rows: ['design:socket/shape', 'error/socket'],
    title: 'an invalid message is E001, and the socket stays open',
    script: async ({ connect, ida }) => {
      const socket = await connect(ida.token)
      for (const text of ['', '{', '[]', '1', '{}', '{"type":"warp"}', '{"type":7}']) {
        socket.send(text)
        expect(await socket.next('error')).toEqual({ type: 'error', code: 'E001', message: TEXT })
      }
      expect((await socket.answer({ type: 'ping' })).type).toBe('pong')
    },
  },
  {
    rows: ['design:socket/subscribe'],
    title: 'a subscription narrows to named ships, an empty one ends that',
    script: async ({ connect, ida, newPlayer }) => {
      const other = await newPlayer()
      await newPlayer()
      const socket = await connect(ida.token)
      const all = (await socket.freshTick()).ships.length
      const answer = await socket.answer({ type: 'subscribe', ids: [other.ship_id] })
      expect(answer).toEqual({ type: 'subscribed', id: UUID, ids: [other.ship_id] })
      const ids = async (): Promise<string[]> => idsOf(await socket.freshTick())
      expect(await ids()).toEqual([ida.ship_id, other.ship_id].toSorted())
      expect(await socket.answer({ type: 'subscribe', radius: 0.001, rate: 5 })).toEqual({
        type: 'subscribed',
        id: UUID,
        radius: 0.001,
        rate: 5,
      })
      const { tick } = await socket.next('tick')
      expect(await ids()).toEqual([ida.ship_id])
      // Of 20 ticks a second every fourth comes.
      for (let i = 0; i < 4; i++) await socket.next('tick')
      const last = await socket.next('tick')
      expect(last.tick - tick).toBeGreaterThanOrEqual(4 * 4)
      expect(await socket.answer({ type: 'subscribe' })).toEqual({ type: 'subscribed', id: UUID })
      expect(await ids()).toHaveLength(all)
    },
  },
  {
    rows: ['design:socket/resume'],
    title: 'a resumed session gets the gap that it missed',
    script: async ({ chief, connect, ida }) => {
      const first = await connect(ida.token)
      const { era, tick } = await first.freshTick()
      first.socket.terminate()
      const meanwhile = await connect(chief.token)
      await meanwhile.next('tick', (frame) => frame.tick >= tick + 5)
      const socket = await connect(ida.token)
      await socket.freshTick()
      socket.send({ type: 'resume', id: 'r', era, tick })
      const resumed = await socket.next('resumed_session')
      expect(resumed).toEqual({
        type: 'resumed_session',
        id: 'r',
        era,
        tick: COUNT,
        gap: resumed.tick - tick,
        valid: true,
      })
      expect(resumed.gap).toBeGreaterThanOrEqual(5)
      expect((await socket.next('tick')).tick).toBeGreaterThanOrEqual(resumed.tick)
      const stale = await socket.answer({ type: 'resume', era: era + 1, tick })
      expect(stale).toMatchObject({ type: 'resumed_session', valid: false })
    },
  },
]

const entering: readonly Case[] = [
  {
    rows: ['design:socket/subprotocol', 'design:socket/url', 'design:socket/refusals'],
    title: 'a token comes in the header or as a sub-protocol; other handshakes are refused',
    script: async ({ connect, ida, refused, server }) => {
      const protocols = ['orrery.v1', `bearer.${ida.token}`]
      const socket = await connect(undefined, { protocols })
      expect(socket.socket.protocol).toBe('orrery.v1')
      await socket.next('welcome')
      const bearer = { authorization: `Bearer ${ida.token}` }
      expect(await refused({})).toBe('401 E005')
      expect(await refused({ authorization: 'Bearer x' })).toBe('401 E005')
      expect(await refused({}, { path: `/ws?token=${ida.token}` })).toBe('401 E005')
      expect(await refused(bearer, { protocols: ['chat'] })).toBe('401 E005')
      for (const origin of ['https://evil.example', 'null', 'http://127.0.0.1:1', 'x']) {
        expect(await refused({ ...bearer, origin })).toBe('403 E003')
      }
      for (const path of ['/', '/ws/', '/wss', '//', '/api/status']) {
        expect(await refused(bearer, { path })).toBe('404 E002')
      }
      await socket.close()
      const headers = { origin: server.url }
      await (await connect(ida.token, { headers })).next('welcome')
    },
  },
  {
    rows: ['design:socket/replaced', 'status/players_online'],
    title: 'a second socket of a player replaces the first',
    script: async ({ ask, connect, ida }) => {
      const first = await connect(ida.token)
      const second = await connect(ida.token)
      expect(await first.closed).toEqual({ code: 4001, reason: 'replaced' })
      expect((await ask('GET', '/api/status')).body).toMatchObject({ players_online: 1 })
      await second.next('tick')
    },
  },
  {
    rows: ['design:socket/observer', 'design:online/players'],
    title: 'an admin token watches a system, and its commands are refused',
    script: async ({ ask, chief, connect }) => {
      const socket = await connect(chief.token)
      expect(await socket.next('welcome')).toMatchObject({
        player_id: chief.admin_id,
        ship_id: '',
        observer: true,
      })
      expect((await socket.answer({ type: 'subscribe', system_id: 'sol' })).type).toBe('subscribed')
      expect((await socket.freshTick()).ships.length).toBeGreaterThan(0)
      await refusesCommands(socket, 'E003')
      expect((await ask('GET', '/api/status')).body).toMatchObject({ players_online: 0 })
    },
  },
  {
    rows: ['design:socket/no-ship', 'error/E006', 'design:ship/assign'],
    title:
      'an account without ship gets frames, E006 for commands, and a ship when one is assigned',
    script: async ({ connect, login, newAdmin, order }) => {
      const admin = await newAdmin()
      const socket = await connect((await login(admin)).token)
      expect(await socket.next('welcome')).toMatchObject({ ship_id: '' })
      expect((await socket.freshTick()).ships).toEqual([])
      await refusesCommands(socket, 'E006')
      expect((await socket.answer({ type: 'ping' })).type).toBe('pong')
      const { ship_id } = await order('POST', `/api/admin/players/${admin.admin_id}/ship`)
      expect((await socket.next('ship_assigned')).ship_id).toBe(ship_id)
      expect(idsOf(await socket.next('tick'))).toContain(ship_id)
      const renamed = await socket.answer({ type: 'ship_rename', name: 'Flagship' })
      expect(renamed).toMatchObject({ type: 'ship_renamed', name: 'Flagship' })
      await order('DELETE', `/api/admin/players/${admin.admin_id}`)
    },
  },
]

export const eventSection: Section = {
  name: 'events',
  cases: [...renaming, ...broadcasts, ...talk, ...entering],
}
