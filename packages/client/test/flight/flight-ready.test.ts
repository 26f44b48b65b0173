/**
 * Law: a flight is ready once its time, its star system and its own ship are known, whichever the
 * wire, and fails with why it never will be. Method: a real socket to a server on a real port.
 */
import { FRAME_BLOCKS, createBlock } from '@orrery/protocol'
import { PHYSICS, createMassiveState } from '@orrery/sim'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Flight, openFlight } from '../../src/flight/index.ts'
import { type GameSocket, connectSocket } from '../../src/index.ts'
import { type LocalServer, type ServerSide, WELCOME, localServer } from '../local-server.ts'
import { type SimulatedClock, simulatedClock } from '../simulated-clock.ts'
import { next } from './flown-ship.ts'
import { PAIR, anchorOf, frameOf, identities, pairAt, systemSent } from './sent-frames.ts'

const SHIP = WELCOME.ship_id

let server: LocalServer
let clock: SimulatedClock
let socket: GameSocket
let side: ServerSide
let flight: Flight
let outcome: string

beforeEach(async () => {
  server = await localServer({ greets: false })
  clock = simulatedClock()
  socket = connectSocket({
    url: server.url,
    token: 'a.b.c',
    clock,
    wire: 'binary',
    random: () => 0,
  })
  flight = openFlight({ socket, clock })
  side = await server.socket()
  outcome = 'waits'
  flight.ready.then(
    () => (outcome = 'ready'),
    ({ code }) => (outcome = code),
  )
})

afterEach(async () => {
  flight.close()
  socket.close()
  await server.close()
})

function welcome(shipId = SHIP): void {
  side.send({ ...WELCOME, ship_id: shipId, protocol: 'orrery.v1.binary', frames: FRAME_BLOCKS })
}

function enter(): void {
  side.send(systemSent(PAIR))
}

/** Sends a frame with a clock, and waits until it is taken. */
async function frame(...blocks: Parameters<typeof frameOf>[2]): Promise<void> {
  const clocks = createBlock('clock', 1)
  clocks.columns.era[0] = clocks.columns.scale[0] = 1
  clocks.columns.offset[0] = 0.25
  side.sendFrame(frameOf(3, 1000, [clocks, ...blocks]))
  await next((listener) => socket.on('frame', listener))
}

/** What shows a ship. */
function shown(): Parameters<typeof frameOf>[2] {
  const arcs = createBlock('arcs', 1)
  arcs.columns.number[0] = 5
  arcs.columns.position[0] = 7e6
  return [anchorOf(pairAt(0)), arcs, ...identities([{ number: 5, id: SHIP, name: 'Ida' }])]
}

it('waits for the time and the star system where there is no ship', async () => {
  welcome('')
  await frame()
  expect([flight.clock.serverNow(), outcome]).toEqual([1000.25, 'waits'])
  enter()
  await frame()
  await flight.ready
  expect(outcome).toBe('ready')
})

it('waits for the ship where there is one, and for what it is flown by', async () => {
  welcome()
  enter()
  await frame(anchorOf(createMassiveState(2)))
  expect(outcome).toBe('waits')
  await frame(...shown())
  await frame()
  expect(outcome).toBe('waits')
  // Of another core: it is not flown here.
  const seed = createBlock('seed', 1)
  seed.columns.physics[0] = PHYSICS + 1
  await frame(seed)
  await flight.ready
  expect(flight.ship.mode).toEqual({ mode: 'received', reason: 'physics' })
})

it('waits for the ship that the server assigns', async () => {
  welcome('')
  side.send({ type: 'ship_assigned', ship_id: SHIP })
  enter()
  await frame()
  await frame()
  expect(outcome).toBe('waits')
})

it('fails when the flight is closed before', async () => {
  flight.close()
  await expect(flight.ready).rejects.toThrow('The flight was closed')
  expect(outcome).toBe('closed')
})

it('fails when its socket is closed for good, and not when a connection is lost', async () => {
  side.cut()
  await next((listener) => socket.on('disconnected', listener))
  clock.pass(1000)
  side = await server.socket()
  welcome()
  await socket.opened
  expect(outcome).toBe('waits')
  socket.close()
  await expect(flight.ready).rejects.toMatchObject({ code: 'closed' })
})

it('is ready for good', async () => {
  welcome('')
  enter()
  await frame()
  await flight.ready
  socket.close()
  flight.close()
  await flight.ready
  expect(outcome).toBe('ready')
})

it('leads the server only with frames and a ship', async () => {
  const lead = async (): Promise<boolean> => {
    await next((listener) => socket.on('welcome', listener))
    await frame()
    for (let ms = 0; ms < 10_000; ms += 100) {
      clock.pass(100)
      flight.clock.now()
    }
    return flight.clock.now() - flight.clock.serverNow() > 1
  }
  side.send({ type: 'pong', client_time: clock.utcMs() - 100, server_time: 0 })
  welcome('')
  expect(await lead()).toBe(false)
  welcome()
  expect(await lead()).toBe(true)
})
