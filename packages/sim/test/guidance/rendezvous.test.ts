/**
 * Laws of a rendezvous: from orbits of other height, plane and phase it ends at rest near the
 * target, with little more Δv than two impulses need. A station is held until the next
 * order. What has no end fails for its reason.
 */
import {
  ACTIVITIES,
  type Flight,
  ORDERS_MANEUVER,
  type Rail,
  type ShipEvent,
  TARGETS,
  advanceChunk,
  clearRail,
  createIntegration,
  createMassiveState,
  createStateVector,
  equatorialMotion,
  equatorialState,
  flyTo,
  takeEvents,
  turnRate,
  writeRail,
} from '@orrery/sim'
import { byTier } from '@orrery/testkit/tier'
import { expect, it } from 'vitest'
import { GM, OBLATENESS, RADIUS, launchAt, twoBodyFlight } from '../field/two-body-field.ts'

const HOUR = 64 * 3600
const HOURS_MAX = 60
const BODY = { name: 'Globe', parent: -1, gm: GM, radius: RADIUS, oblateness: { ...OBLATENESS } }
const POLE = [0, 0, 1] as const

/** What a station 420 km high, over the equator, runs on. */
const RAIL = {
  kind: 'orbit',
  parent: 0,
  radius: RADIUS + 420_000,
  pole: POLE,
  rate: turnRate(equatorialMotion(BODY, RADIUS + 420_000)),
  epoch: 0,
} as const satisfies Rail

/** Over the equator it is at the x axis at first. */
interface Start {
  readonly height: number
  /** to the equator [rad] */
  readonly tilt: number
  /** ahead of the station [rad] */
  readonly ahead: number
}

function flightOf(start: Start): Flight {
  const flight = twoBodyFlight(HOURS_MAX * 3600, { ...OBLATENESS, pole: POLE })
  writeRail(flight.state.rails, 0, RAIL)
  launchOn(flight, 0, start)
  return flight
}

function launchOn(flight: Flight, slot: number, { height, tilt, ahead }: Start): void {
  const radius = RADIUS + height
  const speed = Math.sqrt(GM / radius)
  const [c, s] = [Math.cos(ahead), Math.sin(ahead)]
  const [flat, up] = [Math.cos(tilt), Math.sin(tilt)]
  const at = [radius * c, radius * s * flat, radius * s * up]
  launchAt(flight, slot, at, [-speed * s, speed * c * flat, speed * c * up])
  flight.state.ships.shipNumber[slot] = slot + 1
}

/** Orders the ship of slot 0 to the station, or to the ship of slot 1. */
function order(flight: Flight, activity: (typeof ACTIVITIES)[number], kind: 'rail' | 'ship'): void {
  const { chunk, orders } = flight.state
  chunk.chunkOrderBegin[0] = 0
  chunk.chunkOrderEnd[0] = 1
  orders.orderIndex[0] = 64
  orders.orderSlot[0] = 0
  orders.orderFields[0] = ORDERS_MANEUVER
  orders.orderActivity[0] = ACTIVITIES.indexOf(activity)
  orders.orderTargetKind[0] = TARGETS.indexOf(kind)
  orders.orderPlace[0] = kind === 'rail' ? 0 : 2
  orders.orderTimeout[0] = HOURS_MAX * 3600
  orders.orderTarget[0] = kind === 'rail' ? -1 : 1
  orders.orderTargetNumber[0] = 2
  orders.orderSighting[0] = 0
}

/** Flies from one hour to another, or to the end of the plan, which it returns. */
function flyHours(flight: Flight, from: number, to: number): ShipEvent | undefined {
  const { state } = flight
  const integration = createIntegration(state.system, createMassiveState(1))
  const isWatching = state.orders.orderTarget[0] >= 0
  for (let hour = from; hour < to; hour++) {
    const end = HOUR * (hour + 1)
    if (isWatching) flyTo(flight, { state, integration, since: 0 }, HOUR * hour, end, noop)
    else advanceChunk(flight, 0, end)
    state.chunk.chunkOrderEnd[0] = 0
    const ended = takeEvents(state).events.find(
      ({ kind }) => kind === 'maneuver_completed' || kind === 'maneuver_failed',
    )
    if (ended) return ended
  }
  return undefined
}

const noop = (): void => undefined

function spent({ state }: Flight): number {
  return state.classes[0].exhaustVelocity * Math.log(30_000 / (20_000 + state.ships.fuel[0]))
}

const tilted = { name: 'higher and tilted', height: 900_000, tilt: 0.1, ahead: 1, deltaV: 920 }
const others = [
  { name: 'behind on the same orbit', height: 420_000, tilt: 0, ahead: -2, deltaV: 220 },
  { name: 'from a far orbit', height: 12e6, tilt: 0.2, ahead: 3, deltaV: 3350 },
]

it.each(byTier({ gate: [tilted], night: [tilted, ...others] }))(
  'ends beside a station: $name',
  ({ deltaV, ...start }) => {
    const flight = flightOf(start)
    order(flight, 'rendezvous', 'rail')
    const end = flyHours(flight, 0, HOURS_MAX - 1)
    expect(end).toMatchObject({ kind: 'maneuver_completed' })
    expect(end?.plan?.distance).toBeLessThan(100)
    expect(spent(flight)).toBeLessThan(deltaV)
  },
)

it('ends beside a ship', () => {
  const flight = flightOf({ height: 430_000, tilt: 1e-4, ahead: -0.003 })
  launchOn(flight, 1, { height: 420_000, tilt: 0, ahead: 0 })
  order(flight, 'rendezvous', 'ship')
  expect(flyHours(flight, 0, 10)).toMatchObject({ kind: 'maneuver_completed' })
  const { position, velocity } = flight.state.ships
  const between = (column: Float64Array): number =>
    Math.hypot(...[0, 1, 2].map((axis) => column[axis] - column[3 + axis]))
  expect(between(position)).toBeLessThan(1000)
  expect(between(velocity)).toBeLessThan(1)
})

it('holds beside a station, and fails when that is gone', () => {
  const flight = flightOf({ height: 425_000, tilt: 0, ahead: 0.001 })
  order(flight, 'hold_station', 'rail')
  expect(flyHours(flight, 0, 2)).toBeUndefined()
  const { rails, ships } = flight.state
  const station = createStateVector()
  const hours = byTier({ gate: 5, night: 12 })
  for (let hour = 2; hour < hours; hour++) {
    expect(flyHours(flight, hour, hour + 1)).toBeUndefined()
    equatorialState(station, RAIL, ships.stepStart[0], 0)
    expect(Math.hypot(...station.r.map((x, i) => x - ships.position[i]))).toBeLessThan(100)
  }
  clearRail(rails, 0)
  expect(flyHours(flight, hours, hours + 1)).toMatchObject({
    kind: 'maneuver_failed',
    plan: { reason: 'target_lost' },
  })
  expect(ships.thrustLevel[0]).toBe(0)
})

it.each([
  { reason: 'out_of_fuel', fuel: 500 },
  { reason: 'out_of_fuel', fuel: 0 },
])('fails for its reason: $reason with $fuel kg', ({ reason, fuel }) => {
  const flight = flightOf({ height: 900_000, tilt: 0.2, ahead: 1 })
  flight.state.ships.fuel[0] = fuel
  order(flight, 'rendezvous', 'rail')
  expect(flyHours(flight, 0, 3)).toMatchObject({ kind: 'maneuver_failed', plan: { reason } })
})
