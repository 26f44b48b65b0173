/** Distance of every body from JPL's place relative to its parent, 19.6 days and 10 years on. */
import { checkpointAtOrBefore, solSystem } from '@orrery/catalog'
import { NODE_QUANTA, QUANTA_PER_SECOND, bodyState, createStateVector } from '@orrery/sim'
import type { Row } from '@orrery/testkit/report'
import { readFile } from 'node:fs/promises'
import { solCheckpoints, solEphemeris } from './world.ts'

const J2000_JD = 2451545
const DAY_SECONDS = 86400

/** The rows that the catalog's tests hold. */
const EPOCHS = ['jd2451564.587', 'jd2455200.5']

interface Horizons {
  readonly epoch_jd_tdb: number
  readonly bodies: Readonly<Record<string, { readonly r_km: readonly number[] }>>
}

export async function jplRows(): Promise<Row[]> {
  const rows: Row[] = []
  for (const epoch of EPOCHS) rows.push(...(await epochRows(epoch)))
  return rows
}

async function epochRows(epoch: string): Promise<Row[]> {
  const file = `../../packages/catalog/test/data/check-state-${epoch}.json`
  const jpl = JSON.parse(await readFile(new URL(file, import.meta.url), 'utf8')) as Horizons
  const days = jpl.epoch_jd_tdb - J2000_JD
  const quanta = days * DAY_SECONDS * QUANTA_PER_SECOND
  const node = Math.floor(quanta / NODE_QUANTA)
  const start = checkpointAtOrBefore(await solCheckpoints(), node)
  const { ephemeris } = await solEphemeris('wasm', start, node)
  const state = createStateVector()
  return solSystem.bodies.flatMap(({ name, parent }, body) => {
    if (parent < 0 || !(name in jpl.bodies)) return []
    const n = Math.floor(quanta)
    bodyState(state, ephemeris, body, parent, n, quanta - n)
    const own = jpl.bodies[name].r_km
    const above = jpl.bodies[solSystem.bodies[parent].name].r_km
    const miss = Math.hypot(
      ...own.map((value, axis) => state.r[axis] / 1000 - (value - above[axis])),
    )
    return [
      {
        case: `${name} from JPL`,
        metric: `after_${days.toFixed(1)}_days`,
        value: miss,
        unit: 'km',
      },
    ]
  })
}
