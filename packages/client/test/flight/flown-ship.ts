import { type ControlMessage, FRAME_BLOCKS, type RailedObject, createBlock } from '@orrery/protocol'
import {
  type Control,
  type Flight as CoreFlight,
  advanceChunk,
  createMassiveState,
  createStateVector,
  segmentState,
  turnRate,
  writeControl,
  writeRail,
} from '@orrery/sim'
import { GM, launchAt, twoBodyFlight } from '@orrery/sim/testing/two-body-field'
import { expect } from 'vitest'
import {
  type Flight,
  type FlownModules,
  createShipSample,
  openFlight,
} from '../../src/flight/index.ts'
import {
  type AcceptedMessage,
  type GameSocket,
  type Order,
  connectSocket,
} from '../../src/index.ts'
import { type ServerSide, WELCOME, localServer } from '../local-server.ts'
import { type SimulatedClock, simulatedClock } from '../simulated-clock.ts'
import {
  anchorOf,
  arcsOf,
  frameOf,
  hullsOf,
  identities,
  seedOf,
  systemSent,
} from './sent-frames.ts'

export const SHIP: string = WELCOME.ship_id
/** A ship in view of which nothing but its name is known. */
export const OTHER = '0badcafe-0000-4000-8000-000000000001'
export const INDEX = 1000
export const SLOT = 7
export const FULL = { type: 'control', thrust_level: 1 } as const

/** A station that nothing is near. */
export const STATION: RailedObject = {
  id: '0badcafe-0000-4000-8000-00000000000a',
  kind: 'station',
  name: 'Depot',
  radius: 30,
  row: 2,
  rail: {
    kind: 'orbit',
    parent: 0,
    radius: 8e6,
    pole: [0.6, 0, 0.8],
    rate: turnRate(Math.sqrt(GM / 8e6 ** 3)),
    epoch: 0,
  },
}

/** A pilot's flight, and the server that flies the same ship with the core. */
export interface FlownShip {
  readonly core: CoreFlight
  readonly clock: SimulatedClock
  readonly socket: GameSocket
  readonly side: ServerSide
  readonly flight: Flight
  /** what was reported */
  readonly modes: readonly string[]
  readonly corrections: readonly (readonly [reason: string, metres: number])[]
  readonly checks: readonly boolean[]
  /** sends the ship as it flies on the server at an index, and other blocks */
  publish(index: number, blocks?: Parameters<typeof frameOf>[2], scale?: number): Promise<void>
  /** sends a seed, and waits until the ship is flown */
  seed(index?: number): Promise<void>
  /** places a station, both here and on the server */
  station(): Promise<void>
  /** lets the server obey an order at an index */
  obey(control: Control, index: number): void
  /** where the ship is shown at an index, and where the server has it */
  places(index: number): readonly [shown: number[], due: number[]]
  /** the throttle that is shown */
  throttle(time: number): number
  /** gives an order; returns its answer to come, and what the server has of it */
  given(order?: Order): Promise<{ answer: Promise<AcceptedMessage>; sent: ControlMessage }>
  /** kinds of what the client has sent by now */
  sent(): Promise<string[]>
  accept(message: ControlMessage, index?: number): void
  refuse(message: ControlMessage, code: 'E001' | 'E003' | 'E008'): void
  /** ends the flight and its server */
  close(): Promise<void>
}

