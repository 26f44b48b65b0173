import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import type { Case, Section } from './case.ts'
import { COUNT, NUMBER, SHIP, TEXT, TIMESTAMP, UUID, envelope } from './shapes.ts'
import { type Loose, RATE_HZ, signed } from './world.ts'

const badName = { type: 'error', code: 'E030', message: TEXT }

const renaming: readonly Case[] = [
  {
    rows: ['message/ship_rename', 'message/ship_renamed', 'message/rename-shows', 'ship/name'],
    title: 'the new name is told to its owner and seen by all with the next tick',
    script: async ({ ask, connect, ida, newPlayer }) => {
      const own = await connect(ida.token)
      const other = await connect((await newPlayer()).token)
      await other.frame()
      own.say({ type: 'ship_rename', name: '  Dawn Treader\t' })
      expect(await own.next('ship_renamed')).toEqual({
        type: 'ship_renamed',
        name: 'Dawn Treader',
      })
      const seen = await other.frame()
      const ship = seen.ships.find(({ ship_id: id }: Loose) => id === ida.ship_id)
      expect(ship.name).toBe('Dawn Treader')
      const asked = await ask('GET', '/api/player/ship', { token: ida.token })
      expect(asked.body).toMatchObject({ name: 'Dawn Treader' })
      await own.answer({ type: 'ship_rename', name: 'Ida' })
    },
  },
  {
    rows: ['limit/ship-name', 'message/ship_rename'],
    title: 'names of 3 and of 32 characters are taken',
    script: async ({ connect, ida }) => {
      const line = await connect(ida.token)
      for (const name of ['abc', 'x'.repeat(32), '\u{1f680}'.repeat(32), '<b>"&\'</b>', 'Ida']) {
        line.say({ type: 'ship_rename', name })
        expect(await line.next('ship_renamed')).toEqual({ type: 'ship_renamed', name })
      }
    },
  },
  {
    rows: ['message/error', 'limit/ship-name', 'error/E030', 'error/socket', 'design:names/plain'],
    title: 'other names are E030',
    script: async ({ connect, ida }) => {
      const line = await connect(ida.token)
      for (const name of [
        '',
        '   ',
        'ab',
        ' ab ',
        'x'.repeat(33),
        12345,
        null,
        undefined,
        ['abc'],
        'a\u0000bc',
        'a\u202ebc',
        'a\u2028bc',
      ]) {
        line.say({ type: 'ship_rename', name })
        expect(await line.next('error')).toEqual(badName)
      }
    },
  },
]

const broadcasts: readonly Case[] = [
  {
    rows: ['design:socket/welcome', 'design:socket/header', 'setting/server-name'],
    title: 'the first message says where one is',
    script: async ({ connect, ida }) => {
      const line = await connect(ida.token)
      await line.next('tick')
      expect(line.messages[0]).toEqual({
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
      })
    },
  },
  {
    rows: ['message/tick', 'design:socket/tick', 'ship/name'],
    title: 'each tick brings all ships with their names, one tick after the other',
    script: async ({ connect, ida }) => {
      const line = await connect(ida.token)
      let before = await line.frame()
      for (let i = 0; i < 5; i++) {
        const frame = await line.next('tick')
        expect(Object.keys(frame).toSorted()).toEqual([
          'effective_time_scale',
          'era',
          'game_time',
          'jumpgates',
          'ships',
          'stations',
          'tick',
          'type',
        ])
        expect(frame).toMatchObject({
          era: COUNT,
          game_time: TIMESTAMP,
          effective_time_scale: NUMBER,
        })
        for (const ship of frame.ships) expect(ship).toEqual(SHIP)
        expect(frame.ships.map(({ ship_id: id }: Loose) => id)).toContain(ida.ship_id)
        expect(frame.tick).toBe(before.tick + 1)
        before = frame
      }
    },
  },
  {
    rows: ['message/pause', 'state/pause', 'state/resume'],
    title: 'everybody is told of pause and resume',
    script: async ({ connect, ida, order, newPlayer }) => {
      const lines = [await connect(ida.token), await connect((await newPlayer()).token)]
      const { paused_at_tick: tick } = await order('POST', '/api/admin/game/pause')
      for (const line of lines) {
        expect(await line.next('paused')).toEqual({ type: 'paused', tick, game_time: TIMESTAMP })
      }
      await order('POST', '/api/admin/game/resume')
      for (const line of lines) {
        expect(await line.next('resumed')).toEqual({ type: 'resumed', tick, game_time: TIMESTAMP })
      }
    },
  },
]

