/** How many transfers to the Moon and to Mars are captured, and what changes of orbit cost. */
import { bodyIndex, solSystem } from '@orrery/catalog'
import {
  type ManeuverEvent,
  type RosterEntry,
  type World,
  createReplay,
} from '@orrery/engine/testing'
import { CONTROL_QUANTA, type ManeuverOrder, QUANTA_PER_SECOND, launch } from '@orrery/sim'
import { progress } from '@orrery/testkit/progress'
import { type Row, rowsOf } from '@orrery/testkit/report'
import { twoImpulses } from './maneuvers.ts'
import { populatedUniverse } from '../populated-universe.ts'

const DAY = 86_400

const START_MS = Date.UTC(2030, 0, 1)
const LUNAR_STARTS = 20
/** They cover a month [days]. */
const LUNAR_APART = 1.4

/** Weeks before ships leave for Mars. */
const MARS_STARTS = ['2028-10-01', '2028-11-15', '2030-12-01', '2031-01-15', '2033-03-01']

interface Voyage {
  readonly ship: RosterEntry
  readonly order: ManeuverOrder
  /** from the start of the world [days] */
  readonly day: number
}

interface Voyages {
  readonly captured: number
  /** [m/s] */
  readonly deltaV: readonly number[]
  /** of game time [days] */
  readonly days: readonly number[]
}

/** Flies until every voyage has ended, and prints what became of each. */
async function fly(world: World, voyages: readonly Voyage[], daysMax: number): Promise<Voyages> {
  const ends = new Map<string, ManeuverEvent>()
  const replay = createReplay({
    world,
    pool: undefined,
    onManeuver: (event) => {
      const hasEnded = event.eventType === 'completed' || event.eventType === 'failed'
      if (hasEnded) ends.set(event.shipId, event)
    },
  })
  const first = world.index
  const indexAt = (day: number): number => {
    const quanta = Math.ceil(day * DAY * QUANTA_PER_SECOND) + 1
    return CONTROL_QUANTA * Math.ceil((first + quanta) / CONTROL_QUANTA)
  }
  for (const { ship, order, day } of voyages) {
    progress.at('ships start, by day', day)
    await replay.flyTo(indexAt(day) - CONTROL_QUANTA, 0)
    const command = { kind: 'control', ship: ship.number, control: { maneuver: order } }
    await replay.apply({ sequence: world.intake.sequence + 1, index: indexAt(day), command })
  }
  for (let day = 0; day < daysMax && ends.size < voyages.length; day++) {
    progress.at('days of flight', day, daysMax)
    await replay.flyTo(Math.max(world.index, indexAt(day)), 0)
  }
  const completed = voyages.filter(({ ship }) => ends.get(ship.shipId)?.eventType === 'completed')
  for (const { ship } of voyages) {
    const end = ends.get(ship.shipId)
    if (end?.eventType !== 'completed') console.error(ship.shipId, end?.statusText ?? 'under way')
  }
  return {
    captured: completed.length,
    deltaV: completed.map(({ ship }) => spent(world, ship)),
    days: completed.map(({ ship, day }) => {
      return ((ends.get(ship.shipId)?.index ?? 0) - indexAt(day)) / QUANTA_PER_SECOND / DAY
    }),
  }
}

function spent({ ship, state }: World, { slot }: RosterEntry): number {
  const { dryMass, exhaustVelocity, fuelCapacity } = ship
  return exhaustVelocity * Math.log((dryMass + fuelCapacity) / (dryMass + state.ships.fuel[slot]))
}

const transferTo = (name: string): ManeuverOrder => ({
  maneuver: 'transfer',
  body: bodyIndex(solSystem, name),
  timeout: 1000 * DAY,
  params: [],
})

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length

