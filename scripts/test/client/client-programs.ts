/** Programs of users of the packed client. */

export const PROGRAM = `
import { ClientError, type ShipState, connectSocket, createGameClient } from '@orrery/client'

export async function play(url: string, username: string): Promise<string> {
  const game = createGameClient({ url })
  const { token, ship_id: shipId } = await game.register(username, 'correct horse 7b')
  const socket = connectSocket({ url, token })
  const own = new Promise<ShipState>((resolve) => {
    socket.on('tick', ({ ships }) => {
      const ship = ships.find((one) => one.ship_id === shipId)
      if (ship !== undefined) resolve(ship)
    })
  })
  await socket.opened
  await socket.control({ thrust_level: 0.5 })
  const refused = socket.control({ thrust_level: 2 })
  const answer = await refused.catch(code)
  const { reference_body: body } = await own
  socket.close()
  return [answer, body].join(' ')
}

const code = (error: ClientError): string => error.code

const asked = (asking: Promise<unknown>): Promise<string> => asking.then(() => 'answered', code)

/** What needs a token, and what needs none. */
export async function asking(url: string): Promise<string> {
  const game = createGameClient({ url })
  return [await asked(game.player('a.b.c').ship()), await asked(game.status())].join(' ')
}

export async function opening(url: string): Promise<string> {
  return connectSocket({ url, token: 'a.b.c' }).opened.then(() => 'opened', code)
}
`

export const FLIGHT_PROGRAM = `
import { connectSocket, createGameClient } from '@orrery/client'
import { type Flight, createShipSample, openFlight } from '@orrery/client/flight'

let flown: Flight | undefined
let receive: (time: number) => Promise<void>

export async function embark(url: string, username: string): Promise<void> {
  const game = createGameClient({ url })
  const { token } = await game.register(username, 'correct horse 7b')
  const socket = connectSocket({ url, token, wire: 'binary' })
  const { clock, ready } = (flown = openFlight({ socket }))
  receive = async (time) => {
    while (Date.parse((await game.status()).game_time) < clock.utc(time)) {
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    await socket.ping()
  }
  await ready
}

export const now = (): number => flown?.clock.serverNow() ?? NaN

/** Waits until a tick from a time on has come. */
export const received = (time: number): Promise<void> => receive(time)

export function look(names: readonly string[], bodies: readonly string[], time: number): number[] {
  const state = createShipSample()
  const { world } = flown!
  const shown = names.flatMap((name) => world.ships().filter((ship) => ship.name === name))
  return [
    ...shown.map(({ id }) => world.shipAt(state, id, time) && [...state.r, ...state.v]),
    ...bodies.map((body) => world.bodyAt(state, body, time) && [...state.r, ...state.v]),
  ].flatMap((place) => place || [NaN])
}

export async function foresee(url: string, username: string, worker?: URL): Promise<string> {
  const game = createGameClient({ url })
  const { token, ship_id: shipId } = await game.register(username, 'correct horse 7b')
  const socket = connectSocket({ url, token, wire: 'binary' })
  const flight = openFlight({ socket, ...(worker && { forecastWorker: worker }) })
  await flight.ready
  const order = { type: 'control', thrust_level: 1, delta_v: 10 } as const
  const { deltaV, end, from, isExact, stateAt, to } = await flight.forecast(shipId, {
    hours: 2,
    orders: [{ after: 60, order }],
  })
  const out = { r: new Float64Array(3), v: new Float64Array(3), body: '', reference: -1 }
  const isThere = stateAt(out, (from + to) / 2)
  flight.close()
  socket.close()
  return [end, isExact, isThere, out.body, Math.round(deltaV)].join(' ')
}
`

export const BARE_PROGRAM = `
import { type SocketConstructor, connectSocket, createGameClient } from '@orrery/client'
import { type Flight, openFlight } from '@orrery/client/flight'

export function fly(url: { readonly href: string }, socket: SocketConstructor): Flight {
  const game = createGameClient({ url })
  return openFlight({ socket: connectSocket({ url, token: '', WebSocket: socket }), game })
}
`

export const WS_PROGRAM = `
import { connectSocket } from '@orrery/client'
import WebSocket from 'ws'

export async function open(url: string, token: string): Promise<string> {
  const socket = connectSocket({ url: new URL(url), token, fetch, WebSocket })
  const { ship_id: shipId } = await socket.opened
  socket.close()
  return shipId
}
`
