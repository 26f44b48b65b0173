// Law: a flight shows what the frames of its socket hold, and over losses of it.
// Method: real sockets to a server on a real port that sends what each test gives it.
import { FRAME_BLOCKS, createBlock } from '@orrery/protocol'
import { createStateVector, latticeFromUtc } from '@orrery/sim'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  type Flight,
  type WorldEvents,
  createShipSample,
  openFlight,
} from '../../src/flight/index.ts'
import { type GameSocket, connectSocket } from '../../src/index.ts'
import { type LocalServer, type ServerSide, WELCOME, localServer } from '../local-server.ts'
import { type SimulatedClock, simulatedClock } from '../simulated-clock.ts'
import { PAIR, anchorOf, frameOf, identities, pairAt, systemSent } from '../flight/sent-frames.ts'

const SHIP = '6d0d2b0e-64d0-4a5e-8a6f-2f5c1b6f5f10'
const OTHER = '0badcafe-0000-4000-8000-000000000001'
const INDEX = latticeFromUtc(Date.parse(WELCOME.game_time))
const NODE = Math.floor(INDEX / 16384)

let server: LocalServer
let clock: SimulatedClock
let socket: GameSocket
let side: ServerSide
let flight: Flight

beforeEach(async () => {
  server = await localServer({ greets: false })
  clock = simulatedClock()
})

afterEach(async () => {
  flight.close()
  socket.close()
  await server.close()
})

async function open(): Promise<void> {
  const { url } = server
  socket = connectSocket({ url, token: 'a.b.c', clock, wire: 'binary', random: () => 0 })
  flight = openFlight({ socket, clock })
  side = await server.socket()
}

/** The next event of the world of a kind. */
function happened<Kind extends keyof WorldEvents>(kind: Kind): Promise<WorldEvents[Kind]> {
  return new Promise((resolve) => {
    const stop = flight.world.on(kind, (event) => {
      stop()
      resolve(event)
    })
  })
}

describe('with frames', () => {
  const ships = [
    { number: 5, id: SHIP, name: 'Ida' },
    { number: 9, id: OTHER, name: 'Eros' },
  ]

  function welcome(): void {
    side.send({ ...WELCOME, protocol: 'orrery.v1.binary', frames: FRAME_BLOCKS })
  }

  function enter(received = ships): void {
    side.send(systemSent(PAIR))
    const arcs = createBlock('arcs', received.length)
    const clocks = createBlock('clock', 1)
    clocks.columns.era[0] = clocks.columns.scale[0] = 1
    clocks.columns.inView[0] = 3
    clocks.columns.waiting[0] = 1
    for (const [i, { number }] of received.entries()) {
      arcs.columns.number[i] = number
      arcs.columns.start[i] = arcs.columns.end[i] = INDEX
      arcs.columns.position.set([7e6 + i, 0, 0], 3 * i)
    }
    side.sendFrame(
      frameOf(3, INDEX, [clocks, anchorOf(pairAt(NODE)), arcs, ...identities(received)]),
    )
  }

  /** Waits for the next connection, after this one's end. */
  async function again(): Promise<void> {
    await new Promise<void>((resolve) => socket.on('disconnected', () => resolve()))
    clock.pass(1)
    side = await server.socket()
    welcome()
  }

  beforeEach(async () => {
    await open()
    welcome()
    enter()
    await happened('joined')
  })

  it('the binary wire is offered first, and the world is that of the frames', () => {
    expect(side.offers).toEqual(['orrery.v1.binary', 'orrery.v1', 'bearer.a.b.c'])
    const { world } = flight
    expect(world.ships()).toMatchObject(ships)
    expect(world.completeness()).toEqual({ known: 2, inView: 3, waiting: 1 })
    expect(flight.clock.now()).toBe(INDEX)
    expect(Math.abs(flight.clock.utc(INDEX) - Date.parse(WELCOME.game_time))).toBeLessThan(8)
    const state = createShipSample()
    expect(world.shipAt(state, OTHER, INDEX)).toBe(true)
    expect([...state.r, state.body]).toEqual([7e6 + 1, 0, 0, 'Globe'])
    expect(world.bodyAt(state, 'Moon', 16384 * NODE, 'Globe')).toBe(true)
    expect([...state.r]).toEqual([3.99e8, 1e7, 0])
  })

  it('a lost connection resumes, and what has left meanwhile is gone', async () => {
    side.cut()
    await again()
    expect(flight.world.ships()).toHaveLength(2)
    expect(await side.next('resume')).toMatchObject({ era: 1, tick: 41, publication: 3 })
    const left = happened('left')
    const view = createBlock('view', 1)
    view.columns.number[0] = 5
    side.sendFrame(frameOf(8, INDEX, [view]))
    expect(await left).toMatchObject([ships[1]])
    expect(flight.world.ships()).toMatchObject([ships[0]])
  })

  it('a server that sends everything again leaves no ghost', async () => {
    const joined = happened('joined')
    enter(ships.slice(1))
    expect(await joined).toMatchObject([ships[1]])
    expect(flight.world.ships()).toMatchObject([ships[1]])
    expect(flight.world.bodyAt(createStateVector(), 'Moon', INDEX)).toBe(true)
  })

  it.each([
    ['no frame', new ArrayBuffer(24), 1],
    ['an anchor of other bodies', frameOf(4, INDEX, [createBlock('anchor', 3)]), 1],
    ['a sleep of a week', frameOf(4, INDEX + 64 * 604_800, []), 0],
    ['one with news of ships', frameOf(4, INDEX + 64 * 604_800, [createBlock('left', 1)]), 0],
  ])('after %s everything is asked for again', async (_what, frame, defects) => {
    const faults: unknown[] = []
    flight.on('fault', ({ error }) => faults.push(error))
    side.sendFrame(frame)
    await again()
    expect(faults).toHaveLength(defects)
    for (const fault of faults) expect(fault).toBeInstanceOf(Error)
    expect(flight.world.ships()).toEqual([])
    const joined = happened('joined')
    enter()
    await joined
    expect(side.received).toEqual([])
  })

  it('after a sleep of a week an anchor is enough', async () => {
    const named = happened('named')
    const index = INDEX + 64 * 604_800
    const anchor = anchorOf(pairAt(Math.floor(index / 16384)))
    side.sendFrame(frameOf(4, index, [anchor, ...identities([{ ...ships[0], name: 'Ada' }])]))
    expect(await named).toMatchObject([{ name: 'Ada' }])
    expect(flight.world.bodyAt(createStateVector(), 'Moon', index)).toBe(true)
  })

  it('another world empties this one', async () => {
    const left = happened('left')
    side.send({ type: 'reset', era: 2, tick: 0, game_time: WELCOME.game_time })
    expect(await left).toHaveLength(ships.length)
  })
})
