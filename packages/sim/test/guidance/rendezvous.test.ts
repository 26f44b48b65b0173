/**
 * Laws of a rendezvous with a ship: from orbits of other height, plane and phase it ends at rest
 * near the target, with little more Δv than two impulses need.
 */
import {
  ACTIVITIES,
  type Flight,
  ORDERS_MANEUVER,
  TARGETS,
  createIntegration,
  createMassiveState,
  flyTo,
  takeEvents,
} from '@orrery/sim'
import { expect, it } from 'vitest'
import { GM, OBLATENESS, RADIUS, launchAt, twoBodyFlight } from '../ships/two-body-field.ts'

const HOUR = 64 * 3600

interface Start {
  readonly name: string
  readonly height: number
  /** to the target's plane [rad] */
  readonly tilt: number
  /** ahead of the target [rad] */
  readonly ahead: number
  /** that suffices [m/s] */
  readonly deltaV: number
}

const TARGET_HEIGHT = 420_000

const STARTS: readonly Start[] = [
  { name: 'behind on the same orbit', height: TARGET_HEIGHT, tilt: 0, ahead: -0.2, deltaV: 60 },
  { name: 'higher and tilted', height: 900_000, tilt: 0.1, ahead: 1, deltaV: 920 },
  { name: 'from a far orbit', height: 12e6, tilt: 0.2, ahead: 3, deltaV: 3400 },
]

it.each(STARTS)('ends beside the target: $name', (start) => {
  const flight = twoBodyFlight(60 * 3600, { ...OBLATENESS, pole: [0, 0, 1] })
  const { state, ship } = flight
  launchOn(flight, 0, start)
  launchOn(flight, 1, { height: TARGET_HEIGHT, tilt: 0, ahead: 0 })
  state.ships.shipNumber.set([1, 2])
  orderRendezvous(flight)
  const integration = createIntegration(state.system, createMassiveState(1))
  const world = { state, ship, integration, since: 0 }
  let last = 'none'
  for (let n = 0; n < 50 * HOUR && !last.startsWith('maneuver'); n += HOUR) {
    flyTo(flight, world, n, n + HOUR, () => {})
    state.chunk.chunkOrderEnd[0] = 0
    for (const { kind, plan } of takeEvents(state).events) {
      if (kind === 'maneuver_completed' || kind === 'maneuver_failed')
        last = `${kind} ${plan?.reason}`
    }
  }
  expect(last).toBe('maneuver_completed none')
  const spent = ship.exhaustVelocity * Math.log(30_000 / (20_000 + state.ships.fuel[0]))
  expect(spent).toBeLessThan(start.deltaV)
})

function launchOn(
  flight: Flight,
  slot: number,
  { height, tilt, ahead }: Pick<Start, 'height' | 'tilt' | 'ahead'>,
): void {
  const radius = RADIUS + height
  const speed = Math.sqrt(GM / radius)
  const [c, s] = [Math.cos(ahead), Math.sin(ahead)]
  const [flat, up] = [Math.cos(tilt), Math.sin(tilt)]
  const at = [radius * c, radius * s * flat, radius * s * up]
  launchAt(flight, slot, at, [-speed * s, speed * c * flat, speed * c * up])
}

function orderRendezvous({ state: { chunk, orders } }: Flight): void {
  chunk.chunkOrderBegin[0] = 0
  chunk.chunkOrderEnd[0] = 1
  orders.orderIndex[0] = 64
  orders.orderSlot[0] = 0
  orders.orderFields[0] = ORDERS_MANEUVER
  orders.orderActivity[0] = ACTIVITIES.indexOf('rendezvous')
  orders.orderTargetKind[0] = TARGETS.indexOf('ship')
  orders.orderPlace[0] = 2
  orders.orderTimeout[0] = 50 * 3600
  orders.orderTarget[0] = 1
  orders.orderTargetNumber[0] = 2
  orders.orderSighting[0] = 0
}
