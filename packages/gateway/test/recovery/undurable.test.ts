// Goal: clients get `paused` and `resumed` when the journal holds the world, unless an operator
// has paused it. Method: the handlers, a real engine, and a client of its sockets.
import { createLogger } from '@orrery/http'
import { expect, test } from 'vitest'
import { type EventReceivers, createEventHandlers } from '../../src/event-handlers.ts'
import { openSocket } from '../player-client.ts'
import { type SocketServer, usedSocketServers } from '../sockets/socket-server.ts'

const open = usedSocketServers()

interface Outage {
  readonly it: SocketServer
  readonly lost: () => void
  readonly back: () => void
  /** what a client has been sent of it */
  readonly sent: () => Promise<string[]>
}

async function outage(): Promise<Outage> {
  const it = await open()
  const client = await openSocket(it, it.join())
  const handlers = createEventHandlers({
    logger: createLogger({ level: 'fatal', destination: { write: () => {} } }),
    onFenced: () => {},
  } as unknown as Parameters<typeof createEventHandlers>[0])
  handlers.connect(it as unknown as EventReceivers)
  return {
    it,
    lost: () => handlers.journal.onLost(),
    back: () => handlers.journal.onBack(),
    sent: async () => {
      await client.answer({ type: 'ping' })
      return client.messages.map(({ type }) => type).filter((type) => /paused|resumed/.test(type))
    },
  }
}

test('a world that runs is paused, and resumed where it was', async () => {
  const { it, lost, back, sent } = await outage()
  await it.tick()
  lost()
  expect(await sent()).toEqual(['paused'])
  await it.tick()
  expect(it.engine.status().tick).toBe(1)
  back()
  expect(await sent()).toEqual(['paused', 'resumed'])
  await it.tick()
  expect(it.engine.status().tick).toBe(2)
})

test('a short outage, which holds nothing, is not announced', async () => {
  const { back, sent } = await outage()
  back()
  expect(await sent()).toEqual([])
})

test('a world that an operator has paused stays so, without a message', async () => {
  const { it, lost, back, sent } = await outage()
  await it.engine.pause()
  lost()
  back()
  expect(await sent()).toEqual([])
  await it.tick()
  expect(it.engine.status()).toMatchObject({ paused: true, tick: 0 })
})

test('no event is taken before its receivers are connected', () => {
  const { journal } = createEventHandlers({} as Parameters<typeof createEventHandlers>[0])
  expect(() => journal.moment()).toThrow('before its receivers are connected')
})
