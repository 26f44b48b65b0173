/** What autopilots cost the ticks of the real engine: ships that all maneuver, and a rush. */
import type { ManeuverOrder } from '@orrery/sim'
import { CATALOG_OBJECTS, bodyIndex, solSystem } from '@orrery/catalog'
import { type ManeuverEvent, executeCommand } from '@orrery/engine/testing'
import { createChance } from '@orrery/testkit/chance'
import { type Row, percentile, rowsOf } from '@orrery/testkit/report'
import { engineOf, populatedUniverse } from '../populated-universe.ts'
import { inFreshProcess } from '../rounds.ts'

const RATE_HZ = 10
const PERIOD_MS = 1000 / RATE_HZ

/** Code is compiled, and most of the ephemeris made, in this time. */
const SETTLE_MS = 15_000

const DAY = 86_400

interface AutopilotCase {
  readonly ships: number
  readonly seconds: number
  /** all ask for a transfer to the Moon in one tick; else they fly different maneuvers */
  readonly rush: boolean
}

const GOALS: ReadonlyMap<number, number> = new Map([
  [1000, 20],
  [10_000, 70],
])

export async function autopilot(seconds: number): Promise<Row[]> {
  const cases: readonly AutopilotCase[] = [
    { ships: 1000, seconds, rush: false },
    { ships: 10_000, seconds, rush: false },
    { ships: 1000, seconds, rush: true },
  ]
  const rows: Row[] = []
  for (const each of cases) {
    const name = `${each.ships} ships${each.rush ? ' at once' : ''}`
    rows.push(...(await inFreshProcess<Row[]>(import.meta.url, name, each)))
  }
  return rows
}

async function measured({ ships, seconds, rush }: AutopilotCase): Promise<Row[]> {
  const durations: number[] = []
  const ends = { completed: 0, failed: 0 }
  const universe = await populatedUniverse(ships)
  for (const object of CATALOG_OBJECTS) {
    if (object.kind === 'create_station') executeCommand(universe, object)
  }
  const draw = createChance(1)
  let isSampling = false
  const engine = engineOf(universe, {
    tickRate: RATE_HZ,
    onTick: ({ durationMs }) => void (isSampling && durations.push(durationMs)),
    onManeuver: ({ shipId, eventType }: ManeuverEvent) => {
      if (eventType !== 'completed' && eventType !== 'failed') return
      ends[eventType]++
      begin(shipId)
    },
  })
  const begin = (shipId: string): void => {
    engine.control(shipId, { maneuver: rush ? TO_THE_MOON : draw.pick(MANEUVERS) })
  }
  const pilots = [...universe.worlds[0].roster.byId.keys()]
  engine.start()
  if (!rush) for (const shipId of pilots) begin(shipId)
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS))
  const { ticksDropped } = engine.status()
  isSampling = true
  if (rush) for (const shipId of pilots) begin(shipId)
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
  isSampling = false
  const dropped = engine.status().ticksDropped - ticksDropped
  await engine.stop()
  const share = (quantile: number): number => (100 * percentile(durations, quantile)) / PERIOD_MS
  const name = rush ? `${ships} transfers begun in one tick` : `${ships} ships maneuvering`
  return rowsOf(`${name}, ${RATE_HZ} Hz`, [
    ['utilisation_median', share(0.5), '% of the period', { max: GOALS.get(ships) ?? 100 }],
    ['utilisation_p99', share(0.99), '% of the period'],
    ['utilisation_max', share(1), '% of the period', { max: 100 }],
    ['ticks_dropped', dropped, '', { max: 0 }],
    ['maneuvers_completed', ends.completed, ''],
    ['maneuvers_failed', ends.failed, ''],
  ])
}

const station = CATALOG_OBJECTS.find(({ kind }) => kind === 'create_station')
const stationId = station?.kind === 'create_station' ? station.stationId : ''
const bodyOf = (name: string): number => bodyIndex(solSystem, name)

const TO_THE_MOON: ManeuverOrder = {
  maneuver: 'transfer',
  body: bodyOf('Moon'),
  timeout: 60 * DAY,
  params: [0],
}

/** One after the other, as they come. */
export const MANEUVERS: readonly ManeuverOrder[] = [
  TO_THE_MOON,
  { maneuver: 'rendezvous', stationId, timeout: 30 * DAY, params: [] },
  { maneuver: 'circularize', timeout: 30 * DAY, params: [] },
  { maneuver: 'set_orbit', timeout: 30 * DAY, params: [8e6, 0.05, -2, 0, 0, 0] },
  { maneuver: 'escape', timeout: 30 * DAY, params: [] },
]

if (import.meta.main) {
  console.log(JSON.stringify(await measured(JSON.parse(process.argv[2]) as AutopilotCase)))
}
