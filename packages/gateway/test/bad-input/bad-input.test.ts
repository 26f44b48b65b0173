// Goal: no input, however malformed, stops the server, causes a fault, or costs another player a
// tick. Method: one server process, which a short run of `scripts/orrery fuzz` has met before; a
// witness is connected all the time while another player sends every invalid input that we can
// think of. At the end the witness's ticks are complete, and the server stops cleanly with
// connections still open.
import type { Socket } from 'node:net'
import { QUICK_PASSWORDS, createChance, testSeed } from '@orrery/testkit'
import { IS_NIGHT, byTier } from '@orrery/testkit/tier'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { badMessages } from './bad-messages.ts'
import { type Target, badRequests } from './bad-requests.ts'
import { badRoutes } from './bad-routes.ts'
import { openAdminSession } from '../accounts/admin-session.ts'
import { type PlayerSocket, ask, openSocket, register } from '../player-client.ts'
import { fuzz } from '../fuzz/fuzz.ts'
import { fuzzFrames, fuzzTexts } from '../fuzz/parsers.ts'
import { UNDER_FUZZ } from '../fuzz/server-under-fuzz.ts'
import { loudLines } from '../server-process.ts'
import { shownTicks, ticksUnshown } from '../seen-ticks.ts'
import { usedServer } from '../used-server.ts'

const seed = testSeed('fuzz')
const PARSED = byTier({ gate: 5000, night: 1_000_000 })
const COUNT = byTier({ gate: 200, night: 20_000 })
/** For new players and code of the second half; its bodies of 64 KiB would be 19 MiB. */
const GROWTH_MIB_MAX = byTier({ gate: 16, night: 20 })

// At night its hashes cost what those of users' servers do.
const HASHES = IS_NIGHT ? '' : ` ${QUICK_PASSWORDS['NODE_OPTIONS']}`

const server = usedServer({ NODE_OPTIONS: `${UNDER_FUZZ}${HASHES}` })

test(`${COUNT} random requests and messages`, async () => {
  const { faults, outcomes, held, growthMiB } = await fuzz({ count: COUNT, seed, server })
  expect(faults).toEqual([])
  expect(outcomes.size).toBeGreaterThan(30)
  expect(held.length).toBeGreaterThan(3)
  expect(growthMiB, `held: ${JSON.stringify(held)}`).toBeLessThan(GROWTH_MIB_MAX)
})

test('mutated frames and messages are taken, or refused with a code', () => {
  const frames = fuzzFrames(PARSED, createChance(seed))
  const codes = ['ERR_FRAME_LENGTH', 'ERR_FRAME_VALUE', 'ERR_FRAME_VERSION', 'read']
  expect([...frames.keys()].toSorted()).toEqual(codes)
  const texts = fuzzTexts(PARSED, createChance(seed))
  expect([...texts.keys()].toSorted()).toEqual(['E001', 'E030', 'taken'])
})

const leftovers: Socket[] = []

let target: Target
let witness: PlayerSocket
let witnessToken: string
let firstShip: unknown
/** of the fuzzer */
let outputBefore: string

describe('before a witness', () => {
  beforeAll(async () => {
    const { url, port } = server
    outputBefore = server.output()
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

  badRequests(() => target)
  badRoutes(() => target)
  badMessages({ target: () => target, witness: () => witness, leftovers })
})

afterAll(async () => {
  for (const socket of leftovers) socket.destroy()
})

test('the witness has tick after tick, and an unchanged ship', async () => {
  await witness.freshTick()
  const { backwards, count, missed } = shownTicks(witness.messages)
  expect(count).toBeGreaterThan(20)
  expect(backwards).toEqual([])
  expect(missed).toBeLessThanOrEqual(await ticksUnshown(server))
  const kinds = new Set(witness.messages.map(({ type }) => type))
  // Valid requests may have changed the clock, and switched votes on.
  const others = [...kinds].filter((kind) => kind !== 'clock' && kind !== 'votes')
  expect(others.toSorted()).toEqual(['pong', 'tick', 'welcome'])
  const { body } = await ask(target, 'GET', '/api/player/ship', { token: witnessToken })
  const { name, fuel, mass, thrust_level } = firstShip as Record<string, unknown>
  expect(body).toMatchObject({ name, fuel, mass, thrust_level })
  expect(server.running()).toBe(true)
  expect((await ask(target, 'GET', '/health/ready')).status).toBe(200)
  expect(loudLines(server.output().slice(outputBefore.length))).toEqual([])
})

test('SIGTERM ends it with 0 despite a hundred open connections', async () => {
  expect(leftovers.filter(({ destroyed }) => !destroyed).length).toBeGreaterThan(50)
  expect(await server.stop()).toBe(0)
})
