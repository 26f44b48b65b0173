// Law: the client's world is the world that ticks show, whichever the wire. Goal: to the bit on
// binary frames, a millimetre on ticks. Method: a real server, a pilot on each wire, and an
// observer of its ticks.
import {
  type GameSocket,
  type SocketEvents,
  type TickMessage,
  type Wire,
  connectSocket,
  createGameClient,
} from '@orrery/client'
import { type Flight, createShipSample, openFlight } from '@orrery/client/flight'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { adminToken, register } from '../player-client.ts'
import { sharedServer } from '../used-server.ts'

const server = sharedServer()
const state = createShipSample()

/** A pilot, with the world it sees. */
interface Pilot {
  readonly socket: GameSocket
  readonly flight: Flight
  readonly shipId: string
  readonly playerId: string
}

const pilots: Pilot[] = []
let observer: GameSocket

async function pilot(name: string, wire: Wire): Promise<Pilot> {
  const { token, ship_id: shipId, player_id: playerId } = await register(server, name)
  const socket = connectSocket({ url: server.url, token, wire })
  const flight = openFlight({ socket, game: createGameClient(server) })
  const one = { socket, flight, shipId, playerId }
  pilots.push(one)
  await socket.opened
  return one
}

function next<Kind extends keyof SocketEvents>(
  socket: GameSocket,
  kind: Kind,
): Promise<SocketEvents[Kind]> {
  return new Promise((resolve) => {
    const stop = socket.on(kind, (event) => {
      stop()
      resolve(event)
    })
  })
}

/** A tick that a pilot's world has had the time to take, too. */
async function tickFor({ socket }: Pilot): Promise<TickMessage> {
  const tick = await next(observer, 'tick')
  await socket.ping()
  await socket.ping()
  return tick
}

/** Farthest that a ship of a tick, or a station, is from where a world has it [m]. */
function error({ world }: Flight, tick: TickMessage): number {
  const { ships, stations } = tick
  const index = tick.index + tick.offset
  const shipErrors = ships.map(
    ({ name, ship_id: id, relative_position: p, reference_body: body }) => {
      expect(world.shipAt(state, id, index), `the ship of ${name} is known`).toBe(true)
      expect(state.body).toBe(body)
      return Math.hypot(state.r[0] - p.x, state.r[1] - p.y, state.r[2] - p.z)
    },
  )
  const stationErrors = stations.map(({ name, station_id: id, position: p }) => {
    expect(world.objectAt(state, id, index), `${name} is known`).toBe(true)
    return Math.hypot(state.r[0] - p.x, state.r[1] - p.y, state.r[2] - p.z)
  })
  expect([shipErrors.length, stationErrors.length]).toEqual([pilots.length, 3])
  return Math.max(...shipErrors, ...stationErrors)
}

beforeAll(async () => {
  await pilot('Ripley', 'binary')
  await pilot('Parker', 'json')
  observer = connectSocket({ url: server.url, token: await adminToken(server) })
  await pilots[1].socket.control({ thrust_level: 0.25 })
  await pilot('Lambert', 'binary')
})

afterAll(() => {
  observer.close()
  for (const { socket, flight } of pilots) {
    flight.close()
    socket.close()
  }
})

describe('the world of', () => {
  it('frames is that of ticks, to the bit', async () => {
    const [ripley] = pilots
    await tickFor(ripley)
    for (let i = 0; i < 4; i++) {
      const tick = await tickFor(ripley)
      expect(error(ripley.flight, tick)).toBe(0)
    }
    expect(ripley.flight.world.completeness()).toEqual({ known: 3, inView: 3, waiting: 0 })
  })

  it('ticks is that of ticks, to a millimetre', async () => {
    const [, parker] = pilots
    while (parker.flight.world.objects().length === 0) await tickFor(parker)
    // Of its own ticks: an observer's may be older than what its world has by then.
    expect(error(parker.flight, await next(parker.socket, 'tick'))).toBeLessThan(1e-3)
  })

  it('frames goes on after a lost connection, without an event', async () => {
    const [{ socket, flight }] = pilots
    const events: string[] = []
    flight.world.on('joined', () => events.push('joined'))
    flight.world.on('left', () => events.push('left'))
    const resumed = next(socket, 'resumed_session')
    socket.reconnect()
    expect(await resumed).toMatchObject({ valid: true })
    const tick = await tickFor(pilots[0])
    expect(error(flight, tick)).toBe(0)
    expect(events).toEqual([])
  })

  it('frames knows of names, and of ships that have left', async () => {
    const [ripley, , lambert] = pilots
    const named = new Promise((resolve) => ripley.flight.world.on('named', resolve))
    await lambert.socket.rename('Ida of Tharsis')
    expect(await named).toMatchObject([{ id: lambert.shipId, name: 'Ida of Tharsis' }])
    const left = new Promise((resolve) => ripley.flight.world.on('left', resolve))
    await createGameClient(server)
      .admin(await adminToken(server))
      .players.remove(lambert.playerId)
    expect(await left).toMatchObject([{ id: lambert.shipId }])
    pilots.pop()
    expect(error(ripley.flight, await tickFor(ripley))).toBe(0)
  })

  it('frames runs as the server does', async () => {
    const { clock } = pilots[0].flight
    const { game } = createGameClient(server).admin(await adminToken(server))
    await game.pause()
    await expect.poll(() => clock.scale).toBe(0)
    await game.resume()
    await expect.poll(() => clock.scale).toBe(1)
  })
})
