/**
 * A terminal client, the newcomer's first proof: registers a pilot, connects, and shows the
 * ship's height, speed and orbit as the ticks come in.
 */
import { bodyIndex, solSystem } from '@orrery/catalog'
import type { ErrorEnvelope, RegisterResponse, ServerMessage, ShipState } from '@orrery/protocol'
import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import { orbitOf } from './orbit.ts'

const HELP = `Usage: npx pnpm watch [--url http://127.0.0.1:3000] [--ticks N] [--thrust LEVEL]

Registers a new pilot and shows the ship live. Ctrl-C leaves; the ship flies on.
In a terminal, t switches full thrust on and off.

  --url URL       address of the server (default http://127.0.0.1:3000)
  --ticks N       leave after N ticks
  --thrust LEVEL  throttle from the start, 0 to 1
`

const { values } = parseArgs({
  options: {
    url: { type: 'string', default: 'http://127.0.0.1:3000' },
    ticks: { type: 'string' },
    thrust: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  },
})

if (values.help) {
  process.stdout.write(HELP)
  process.exit(0)
}

const ticksMax = values.ticks === undefined ? Infinity : Number(values.ticks)
let thrust = Number(values.thrust ?? 0)
if (!(ticksMax > 0) || !(thrust >= 0 && thrust <= 1))
  fail('--ticks wants a number above 0, --thrust one from 0 to 1')

const pilot = await register(values.url)
console.log(`Pilot ${pilot.username}, ship ${pilot.ship_id}`)
const address = new URL('/ws', values.url)
address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:'
const socket = new WebSocket(address, ['orrery.v1', `bearer.${pilot.token}`])
let ticks = 0
let lines = 0

socket.addEventListener('error', () => fail(`The connection to ${address.host} failed.`))
socket.addEventListener('close', ({ code, reason }) => {
  if (ticks < ticksMax) fail(`The server closed the connection (${code} ${reason}).`)
  // A terminal that is listened to would keep the process alive.
  process.exit(0)
})
socket.addEventListener('message', ({ data }) => {
  const message = JSON.parse(String(data)) as ServerMessage
  if (message.type === 'welcome') steer()
  else if (message.type === 'error') console.error(`${message.code}: ${message.message}`)
  else if (message.type === 'paused') console.log('The server has paused the world.')
  else if (message.type === 'tick') {
    const ship = message.ships.find(({ ship_id }) => ship_id === pilot.ship_id)
    if (ship) show(ship, message.game_time, message.ships.length)
    if (++ticks >= ticksMax) socket.close()
  }
})

if (process.stdin.isTTY) {
  process.stdin.setRawMode(true)
  process.stdin.on('data', (key) => {
    if (String(key) === '\u0003') process.exit(0)
    if (String(key) === 't') {
      thrust = thrust > 0 ? 0 : 1
      steer()
    }
  })
}

async function register(url: string): Promise<RegisterResponse> {
  const body = {
    username: `pilot_${randomBytes(4).toString('hex')}`,
    password: randomBytes(12).toString('base64url'),
  }
  const response = await fetch(new URL('/api/auth/register', url), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }).catch(() => fail(`No server answers at ${url}. Start one with: npx pnpm start`))
  const answer = (await response.json()) as RegisterResponse | ErrorEnvelope
  return 'error' in answer ? fail(`${answer.error.code}: ${answer.error.message}`) : answer
}

function steer(): void {
  socket.send(JSON.stringify({ type: 'control', thrust_level: thrust }))
}

function show(ship: ShipState, gameTime: string, inView: number): void {
  const body = solSystem.bodies[bodyIndex(solSystem, ship.reference_body)]
  if (!body) return
  const orbit = orbitOf(ship.relative_position, ship.relative_velocity, body.gm)
  const km = (metres: number): string =>
    Number.isFinite(metres) ? `${((metres - body.radius) / 1000).toFixed(3)} km` : 'escapes'
  const percent = (100 * ship.thrust_level).toFixed(0)
  const rows = [
    `${ship.name}  ${gameTime}  ships in view: ${inView}`,
    `  height  ${km(orbit.distance)} over ${ship.reference_body}`,
    `  speed   ${orbit.speed.toFixed(3)} m/s`,
    `  orbit   ${km(orbit.periapsis)} to ${km(orbit.apoapsis)}, e ${orbit.eccentricity.toFixed(6)}`,
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
