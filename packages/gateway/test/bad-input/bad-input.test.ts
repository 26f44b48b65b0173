// Goal: no input, however malformed, stops the server, causes a fault, or costs another player a
// tick. Method: one server process; a witness is connected all the time while another player sends
// every invalid input that we can think of. At the end the witness's ticks are complete, and the
// server stops cleanly with connections still open.
import type { Socket } from 'node:net'
import { IS_NIGHT } from '@orrery/testkit/tier'
import { afterAll, expect, test } from 'vitest'
import { badMessages } from './bad-messages.ts'
import { type Target, badRequests } from './bad-requests.ts'
import { badRoutes } from './bad-routes.ts'
import { openAdminSession } from '../accounts/admin-session.ts'
import { type PlayerSocket, ask, openSocket, register } from '../player-client.ts'
import { loudLines } from '../server-process.ts'
import { shownTicks, ticksUnshown } from '../seen-ticks.ts'
import { usedServer } from '../used-server.ts'

const leftovers: Socket[] = []

let target: Target
let witness: PlayerSocket
let witnessToken: string
let firstShip: unknown

// At night its hashes cost what those of users' servers do.
const server = usedServer(IS_NIGHT ? { NODE_OPTIONS: undefined } : {}, async () => {
  const { url, port } = server
  const session = await openAdminSession(server)
  const { admin } = session.chief
  const service = await session.serviceToken()
  const { token } = await register(server, 'Mallory')
  witnessToken = (await register(server, 'Witness')).token
  target = { url, port, token, admin, service }
  await server.order('PUT', '/api/admin/game/tick-rate', { tick_rate: 20 })
  witness = await openSocket(server, witnessToken)
  firstShip = (await ask(server, 'GET', '/api/player/ship', { token: witnessToken })).body
})

afterAll(async () => {
  for (const socket of leftovers) socket.destroy()
})

badRequests(() => target)
badRoutes(() => target)
badMessages({ target: () => target, witness: () => witness, leftovers })

test('the witness has tick after tick, and an unchanged ship', async () => {
  await witness.freshTick()
  const { backwards, count, missed } = shownTicks(witness.messages)
  expect(count).toBeGreaterThan(20)
  expect(backwards).toEqual([])
  expect(missed).toBeLessThanOrEqual(await ticksUnshown(server))
  const kinds = new Set(witness.messages.map(({ type }) => type))
  // A valid request may have changed the clock.
  kinds.delete('clock')
  expect([...kinds].toSorted()).toEqual(['pong', 'tick', 'welcome'])
  const { body } = await ask(target, 'GET', '/api/player/ship', { token: witnessToken })
  const { name, fuel, mass, thrust_level } = firstShip as Record<string, unknown>
  expect(body).toMatchObject({ name, fuel, mass, thrust_level })
  expect(server.running()).toBe(true)
  expect((await ask(target, 'GET', '/health/ready')).status).toBe(200)
  expect(loudLines(server.output())).toEqual([])
})

test('SIGTERM ends it with 0 despite a hundred open connections', async () => {
  expect(leftovers.filter(({ destroyed }) => !destroyed).length).toBeGreaterThan(50)
  expect(await server.stop()).toBe(0)
})