/** Opens a flight whose ship is known, but has no seed yet. */
export async function openFlownShip(modules?: FlownModules): Promise<FlownShip> {
  const core = launched()
  const server = await localServer({ greets: false })
  const clock = simulatedClock()
  const socket = connectSocket({ url: server.url, token: 'a.b.c', clock, wire: 'binary' })
  const flight = openFlight({ socket, clock, ...(modules && { modules }) })
  const reported = reportsOf(flight)
  const side = await server.socket()
  side.send({ ...WELCOME, protocol: 'orrery.v1.binary', frames: FRAME_BLOCKS })
  const { system } = core.state
  side.send(systemSent(system))
  const publish: FlownShip['publish'] = async (index, blocks = [], scale = 1) => {
    advanceChunk(core, 0, index)
    const clocks = createBlock('clock', 1)
    clocks.columns.era[0] = 1
    clocks.columns.scale[0] = scale
    const ship = [arcsOf(core, [SLOT]), hullsOf(core, [SLOT])]
    side.sendFrame(frameOf(3, index, [clocks, ...blocks, ...ship]))
    await next((listener) => socket.on('frame', listener))
  }
  await publish(INDEX, [anchorOf(createMassiveState(1)), ...identities(KNOWN)])
  const out = createShipSample()
  const due = createStateVector()
  return {
    core,
    clock,
    socket,
    side,
    flight,
    ...reported,
    publish,
    seed: async (index = INDEX) => {
      const isFlown = next((listener) => flight.ship.on('mode', listener))
      await publish(index, seedOf(core, SLOT, index))
      await isFlown
    },
    station: async () => {
      writeRail(core.state.rails, STATION.row, STATION.rail)
      side.send({ type: 'objects', system_id: system.id, objects: [STATION] })
      await next((listener) => socket.on('objects', listener))
    },
    obey: (control, index) => {
      const { chunk, orders } = core.state
      const row = chunk.chunkOrderEnd[0]++
      writeControl(orders, row, control, { slotOf: () => -1, railOf: () => STATION.row })
      orders.orderIndex[row] = index
      orders.orderSlot[row] = SLOT
    },
    places: (index) => {
      advanceChunk(core, 0, index)
      segmentState(due, core.state.ships, SLOT, core.state.classes[0], index, 0)
      expect(flight.world.shipAt(out, SHIP, index)).toBe(true)
      return [
        [...out.r, ...out.v],
        [...due.r, ...due.v],
      ]
    },
    throttle: (time) => {
      expect(flight.world.shipAt(out, SHIP, time)).toBe(true)
      return out.thrustLevel
    },
    given: async (order = FULL) => {
      const answer = flight.ship.order(order)
      answer.catch(() => undefined)
      return { answer, sent: await side.next('control') }
    },
    sent: async () => {
      // Messages do not overtake each other.
      socket.rename('Ida').catch(() => undefined)
      await side.next('ship_rename')
      return side.received.map(({ type }) => type).filter((type) => type !== 'ship_rename')
    },
    accept: ({ id = '' }, index) => {
      const about = index === undefined ? {} : { index }
      side.send({ type: 'accepted', id, game_time: WELCOME.game_time, ...about })
    },
    refuse: ({ id = '' }, code) => side.send({ type: 'error', id, code, message: 'No' }),
    close: async () => {
      flight.close()
      socket.close()
      await server.close()
    },
  }
}

const KNOWN = [
  { number: 5, id: SHIP, name: 'Ida' },
  { number: 6, id: OTHER, name: 'Eros' },
]

function launched(): CoreFlight {
  const core = twoBodyFlight(4000)
  launchAt(core, SLOT, [7e6, 0, 0], [0, Math.sqrt(GM / 7e6), 900])
  core.state.ships.shipNumber[SLOT] = KNOWN[0].number
  advanceChunk(core, 0, INDEX)
  return core
}

function reportsOf({ ship }: Flight) {
  const modes: string[] = []
  const corrections: (readonly [reason: string, metres: number])[] = []
  const checks: boolean[] = []
  ship.on('mode', (mode) => modes.push(mode.mode === 'received' ? mode.reason : mode.mode))
  ship.on('corrected', ({ metres, reason }) => corrections.push([reason, metres]))
  ship.on('checked', ({ isEqual }) => checks.push(isEqual))
  return { modes, corrections, checks }
}

/** Resolves with the next call of a listener, once those before it were called. */
export function next(listen: (listener: () => void) => () => void): Promise<void> {
  return new Promise((resolve) => {
    const stop = listen(() => {
      stop()
      resolve()
    })
  })
}
