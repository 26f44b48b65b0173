// Goal: a text of a pilot comes once to those in view or to one, at whichever process, and to
// no other; too many and unfit ones are refused by name, and a client that does not read costs a
// bounded queue. Method: real sockets of one or two engines, simulated clocks.
import { createLocalBus } from '@orrery/bus'
import { createPresence } from '@orrery/game'
import type { SaidMessage } from '@orrery/protocol'
import { randomUUID } from 'node:crypto'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { type PlayerSocket, openSocket } from '../player-client.ts'
import { rawSocket } from '../raw-connection.ts'
import { type SocketServer, usedSocketServers } from './socket-server.ts'

const open = usedSocketServers()

const NOWHERE = 'No other pilot of that ship is connected'

/** What a client has been sent of texts so far. */
async function heardBy(client: PlayerSocket): Promise<readonly SaidMessage[]> {
  // Its answer follows all that was sent before.
  await client.answer({ type: 'ping' })
  return client.messages.flatMap((message) => (message.type === 'said' ? [message] : []))
}

/** A pilot with a ship of a name in a star system. */
async function pilot(it: SocketServer, name: string, systemId?: string) {
  const ship = await it.launch(name, systemId)
  const token = it.join(ship)
  return { ship, token, socket: await openSocket(it, token) }
}

/** Two in one star system, and one in another. */
async function threePilots(it: SocketServer) {
  return [await pilot(it, 'Ida'), await pilot(it, 'Jo'), await pilot(it, 'Far', 'alpha')] as const
}

test('all pilots of the star system hear it once, with the name and the time', async () => {
  const it = await open()
  const [ida, jo, far] = await threePilots(it)
  const guests = [await openSocket(it, it.join()), await openSocket(it, it.joinAdmin())]
  await it.launch('Empty')
  const text = '<b>Hello</b>, é'
  const said = await ida.socket.answer({ type: 'say', text: ` ${text.normalize('NFD')}` })
  const line = { type: 'said', ship_id: ida.ship, ship_name: 'Ida', text }
  expect(said).toMatchObject({ ...line, heard: 1 })
  const at = new Date(it.clock.utcMs()).toISOString()
  expect(await heardBy(jo.socket)).toEqual([{ ...line, at }])
  for (const other of [far.socket, ...guests]) expect(await heardBy(other)).toEqual([])
  expect(it.sockets.metrics().talk).toEqual({ sent: 1, dropped: 0 })
})

test('one pilot hears what is for one, wherever the ship is', async () => {
  const it = await open()
  const [ida, jo, far] = await threePilots(it)
  const message = { type: 'say', text: 'Hello', ship_id: far.ship.toUpperCase() }
  expect(await ida.socket.answer(message)).toMatchObject({ heard: 1, to_ship_id: far.ship })
  expect(await heardBy(far.socket)).toMatchObject([{ text: 'Hello', to_ship_id: far.ship }])
  expect(await heardBy(jo.socket)).toEqual([])
  const empty = await it.launch('Empty')
  for (const shipId of [empty, randomUUID(), ida.ship]) {
    const refused = await ida.socket.answer({ ...message, ship_id: shipId })
    expect(refused).toMatchObject({ code: 'E006', message: NOWHERE })
  }
})

test('unfit texts, those without a ship, and all while it is off are refused', async () => {
  let isTalkEnabled = true
  const it = await open({ isTalkEnabled: async () => isTalkEnabled })
  const [ida, jo] = [await pilot(it, 'Ida'), await pilot(it, 'Jo')]
  const say = { type: 'say', text: 'Hello' }
  for (const text of ['', 'a\nb', 'x'.repeat(201), null]) {
    expect(await ida.socket.answer({ type: 'say', text })).toMatchObject({ code: 'E001' })
  }
  for (const [token, code] of [
    [it.join(), 'E006'],
    [it.joinAdmin(), 'E003'],
  ] as const) {
    expect(await (await openSocket(it, token)).answer(say)).toMatchObject({ code })
  }
  isTalkEnabled = false
  const message = 'Talk is switched off'
  expect(await ida.socket.answer(say)).toMatchObject({ code: 'E003', message })
  expect(await heardBy(jo.socket)).toEqual([])
})

