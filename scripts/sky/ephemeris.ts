/**
 * Where the bodies of the solar system are: `scripts/orrery ephemeris --body Earth --at
 * 2026-11-21`. Integrates from the nearest checkpoint and reads the result as the game does; needs
 * no server.
 */
import { readFile } from 'node:fs/promises'
import { CommandError, run } from '../command/run.ts'
import { commandLine } from '../command/command-line.ts'
import {
  bodyIndex,
  checkpointTowards,
  checkpointsUrl,
  parseCheckpoints,
  solSystem,
} from '@orrery/catalog'
import { wasmMassiveKernel } from '@orrery/engine/testing'
import {
  J2000_UNIX_MS,
  NODE_QUANTA,
  QUANTA_PER_SECOND,
  TT_MINUS_TAI,
  type Ephemeris,
  attachEphemeris,
  bodyState,
  createIntegration,
  createStateVector,
  ephemerisLength,
  extendEphemeris,
  massiveStateAt,
  taiMinusUtc,
} from '@orrery/sim'

const J2000_JD = 2451545
const DAY_SECONDS = 86400
const FIRST_UTC = Date.UTC(1990, 0, 1)
const END_UTC = Date.UTC(2051, 0, 1)

const HELP = `Usage: pnpm ephemeris (--at DATE [--scale utc|tdb] | --jd-tdb JD)
                     [--body NAME|all] [--center NAME|barycenter] [--json]

Position and velocity of solar-system bodies, 1990 to 2050, ICRF axes, SI units.

  --at DATE      calendar date, e.g. 2026-11-21 or 2026-11-21T06:30:00.25Z
  --scale SCALE  time scale of DATE: utc (default) or tdb
  --jd-tdb JD    Julian date in TDB instead of --at, e.g. 2451564.58715491
  --body NAME    which body (default: all)
  --center NAME  origin: a body or barycenter (default: barycenter)
  --json         JSON only: {body, center, frame, jd_tdb, r_m, v_m_s}, an array for all
`

/** Whole quanta since J2000.0 TDB and the rest, apart, so that nothing is rounded away. */
interface Instant {
  readonly n: number
  readonly offset: number
}

interface Row {
  readonly body: string
  readonly center: string
  readonly frame: 'ICRF'
  readonly jd_tdb: number
  readonly r_m: readonly number[]
  readonly v_m_s: readonly number[]
}

const { values } = commandLine('ephemeris', HELP, {
  at: { type: 'string' },
  scale: { type: 'string' },
  'jd-tdb': { type: 'string' },
  body: { type: 'string', default: 'all' },
  center: { type: 'string', default: 'barycenter' },
  json: { type: 'boolean', default: false },
})

await run('ephemeris', async () => {
  const all = values.body.toLowerCase() === 'all'
  const bodies = all ? [...solSystem.bodies.keys()] : [placeOf(values.body)]
  const center = /^barycent(er|re)$/i.test(values.center) ? -1 : placeOf(values.center)
  const instant = instantOf(values.at, values.scale, values['jd-tdb'])
  const ephemeris = await ephemerisAround(instant)
  const rows = bodies.map((body) => rowOf(ephemeris, body, center, instant))
  if (values.json) process.stdout.write(`${JSON.stringify(all ? rows : rows[0])}\n`)
  else process.stdout.write(table(rows))
  return 0
})

function placeOf(name: string): number {
  const place = bodyIndex(solSystem, name)
  if (place >= 0) return place
  const names = solSystem.bodies.map((body) => body.name).join(', ')
  throw new CommandError(`unknown body "${name}"; known are ${names}`)
}

function instantOf(
  at: string | undefined,
  scale: string | undefined,
  jd: string | undefined,
): Instant {
  if ((at === undefined) === (jd === undefined)) {
    throw new CommandError('give either --at or --jd-tdb (see --help)')
  }
  if (scale !== undefined && scale !== 'utc' && scale !== 'tdb') {
    throw new CommandError(`--scale must be utc or tdb, not "${scale}"`)
  }
  if (jd !== undefined && scale === 'utc') {
    throw new CommandError('--scale utc goes with --at; --jd-tdb is TDB already')
  }
  const instant = jd === undefined ? calendarInstant(at!, scale ?? 'utc') : julianInstant(jd)
  const first = utcSeconds(FIRST_UTC) - taiMinusUtc(FIRST_UTC) - TT_MINUS_TAI
  const end = utcSeconds(END_UTC)
  const seconds = (instant.n + instant.offset) / QUANTA_PER_SECOND
  if (seconds < first || seconds >= end) {
    throw new CommandError(`${at ?? jd} is out of range: dates run from 1990-01-01 to 2050-12-31`)
  }
  return instant
}