const talk: readonly Case[] = [
  {
    rows: ['design:socket/ping', 'design:socket/id', 'design:socket/control'],
    title: 'ping and control are answered with the mark they carry',
    script: async ({ connect, ida }) => {
      const line = await connect(ida.token)
      line.say({ type: 'ping', id: 7, client_time: 12.5 })
      expect(await line.next('pong')).toEqual({
        type: 'pong',
        id: 7,
        client_time: 12.5,
        server_time: NUMBER,
      })
      line.say({ type: 'control', id: 'c', thrust_level: 0 })
      expect(await line.next('accepted')).toEqual({
        type: 'accepted',
        id: 'c',
        game_time: TIMESTAMP,
      })
      line.say({ type: 'control', id: 'd', thrust_level: 2 })
      expect(await line.next('error')).toEqual({
        type: 'error',
        id: 'd',
        code: 'E001',
        message: TEXT,
      })
    },
  },
  {
    rows: ['design:socket/shape', 'error/socket'],
    title: 'what is no message is E001, and the socket goes on',
    script: async ({ connect, ida }) => {
      const line = await connect(ida.token)
      for (const text of ['', '{', '[]', '1', '{}', '{"type":"warp"}', '{"type":7}']) {
        line.socket.send(text)
        expect(await line.next('error')).toEqual({ type: 'error', code: 'E001', message: TEXT })
      }
      expect((await line.answer({ type: 'ping' })).type).toBe('pong')
    },
  },
  {
    rows: ['design:socket/subscribe'],
    title: 'a subscription narrows to named ships, an empty one takes it back',
    script: async ({ connect, ida, newPlayer }) => {
      const other = await newPlayer()
      await newPlayer()
      const line = await connect(ida.token)
      const all = (await line.frame()).ships.length
      const answer = await line.answer({ type: 'subscribe', ids: [other.ship_id] })
      expect(answer).toEqual({ type: 'subscribed', id: UUID, ids: [other.ship_id] })
      const ids = async (): Promise<string[]> =>
        (await line.frame()).ships.map(({ ship_id: id }: Loose) => id).toSorted()
      expect(await ids()).toEqual([ida.ship_id, other.ship_id].toSorted())
      expect(await line.answer({ type: 'subscribe', radius: 1, rate: 5 })).toEqual({
        type: 'subscribed',
        id: UUID,
        radius: 1,
        rate: 5,
      })
      expect(await ids()).toEqual([ida.ship_id])
      expect(await line.answer({ type: 'subscribe' })).toEqual({ type: 'subscribed', id: UUID })
      expect(await ids()).toHaveLength(all)
    },
  },
  {
    rows: ['design:socket/resume'],
    title: 'a resumed session is told what it missed',
    script: async ({ chief, connect, ida }) => {
      const first = await connect(ida.token)
      const { era, tick } = await first.frame()
      await first.hangUp()
      const meanwhile = await connect(chief.token)
      await meanwhile.next('tick', (frame) => frame.tick >= tick + 5)
      const line = await connect(ida.token)
      await line.frame()
      const answer = await line.answer({ type: 'resume', era, tick })
      expect(answer).toEqual({
        type: 'resumed_session',
        id: UUID,
        era,
        tick: COUNT,
        gap: answer.tick - tick,
        valid: true,
      })
      expect(answer.gap).toBeGreaterThanOrEqual(5)
      const stale = await line.answer({ type: 'resume', era: era + 1, tick })
      expect(stale).toMatchObject({ type: 'resumed_session', valid: false })
    },
  },
]

