import type { World } from '@orrery/engine/testing'
import type { RosterEntry } from '../../src/world/roster.ts'
import { TARGETS } from '@orrery/sim'
import { expect } from 'vitest'
import { type ShipView, shipView } from '../../src/views/ship-view.ts'
import type { ReceivedClient, ReceivedState } from './received-client.ts'

const SHIP = TARGETS.indexOf('ship')

/** What a client may be off by [m, m/s, rad, kg]. */
const NEAR = 1e-6

/** Compares ships, all by default; positions and velocities of those that coast to the bit. */
export function expectSame(
  world: World,
  client: ReceivedClient,
  what: string,
  ships: Iterable<RosterEntry> = world.roster.byId.values(),
): void {
  for (const entry of ships) {
    const view = shipView(world, entry, 0)
    const received = client.state(world, entry.number, world.index)
    const fault = faultOf(received, view, world.state.system.bodies[received.reference].name)
    if (fault === undefined) continue
    const { arc, hull } = received
    expect.fail(
      `${what}: ${entry.shipId} at ${world.index}: ${fault} ${JSON.stringify([arc, hull])}`,
    )
  }
}

function faultOf(received: ReceivedState, view: ShipView, body: string): string | undefined {
  if (body !== view.referenceBody) return `about ${body}, not ${view.referenceBody}`
  if (received.isFrozen !== view.frozen) return 'frozen'
  if (received.thrustLevel !== Math.fround(view.thrustLevel))
    return `thrust of ${received.thrustLevel}`
  const position = distance(received.r, view.relativePosition)
  const velocity = distance(received.v, view.relativeVelocity)
  const fuel = Math.abs(received.fuel - view.fuel)
  // Views show a hull that points at a ship as it was at the last beat.
  const attitude = received.hull.aimKind === SHIP ? 0 : angle(received, view.attitude)
  const near = view.thrustLevel > 0 ? NEAR : 0
  const isNear = position <= near && velocity <= near && attitude <= NEAR && fuel <= NEAR
  return isNear ? undefined : `off by ${position} m, ${velocity} m/s, ${attitude} rad, ${fuel} kg`
}

function distance(a: ArrayLike<number>, b: ArrayLike<number>): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2])
}

function angle({ attitude }: ReceivedState, view: readonly number[]): number {
  const along = view.reduce((sum, value, i) => sum + value * attitude[i], 0)
  const sign = along < 0 ? -1 : 1
  return 2 * Math.hypot(...view.map((value, i) => value - sign * attitude[i]))
}