/** TDB seconds since J2000.0 of a UTC instant. */
function utcSeconds(unixMs: number): number {
  return (unixMs - J2000_UNIX_MS) / 1000 + taiMinusUtc(unixMs) + TT_MINUS_TAI
}

function calendarInstant(text: string, scale: 'utc' | 'tdb'): Instant {
  const match = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}):(\d{2})(?::(\d{2})(\.\d+)?)?)?Z?$/i.exec(text)
  if (!match) throw new CommandError(`cannot read the date "${text}"; write 2026-11-21T00:00:00`)
  const [, date, hour = '00', minute = '00', second = '00', fraction = '0'] = match
  // 23:59:60 exists only in UTC, and only where the table has a leap second.
  const leaps = second === '60' && scale === 'utc' && hour === '23' && minute === '59'
  const unixMs = Date.parse(`${date}T${hour}:${minute}:${leaps ? '59' : second}Z`)
  const exists =
    !Number.isNaN(unixMs) &&
    new Date(unixMs).toISOString().startsWith(date) &&
    (!leaps || taiMinusUtc(unixMs + 1000) > taiMinusUtc(unixMs))
  if (!exists) throw new CommandError(`there is no date "${text}"`)
  const seconds = (unixMs - J2000_UNIX_MS) / 1000 + (leaps ? 1 : 0)
  const rest = Number(fraction) * QUANTA_PER_SECOND
  if (scale === 'tdb') return { n: seconds * QUANTA_PER_SECOND, offset: rest }
  const n = (seconds + taiMinusUtc(unixMs)) * QUANTA_PER_SECOND
  return { n, offset: TT_MINUS_TAI * QUANTA_PER_SECOND + rest }
}

function julianInstant(text: string): Instant {
  const match = /^(\d{1,9})(\.\d+)?$/.exec(text)
  if (!match) throw new CommandError(`cannot read the Julian date "${text}"`)
  const [, days, fraction = '0'] = match
  const quanta = Number(fraction) * DAY_SECONDS * QUANTA_PER_SECOND
  const whole = Math.floor(quanta)
  return {
    n: (Number(days) - J2000_JD) * DAY_SECONDS * QUANTA_PER_SECOND + whole,
    offset: quanta - whole,
  }
}

async function ephemerisAround({ n, offset }: Instant): Promise<Ephemeris> {
  const node = Math.floor((n + offset) / NODE_QUANTA)
  const checkpoints = parseCheckpoints(await readFile(checkpointsUrl))
  const wasm = await readFile(new URL(import.meta.resolve('@orrery/sim/massive.wasm')))
  const kernel = wasmMassiveKernel(solSystem, wasm)
  const start = massiveStateAt(solSystem, checkpointTowards(checkpoints, node), node, kernel)
  const ring = new Float64Array(ephemerisLength(solSystem, 2))
  const ephemeris = attachEphemeris(solSystem, ring, new Float64Array(2))
  const integration = createIntegration(solSystem, start, undefined, kernel)
  extendEphemeris(integration, ephemeris, node + 1)
  return ephemeris
}

function rowOf(ephemeris: Ephemeris, body: number, center: number, instant: Instant): Row {
  const state = createStateVector()
  bodyState(state, ephemeris, body, center, instant.n, instant.offset)
  const days = (instant.n + instant.offset) / (DAY_SECONDS * QUANTA_PER_SECOND)
  return {
    body: solSystem.bodies[body].name,
    center: center < 0 ? 'barycenter' : solSystem.bodies[center].name,
    frame: 'ICRF',
    jd_tdb: J2000_JD + days,
    r_m: [...state.r],
    v_m_s: [...state.v],
  }
}

function table(rows: readonly Row[]): string {
  const [{ center, jd_tdb }] = rows
  const number = (value: number, digits: number): string => value.toFixed(digits).padStart(21)
  const lines = rows.map(
    ({ body, r_m, v_m_s }) =>
      body.padEnd(10) +
      r_m.map((value) => number(value, 3)).join('') +
      v_m_s.map((value) => value.toFixed(6).padStart(16)).join(''),
  )
  const titles = ['x [m]', 'y [m]', 'z [m]'].map((title) => title.padStart(21)).join('')
  const speeds = ['vx [m/s]', 'vy [m/s]', 'vz [m/s]'].map((title) => title.padStart(16)).join('')
  const head = `ICRF axes, origin ${center}, JD ${jd_tdb} TDB`
  return [head, `${'body'.padEnd(10)}${titles}${speeds}`, ...lines, ''].join('\n')
}
