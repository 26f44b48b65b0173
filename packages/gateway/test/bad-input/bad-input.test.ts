// Goal: no input, however malformed, stops the server, is answered by its fault, or costs another
// player a tick. Method: one server process; a witness is connected all the time while everything
// wrong that we can think of, and then what chance makes up, is sent by somebody else. At the end
// the witness's ticks are complete, and the server stops cleanly under all that is left open.
import { testSeed } from '@orrery/testkit'
import * as fc from 'fast-check'
import type { Socket } from 'node:net'
import { afterAll, describe, expect, test } from 'vitest'
import { badMessages } from './bad-messages.ts'
import { type Target, badRequests } from './bad-requests.ts'
import { badRoutes } from './bad-routes.ts'
import { type PlayerSocket, adminToken, ask, openSocket, register } from '../player-client.ts'
import { refusalOf } from '../refusal.ts'
import type { ServerProcess } from '../server-process.ts'
import { usedServer } from '../used-server.ts'

const TICK_RATE = 20

const leftovers: Socket[] = []
const seed = testSeed('bad input')

let server: ServerProcess
let target: Target
let witness: PlayerSocket
let witnessToken: string
let firstShip: unknown

usedServer({}, async (started) => {
  server = started
  const { url, port } = server
  const admin = await adminToken(server)
  const { token } = await register(server, 'Mallory')
  witnessToken = (await register(server, 'Witness')).token
  target = { url, port, token, admin }
  await standardTicks()
  witness = await openSocket(server, witnessToken)
  firstShip = (await ask(server, 'GET', '/api/player/ship', { token: witnessToken })).body
})

afterAll(async () => {
  for (const socket of leftovers) socket.destroy()
})

/** Whatever was asked of the clock before: it ticks, and as fast as it did. */
async function standardTicks(): Promise<void> {
  const token = target.admin
  await ask(target, 'PUT', '/api/admin/game/tick-rate', { token, body: { tick_rate: TICK_RATE } })
  await ask(target, 'PUT', '/api/admin/game/time-scale', { token, body: { time_scale: 1 } })
  await ask(target, 'POST', '/api/admin/registrations/enable', { token })
}

badRequests(() => target)
badRoutes(() => target)
badMessages({ target: () => target, witness: () => witness, leftovers })

const FIELDS = ['username', 'password', 'tick_rate', 'time_scale', 'open', 'type', 'id', 'name']
const MORE_FIELDS = ['thrust_level', 'attitude', 'client_time', 'w', 'x', '__proto__', 'toJSON']
const field = fc.constantFrom(...FIELDS, ...MORE_FIELDS)
const value = fc.oneof(
  fc.jsonValue(),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.double(),
  fc.constantFrom('ping', 'control', 'ship_rename', 1, 0.5, -0, '', null),
)
const object = fc.dictionary(field, value, { maxKeys: 6 })
const text = fc.oneof(
  object.map((item) => JSON.stringify(item)),
  fc.json(),
  fc.string({ unit: 'binary' }),
  // Proper JSON with a hole or a wrong character in it.
  fc.tuple(object, fc.nat(), fc.string({ maxLength: 2 })).map(([item, at, wrong]) => {
    const json = JSON.stringify(item)
    return json.slice(0, at % json.length) + wrong + json.slice((at % json.length) + 1)
  }),
)

describe('made up by chance', () => {
  test('requests are answered, and none by a fault of the server', async () => {
    const place = fc.oneof(
      fc.constantFrom(
        '/api/auth/register',
        '/api/auth/login',
        '/api/admin/login',
        '/api/admin/game/tick-rate',
        '/api/admin/game/time-scale',
        '/api/admin/registrations',
        '/api/player/ship',
        '/api/status',
        '/ws',
      ),
      fc.webPath().map((path) => `/api${path}`),
    )
    const method = fc.constantFrom('POST', 'PUT', 'PATCH', 'DELETE')
    const token = fc.oneof(
      fc.constant('admin'),
      fc.constant('player'),
      fc.base64String({ maxLength: 60 }),
    )
    await fc.assert(
      fc.asyncProperty(method, place, text, token, async (method, path, body, who) => {
        const { admin, token } = target
        const bearer = who === 'admin' ? admin : who === 'player' ? token : who
        const answer = await ask(target, method, path, { text: body, token: bearer })
        const { status } = answer
        const outcome = status < 300 ? String(status) : refusalOf(answer)
        expect(outcome).toMatch(/^(?:20[01]|4\d\d E0\d\d)$/)
      }),
      { seed, numRuns: 400 },
    )
    await standardTicks()
  })

  test('messages are answered, and the socket stays open', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 40 }), async (texts) => {
        const socket = await openSocket(target, target.token)
        for (const item of texts) socket.send(item)
        socket.send({ type: 'ping', id: 'the last one' })
        await socket.next('pong', ({ id }) => id === 'the last one')
        const answers = socket.messages.map((item) => ('code' in item ? item.code : item.type))
        const known = ['welcome', 'tick', 'pong', 'accepted', 'ship_renamed', 'E001', 'E030']
        expect(known).toEqual(expect.arrayContaining([...new Set(answers)]))
        await socket.close()
      }),
      { seed, numRuns: 40 },
    )
  })
})

test('after all this the witness has every tick, and his ship as it was', async () => {
  await witness.freshTick()
  const ticks = witness.messages.flatMap((message) => (message.type === 'tick' ? [message] : []))
  expect(ticks.length).toBeGreaterThan(20)
  for (const [i, { tick }] of ticks.entries()) expect(tick).toBe(ticks[0].tick + i)
  const kinds = new Set(witness.messages.map(({ type }) => type))
  // The clock may have been changed, by a right token and a right number.
  expect([...kinds].filter((kind) => kind !== 'clock').toSorted()).toEqual([
    'pong',
    'tick',
    'welcome',
  ])
  const { body } = await ask(target, 'GET', '/api/player/ship', { token: witnessToken })
  const { name, fuel, mass, thrust_level } = firstShip as Record<string, unknown>
  expect(body).toMatchObject({ name, fuel, mass, thrust_level })
  expect(server.running()).toBe(true)
  expect((await ask(target, 'GET', '/health/ready')).status).toBe(200)
  // A tick that took long is the busy machine's.
  const loud = /^(?!.*"msg":"slow tick").*"level":"(?:warn|error|fatal)".*$/gm
  expect(server.output().match(loud) ?? []).toEqual([])
})

test('SIGTERM ends it with 0 though a hundred connections are left open', async () => {
  expect(leftovers.filter(({ destroyed }) => !destroyed).length).toBeGreaterThan(50)
  expect(await server.stop()).toBe(0)
})
