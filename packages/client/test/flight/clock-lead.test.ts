/**
 * Law: a flight measures round trips as long as it is open, and its clock leads the server's by
 * what orders take, but only where its own ship is flown by frames.
 * Method: a real socket to a server on a real port, under a simulated clock.
 */
import { CONTROL_QUANTA } from '@orrery/sim'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type FlownShip, INDEX, OTHER, next, openFlownShip } from './flown-ship.ts'

let me: FlownShip
let startMs: number

beforeEach(async () => {
  me = await openFlownShip()
  startMs = me.clock.utcMs()
})

afterEach(() => me.close())

/** Lets seconds pass, with a frame in each. */
async function pass(seconds: number): Promise<void> {
  for (let i = 0; i < seconds; i++) {
    me.clock.pass(1000)
    const passedMs = me.clock.utcMs() - startMs
    await me.publish(INDEX + (64 * passedMs) / 1000)
  }
}

/** A ping is answered that has taken so long. */
async function answered(ms: number): Promise<void> {
  me.side.send({ type: 'pong', client_time: me.clock.utcMs() - ms, server_time: 0 })
  await next((listener) => me.socket.on('pong', listener))
}

/** Quanta by which the clock leads, once it is right. */
async function lead(): Promise<number> {
  await pass(8)
  return me.flight.clock.now() - me.flight.clock.serverNow()
}

/** What orders take after one round trip: half of it, and twice its half as deviation [ms]. */
const leadOf = (ms: number): number => 0.064 * 1.5 * ms + CONTROL_QUANTA + 2

it('asks once a second at first, then every five, until it is closed', async () => {
  await pass(20)
  me.flight.close()
  await pass(10)
  me.socket.requestSeed()
  await me.side.next('seed_request')
  // The socket's own pings have no id.
  const asked = me.side.pings.filter(({ id }) => id !== undefined)
  const seconds = asked.map(({ client_time: ms = 0 }) => (ms - startMs) / 1000)
  expect(seconds).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 13, 18])
})

it('leads by what orders take on their way', async () => {
  expect(await lead()).toBe(0)
  await answered(100)
  expect(await lead()).toBeCloseTo(leadOf(100), 6)
})

it('takes an answer from the future for one that took no time', async () => {
  await answered(-5000)
  expect(await lead()).toBeCloseTo(leadOf(0), 6)
})

it('does not lead without a ship of its own', async () => {
  await answered(100)
  const assign = async (shipId: string): Promise<void> => {
    me.side.send({ type: 'ship_assigned', ship_id: shipId })
    await next((listener) => me.socket.on('ship_assigned', listener))
  }
  await assign('')
  expect(await lead()).toBe(0)
  await assign(OTHER)
  expect(await lead()).toBeGreaterThan(0)
})
