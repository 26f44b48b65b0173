// Law: a client in another language, made by WIRE.md, has ships where JSON ticks show them. Goal: a
// millimetre, 1e-6 rad. Method: the example in Python, on the frames of one player and the ticks of
// another, of ships that burn, tumble, turn, spin and point.
import { type ControlMessage, connectSocket } from '@orrery/client'
import { byTier } from '@orrery/testkit/tier'
import { execFile, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { PASSWORD, register } from '../player-client.ts'
import { sharedServer } from '../used-server.ts'

const example = (name: string): string =>
  fileURLToPath(new URL(`../../../protocol/examples/${name}`, import.meta.url))

const hasPython = spawnSync('python3', ['--version']).status === 0

const ORDERS: readonly Partial<ControlMessage>[] = [
  { thrust_level: 0.4, pointing: 'prograde' },
  { pointing: 'antinormal' },
  { pointing: 'loose' },
  { pointing: 'target', target_body: 'Moon' },
  { angular_rate: { x: 0.02, y: 0, z: 0.01 } },
  { attitude: { w: 0.5, x: 0.5, y: -0.5, z: 0.5 }, thrust_level: 0.1, delta_v: 3 },
]

const STATES = byTier({ gate: 300, night: 10_000 })
const TIMEOUT_MS = 240_000

const server = sharedServer()

async function python(name: string, ...args: readonly string[]): Promise<Record<string, number>> {
  const all = ['-B', example(name), ...args]
  const { stdout } = await promisify(execFile)('python3', all, { timeout: TIMEOUT_MS })
  return JSON.parse(stdout)
}

test.skipIf(!hasPython)('the client in Python (python3) agrees with the vectors', async () => {
  const { states, ...worst } = await python('check_vectors.py')
  expect(states).toBeGreaterThan(90)
  for (const kind of Object.keys(worst)) expect(worst[kind]).toBeLessThan(1e-6)
})

test.skipIf(!hasPython)(
  'the client in Python (python3) agrees with ticks',
  async () => {
    await server.order('PUT', '/api/admin/game/tick-rate', { tick_rate: 100 })
    await server.order('PUT', '/api/admin/game/time-scale', { time_scale: 10 })
    for (const [i, order] of ORDERS.entries()) {
      const { token } = await register(server, `Pilot${i}`)
      const socket = connectSocket({ url: server.url, token })
      await socket.opened
      await socket.control(order)
      socket.close()
    }
    const readers = ['Pilot0', PASSWORD, 'Pilot1', PASSWORD]
    const { states, ...worst } = await python('client.py', server.url, ...readers, String(STATES))
    expect(states).toBeGreaterThanOrEqual(STATES)
    for (const kind of ['position', 'barycentric']) expect(worst[kind]).toBeLessThan(1e-3)
    for (const kind of ['attitude', 'velocity', 'fuel']) expect(worst[kind]).toBeLessThan(1e-6)
  },
  TIMEOUT_MS,
)
