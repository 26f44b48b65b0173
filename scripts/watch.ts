/**
 * A terminal client for a first look: registers a pilot, connects, and shows the ship's height,
 * speed and orbit at each moment, from the trajectory that the server has sent.
 */
import { CATALOG_OBJECTS } from '@orrery/catalog'
import { type ClientError, type Maneuver, connectSocket, createGameClient } from '@orrery/client'
import { createShipSample, openFlight } from '@orrery/client/flight'
import type { OwnShipState } from '@orrery/protocol'
import { ELEMENTS, equinoctialElements } from '@orrery/sim'
import { randomBytes } from 'node:crypto'
import { commandLine } from './command/command-line.ts'

const HELP = `Usage: scripts/orrery watch [--url http://127.0.0.1:3000] [--seconds N]
                            [--thrust LEVEL]

Registers a new pilot and shows the ship live. Ctrl-C leaves; the ship flies on.
In a terminal these keys steer:

  t  full thrust on or off       c  make the orbit a circle
  m  fly to the Moon             s  fly to Earth Station
  x  end what the autopilot flies

  --url URL       address of the server (default http://127.0.0.1:3000)
  --seconds N     leave after N seconds
  --thrust LEVEL  throttle from the start, 0 to 1
`

const { values } = commandLine('watch', HELP, {
  url: { type: 'string', default: 'http://127.0.0.1:3000' },
  seconds: { type: 'string' },
  thrust: { type: 'string' },
})

/** Between two looks at a terminal, and at anything else [ms]. */
const FRAME_MS = 50
const OWN_MS = 1000

const station = CATALOG_OBJECTS.find((object) => object.kind === 'create_station')

/** By key; the station is the first of every new world. */
const MANEUVERS: ReadonlyMap<string, Maneuver> = new Map<string, Maneuver>([
  ['c', { maneuver: 'circularize' }],
  ['m', { maneuver: 'transfer', target_body: 'Moon' }],
  ['s', { maneuver: 'rendezvous', target_station_id: station?.stationId ?? '' }],
])

const seconds = Number(values.seconds ?? Infinity)
let thrust = Number(values.thrust ?? 0)
if (!(seconds > 0) || !(thrust >= 0 && thrust <= 1))
  fail('--seconds takes a number above 0, --thrust one from 0 to 1')

const game = createGameClient({ url: values.url })
const pilot = await game
  .register(`pilot_${randomBytes(4).toString('hex')}`, randomBytes(12).toString('base64url'))
  .catch((error: ClientError) =>
    fail(
      error.code === 'network'
        ? `No server answers at ${values.url}. Start one with: npx pnpm start`
        : `${error.code}: ${error.message}`,
    ),
  )
console.log(`Pilot ${pilot.username}, ship ${pilot.ship_id}`)
const socket = connectSocket({ url: values.url, token: pilot.token, wire: 'binary' })
const { world, clock, ship } = openFlight({ socket })
const player = game.player(pilot.token)
const state = createShipSample()
const elements = new Float64Array(ELEMENTS)
let own: OwnShipState | undefined
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
setInterval(show, process.stdout.isTTY ? FRAME_MS : OWN_MS)
// What the autopilot does is in no trajectory.
setInterval(() => {
  player.ship().then(
    (answer) => {
      own = answer
    },
    () => undefined,
  )
}, OWN_MS)
if (seconds < Infinity) setTimeout(() => process.exit(0), 1000 * seconds)

if (process.stdin.isTTY) {
  process.stdin.setRawMode(true)
  process.stdin.on('data', (key) => {
    if (String(key) === '\u0003') process.exit(0)
    if (String(key) === 't') {
      thrust = thrust > 0 ? 0 : 1
      steer()
    }
    if (String(key) === 'x') ship.order({ type: 'maneuver_abort' }).catch(explain)
    const maneuver = MANEUVERS.get(String(key))
    if (maneuver) ship.order({ type: 'maneuver_start', ...maneuver }).catch(explain)
  })
}

function explain({ code, message }: ClientError): void {
  console.error(`${code}: ${message}`)
}

function steer(): void {
  // A lost connection has its own event.
  ship.order({ type: 'control', thrust_level: thrust }).catch(() => undefined)
}

function show(): void {
  const time = clock.now()
  if (!world.system || !world.shipAt(state, pilot.ship_id, time)) return
  const { gm, radius } = world.system.bodies[state.reference]
  equinoctialElements(elements, state, gm)
  const [a, f, g] = elements
  const eccentricity = Math.hypot(f, g)
  const km = (metres: number): string => `${(metres / 1000).toFixed(3)} km`
  const highest = a > 0 ? km(a * (1 + eccentricity) - radius) : 'escape'
  const apsides = `${km(a * (1 - eccentricity) - radius)} to ${highest}`
  const percent = (100 * state.thrustLevel).toFixed(0)
  const tank = own ? ` of ${own.fuel_capacity} kg` : ''
  const name = world.ship(pilot.ship_id)?.name ?? pilot.username
  const moment = new Date(clock.utc(time)).toISOString()
  const rows = [
    `${name}  ${moment}  ships in view: ${world.completeness().inView}`,
    `  height  ${km(Math.hypot(...state.r) - radius)} over ${state.body}`,
    `  speed   ${Math.hypot(...state.v).toFixed(3)} m/s`,
    `  orbit   ${apsides}, e ${eccentricity.toFixed(6)}`,
    ...(own?.maneuver ? [`  flying  ${own.maneuver.maneuver}: ${own.maneuver.status_text}`] : []),
    `  thrust  ${percent} %, fuel ${state.fuel.toFixed(1)} kg${tank}`,
  ]
  if (process.stdout.isTTY && lines > 0) process.stdout.write(`\u001B[${lines}A\u001B[J`)
  lines = rows.length
  console.log(rows.join('\n'))
}

function fail(reason: string): never {
  console.error(reason)
  process.exit(1)
}