test('an account says five in ten seconds, on whichever socket', async () => {
  const it = await open()
  const [ida, jo] = [await pilot(it, 'Ida'), await pilot(it, 'Jo')]
  const say = { type: 'say', text: 'Hello' }
  let { socket } = ida
  for (let i = 0; i < 5; i++) expect((await socket.answer(say)).type).toBe('said')
  await it.clock.advance(4000)
  socket = await openSocket(it, ida.token)
  const message = 'Too many messages to other pilots: wait 6 s'
  expect(await socket.answer(say)).toMatchObject({ code: 'E004', message })
  expect((await jo.socket.answer(say)).type).toBe('said')
  await it.clock.advance(6000)
  expect((await socket.answer(say)).type).toBe('said')
  expect(await heardBy(jo.socket)).toHaveLength(7)
})

test('a client that does not read is sent forty texts in ten seconds', async () => {
  const it = await open()
  const deaf = await it.launch('Deaf')
  const socket = await rawSocket(it.port, it.join(deaf))
  socket.pause()
  const speakers = await Promise.all(Array.from({ length: 12 }, (_, i) => pilot(it, `Ship ${i}`)))
  const text = '🚀'.repeat(200)
  for (const speaker of speakers) {
    for (let i = 0; i < 5; i++) {
      const said = await speaker.socket.answer({ type: 'say', text, ship_id: deaf })
      expect(said).toMatchObject({ heard: 1 })
    }
  }
  const { bytesQueued, talk } = it.sockets.metrics()
  expect(talk).toEqual({ sent: 40, dropped: 20 })
  expect(bytesQueued).toBeLessThan(100_000)
  await it.clock.advance(10_000)
  await speakers[0].socket.answer({ type: 'say', text, ship_id: deaf })
  expect(it.sockets.metrics().talk).toEqual({ sent: 41, dropped: 20 })
  socket.destroy()
})

test('pilots at another process hear it over the bus, and those of a lost one do not', async () => {
  const bus = createLocalBus()
  const gateway = (): Promise<SocketServer> =>
    open({
      bus,
      joinOthers: (receiver) =>
        createPresence({ ...receiver, bus, process: randomUUID(), clock: presenceClock }),
    })
  const presenceClock = (await open()).clock
  const [a, b] = [await gateway(), await gateway()]
  const ships: string[] = []
  for (const name of ['Ida', 'Jo', 'Kim']) {
    ships.push(await a.launch(name))
    await b.launch(name)
  }
  const [ida, jo] = [await openSocket(a, a.join(ships[0])), await openSocket(b, b.join(ships[1]))]
  while (a.sockets.online() < 2) await turn()
  const said = await ida.answer({ type: 'say', text: 'Hello' })
  expect(said).toMatchObject({ heard: 1 })
  expect(await jo.next('said')).toMatchObject({ ship_name: 'Ida', text: 'Hello' })
  const toOne = { type: 'say', text: 'Over', ship_id: ships[0] }
  expect(await jo.answer(toOne)).toMatchObject({ heard: 1 })
  expect(await ida.next('said', ({ text }) => text === 'Over')).toMatchObject({ ship_name: 'Jo' })
  // What no process of this release sends.
  for (const payload of ['{', '{"said":{"type":"said"},"to":[]}', '{"said":{"type":"pong"}}']) {
    bus.publish('ctl.talk', Buffer.from(payload))
  }
  await jo.close()
  while (a.sockets.online() > 1) await turn()
  expect(await ida.answer({ type: 'say', text: 'Anybody?' })).toMatchObject({ heard: 0 })
})