const entering: readonly Case[] = [
  {
    rows: ['design:socket/subprotocol', 'design:socket/url', 'design:socket/refusals'],
    title: 'a token comes in the header or as a sub-protocol; else 401 before the handshake',
    script: async ({ connect, ida, refused }) => {
      const line = await connect(undefined, ['orrery.v1', `bearer.${ida.token}`])
      expect(line.socket.protocol).toBe('orrery.v1')
      await line.next('welcome')
      expect(await refused('/ws', {})).toEqual({ status: 401, body: envelope('E005') })
      expect(await refused(`/ws?token=${ida.token}`, {})).toEqual({
        status: 401,
        body: envelope('E005'),
      })
      const authorization = `Bearer ${ida.token}`
      expect(await refused('/ws', { authorization, origin: 'https://evil.example' })).toEqual({
        status: 403,
        body: envelope('E003'),
      })
    },
  },
  {
    rows: ['design:socket/replaced', 'status/players_online'],
    title: 'a second socket takes over from the first',
    script: async ({ ask, connect, ida }) => {
      const first = await connect(ida.token)
      const second = await connect(ida.token)
      expect((await first.closed).code).toBe(4001)
      expect((await ask('GET', '/api/status')).body).toMatchObject({ players_online: 1 })
      await second.next('tick')
    },
  },
  {
    rows: ['design:socket/observer', 'design:online/players'],
    title: 'an admin token watches a system and commands nothing',
    script: async ({ ask, chief, connect }) => {
      const line = await connect(chief.token)
      expect(await line.next('welcome')).toMatchObject({
        player_id: chief.admin_id,
        ship_id: '',
        observer: true,
      })
      expect((await line.answer({ type: 'subscribe', system_id: 'sol' })).type).toBe('subscribed')
      const frame = await line.frame()
      expect(frame.ships.length).toBeGreaterThan(0)
      for (const command of [
        { type: 'ship_rename', name: 'Nobody' },
        { type: 'control', thrust_level: 1 },
      ]) {
        expect(await line.answer(command)).toMatchObject({ type: 'error', code: 'E003' })
      }
      expect((await ask('GET', '/api/status')).body).toMatchObject({ players_online: 0 })
    },
  },
  {
    rows: ['design:socket/no-ship', 'error/E006'],
    title: 'an account without ship gets frames, and E006 for commands',
    script: async ({ chief, connect, login }) => {
      const line = await connect((await login(chief)).token)
      expect(await line.next('welcome')).toMatchObject({ ship_id: '' })
      await line.next('tick')
      for (const command of [
        { type: 'ship_rename', name: 'Nobody' },
        { type: 'control', thrust_level: 1 },
      ]) {
        expect(await line.answer(command)).toMatchObject({ type: 'error', code: 'E006' })
      }
      expect((await line.answer({ type: 'ping' })).type).toBe('pong')
    },
  },
  {
    rows: ['auth/validation', 'design:token/gone'],
    title: 'the socket of a player who never was is refused',
    script: async ({ key, refused }) => {
      const exp = Math.floor(Date.now() / 1000) + 60
      const claims = { sub: randomUUID(), type: 'player', ship_id: randomUUID(), iat: exp - 60 }
      const authorization = `Bearer ${signed(key, { ...claims, exp })}`
      expect(await refused('/ws', { authorization })).toEqual({
        status: 401,
        body: envelope('E005'),
      })
    },
  },
]

export const eventSection: Section = {
  name: 'events',
  cases: [...renaming, ...broadcasts, ...talk, ...entering],
}