async function lunar(): Promise<Row[]> {
  const { worlds } = await populatedUniverse(LUNAR_STARTS, undefined, START_MS)
  const voyages = [...worlds[0].roster.byId.values()].map((ship, i) => {
    return { ship, order: transferTo('Moon'), day: i * LUNAR_APART }
  })
  const { captured, deltaV, days } = await fly(worlds[0], voyages, 90)
  return rowsOf(`${LUNAR_STARTS} transfers to the Moon`, [
    ['captured', captured, '', { min: 18 }],
    ['delta_v_mean', mean(deltaV), 'm/s'],
    ['delta_v_max', Math.max(...deltaV), 'm/s'],
    ['days_mean', mean(days), ''],
  ])
}

async function martian(): Promise<Row[]> {
  const all: Voyages[] = []
  for (const date of MARS_STARTS) {
    const { worlds } = await populatedUniverse(1, () => date, Date.parse(date))
    const [ship] = worlds[0].roster.byId.values()
    all.push(await fly(worlds[0], [{ ship, order: transferTo('Mars'), day: 0 }], 900))
  }
  const deltaV = all.flatMap((voyages) => voyages.deltaV)
  return rowsOf(`${MARS_STARTS.length} transfers to Mars`, [
    ['captured', all.reduce((sum, { captured }) => sum + captured, 0), '', { min: 4 }],
    ['delta_v_mean', mean(deltaV), 'm/s'],
    ['delta_v_max', Math.max(...deltaV), 'm/s'],
    ['days_mean', mean(all.flatMap(({ days }) => days)), ''],
  ])
}

/** Changes of a low equatorial or tilted orbit of the Earth: radii [km], angles [°]. */
const CHANGES = [
  { name: 'up 50 km', from: 6871, to: 6921, tilt: 28, turn: 0 },
  { name: 'up to the geostationary radius', from: 6771, to: 42_164, tilt: 28, turn: 0 },
  { name: 'the same, onto the equator', from: 6771, to: 42_164, tilt: 28, turn: -28 },
  { name: 'down from there', from: 42_164, to: 6771, tilt: 10, turn: 0 },
  { name: 'turned by 10°', from: 6871, to: 6871, tilt: 28, turn: 10 },
  { name: 'up to 20,000 km, turned by 20°', from: 6871, to: 20_000, tilt: 40, turn: -20 },
] as const

async function changes(): Promise<Row[]> {
  const { worlds } = await populatedUniverse(CHANGES.length, undefined, START_MS)
  const [world] = worlds
  const earth = bodyIndex(solSystem, 'Earth')
  const { gm } = solSystem.bodies[earth]
  const ships = [...world.roster.byId.values()]
  const voyages = CHANGES.map(({ from, to, tilt, turn }, i): Voyage => {
    const speed = Math.sqrt(gm / (1000 * from))
    const angle = (tilt * Math.PI) / 180
    const wanted = ((tilt + turn) * Math.PI) / 180
    const { position, velocity, reference } = world.state.ships
    const { slot } = ships[i]
    reference[slot] = earth
    position.set([1000 * from, 0, 0], 3 * slot)
    velocity.set([0, speed * Math.cos(angle), speed * Math.sin(angle)], 3 * slot)
    launch(world.flight, slot, world.index)
    const params = [1000 * to, 0, turn === 0 ? -2 : Math.cos(wanted), Math.sin(wanted), 0, 0]
    return { ship: ships[i], order: { maneuver: 'set_orbit', timeout: 5 * DAY, params }, day: 0 }
  })
  await fly(world, voyages, 5)
  return CHANGES.flatMap(({ name, from, to, turn }, i) => {
    const used = spent(world, ships[i])
    const optimum = twoImpulses(gm, 1000 * from, 1000 * to, (Math.abs(turn) * Math.PI) / 180)
    return rowsOf(name, [
      ['delta_v', used, 'm/s'],
      ['delta_v_to_impulses', used / optimum, '', { max: 1.1 }],
    ])
  })
}

export async function voyages(): Promise<Row[]> {
  return [...(await changes()), ...(await lunar()), ...(await martian())]
}
