/**
 * A terminal client for a first look: registers a pilot, connects, and shows the
 * ship's height, speed and orbit as the ticks come in.
 */
import { CATALOG_OBJECTS } from '@orrery/catalog'
import { type ClientError, type Maneuver, connectSocket, createGameClient } from '@orrery/client'
import type { ShipState } from '@orrery/protocol'
import { randomBytes } from 'node:crypto'
import { commandLine } from './command-line.ts'

const HELP = `Usage: npx pnpm watch [--url http://127.0.0.1:3000] [--ticks N] [--thrust LEVEL]

Registers a new pilot and shows the ship live. Ctrl-C leaves; the ship flies on.
In a terminal these keys steer:

  t  full thrust on or off       c  make the orbit a circle
  m  fly to the Moon             s  fly to Earth Station
  x  end what the autopilot flies

  --url URL       address of the server (default http://127.0.0.1:3000)
  --ticks N       leave after N ticks
  --thrust LEVEL  throttle from the start, 0 to 1
`

const { values } = commandLine('watch', HELP, {
  url: { type: 'string', default: 'http://127.0.0.1:3000' },
  ticks: { type: 'string' },
  thrust: { type: 'string' },
})

const station = CATALOG_OBJECTS.find((object) => object.kind === 'create_station')

/** By key; the station is the first of every new world. */
const MANEUVERS: ReadonlyMap<string, Maneuver> = new Map<string, Maneuver>([
  ['c', { maneuver: 'circularize' }],
  ['m', { maneuver: 'transfer', target_body: 'Moon' }],
  ['s', { maneuver: 'rendezvous', target_station_id: station?.stationId ?? '' }],
])

const ticksMax = values.ticks === undefined ? Infinity : Number(values.ticks)
let thrust = Number(values.thrust ?? 0)
if (!(ticksMax > 0) || !(thrust >= 0 && thrust <= 1))
  fail('--ticks takes a number above 0, --thrust one from 0 to 1')

const pilot = await createGameClient({ url: values.url })
  .register(`pilot_${randomBytes(4).toString('hex')}`, randomBytes(12).toString('base64url'))
  .catch((error: ClientError) =>
    fail(
      error.code === 'network'
        ? `No server answers at ${values.url}. Start one with: npx pnpm start`
        : `${error.code}: ${error.message}`,
    ),
  )
console.log(`Pilot ${pilot.username}, ship ${pilot.ship_id}`)
const socket = connectSocket({ url: values.url, token: pilot.token })
let ticks = 0
let lines = 0

socket.on('welcome', () => {
  // Any control ends what the autopilot flies.
  if (thrust > 0) steer()
})
socket.on('error', ({ code, message }) => console.error(`${code}: ${message}`))
socket.on('paused', () => console.log('The server has paused the world.'))
socket.on('disconnected', ({ code, reason, retryMs }) => {
  if (retryMs === undefined) fail(`The server closed the connection (${code} ${reason}).`)
  console.error('The connection is lost; trying again.')
})
socket.on('tick', ({ ships, game_time: gameTime }) => {
  const ship = ships.find(({ ship_id }) => ship_id === pilot.ship_id)
  if (ship) show(ship, gameTime, ships.length)
  if (++ticks >= ticksMax) process.exit(0)
})

if (process.stdin.isTTY) {
  process.stdin.setRawMode(true)
  process.stdin.on('data', (key) => {
    if (String(key) === '\u0003') process.exit(0)
    if (String(key) === 't') {
      thrust = thrust > 0 ? 0 : 1
      steer()
    }
    if (String(key) === 'x') socket.abortManeuver().catch(explain)
    const maneuver = MANEUVERS.get(String(key))
    if (maneuver) socket.startManeuver(maneuver).catch(explain)
  })
}

function explain({ code, message }: ClientError): void {
  console.error(`${code}: ${message}`)
}

function steer(): void {
  // A lost connection has its own event.
  socket.control({ thrust_level: thrust }).catch(() => undefined)
}

function show({ orbit, ...ship }: ShipState, gameTime: string, inView: number): void {
  if (!orbit) return
  const { x, y, z } = ship.relative_velocity
  const km = (metres: number | null): string =>
    metres === null ? 'escape' : `${(metres / 1000).toFixed(3)} km`
  const apsides = [orbit.periapsis_altitude, orbit.apoapsis_altitude].map(km).join(' to ')
  const percent = (100 * ship.thrust_level).toFixed(0)
  const rows = [
    `${ship.name}  ${gameTime}  ships in view: ${inView}`,
    `  height  ${km(orbit.altitude)} over ${ship.reference_body}`,
    `  speed   ${Math.hypot(x, y, z).toFixed(3)} m/s`,
    `  orbit   ${apsides}, e ${orbit.eccentricity.toFixed(6)}`,
    ...(ship.maneuver ? [`  flying  ${ship.maneuver.maneuver}: ${ship.maneuver.status_text}`] : []),
    `  thrust  ${percent} %, fuel ${ship.fuel.toFixed(1)} kg of ${ship.fuel_capacity} kg`,
  ]
  if (process.stdout.isTTY && lines > 0) process.stdout.write(`\u001B[${lines}A\u001B[J`)
  lines = rows.length
  console.log(rows.join('\n'))
}

function fail(reason: string): never {
  console.error(reason)
  process.exit(1)
}
