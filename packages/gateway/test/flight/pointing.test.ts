// Goal: a hull goes on pointing where its pilot asked while it flies, tells when it has arrived,
// and sees another ship; what cannot be pointed at is refused. Method: one server process, two
// pilots, game time at a hundred times its pace.
import type { ShipState } from '@orrery/protocol'
import { expect, test } from 'vitest'
import { dot, length, nose } from './orbit.ts'
import { type PlayerSocket, adminToken, ask, openSocket, register } from '../player-client.ts'
import type { ServerProcess } from '../server-process.ts'
import { usedServer } from '../used-server.ts'

/** Ticks in which a hull must have turned: ten minutes of game time. */
const LOOKS_MAX = 60

let server: ServerProcess
let ida: PlayerSocket
let idaShip: string
let maxShip: string

usedServer({}, async (started) => {
  server = started
  const pilots = [await register(server, 'Ida'), await register(server, 'Max')] as const
  idaShip = pilots[0].ship_id
  maxShip = pilots[1].ship_id
  ida = await openSocket(server, pilots[0].token)
  const token = await adminToken(server)
  await ask(server, 'PUT', '/api/admin/game/time-scale', { token, body: { time_scale: 100 } })
  await ask(server, 'PUT', '/api/admin/game/tick-rate', { token, body: { tick_rate: 10 } })
})

async function ship(id: string): Promise<ShipState> {
  const { ships } = await ida.freshTick()
  const found = ships.find((one) => one.ship_id === id)
  if (!found) throw new Error(`Ship ${id} is not in view.`)
  return found
}

/** Cosine of the angle between a ship's nose and a direction. */
function along(state: ShipState, direction: ShipState['position']): number {
  return dot(nose(state), direction) / length(direction)
}

test('a hull that is told to point against its course says when it does, and goes on', async () => {
  ida.send({ type: 'control', id: 'turn', pointing: 'retrograde' })
  await ida.next('accepted', ({ id }) => id === 'turn')
  const event = await ida.next('event')
  expect(event).toMatchObject({ event: 'locked', ship_id: idaShip, body: 'Earth' })
  for (let look = 0; look < 3; look++) {
    const state = await ship(idaShip)
    expect(along(state, state.relative_velocity)).toBeLessThan(-0.999_999)
  }
})

test('a hull follows another ship', async () => {
  ida.send({ type: 'control', id: 1, pointing: 'target', target_ship_id: maxShip })
  await ida.next('accepted', ({ id }) => id === 1)
  let aligned = 0
  for (let look = 0; look < LOOKS_MAX && aligned < 3; look++) {
    const { ships } = await ida.freshTick()
    const [own, other] = [idaShip, maxShip].map((id) => ships.find((one) => one.ship_id === id)!)
    const { x, y, z } = own.relative_position
    const there = other.relative_position
    // What is shown is up to a second of game time old, and ships pass at up to 15 km/s.
    const line = { x: there.x - x, y: there.y - y, z: there.z - z }
    const cosine = Math.cos(Math.min(1, 30_000 / length(line)) + 1e-3)
    aligned = along(own, line) > cosine ? aligned + 1 : 0
  }
  expect(aligned, 'ticks on end').toBe(3)
}, 60_000)

test('what is no ship cannot be pointed at', async () => {
  const nobody = '00000000-0000-4000-8000-000000000000'
  ida.send({ type: 'control', id: 2, pointing: 'target', target_ship_id: nobody })
  expect(await ida.next('error')).toMatchObject({ id: 2, code: 'E006' })
  ida.send({ type: 'control', id: 3, pointing: 'target' })
  expect(await ida.next('error')).toMatchObject({ id: 3, code: 'E001' })
})
