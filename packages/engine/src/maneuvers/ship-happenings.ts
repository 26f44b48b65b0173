import type { EventKind, ShipEvent } from '@orrery/sim'
import type { Way } from '../world/hand-off.ts'
import type { ShipHappening } from '../world/maneuver.ts'
import type { RosterEntry } from '../world/roster.ts'
import type { World } from '../world/world.ts'

/** Places behind those of maneuvers, in the order in which events of one index come. */
const ORDINALS: Readonly<Record<ShipHappening, number>> = {
  impact: 10,
  frozen: 11,
  burn_ended: 12,
  destroyed: 13,
  docked: 14,
  undocked: 15,
  refuelled: 16,
  departed: 20,
  arrived: 21,
  removed: 22,
}

const KINDS: ReadonlySet<EventKind | ShipHappening> = new Set([
  'impact',
  'frozen',
  'burn_ended',
  'docked',
  'undocked',
  'refuelled',
  'destroyed',
])

/** Logs what happened to a ship in its flight, whatever its maneuvers. */
export function logHappening(world: World, ship: RosterEntry, event: ShipEvent): void {
  const { kind, index, body, rail } = event
  if (!isHappening(kind)) return
  const isAtRail = rail !== undefined && rail >= 0
  const station = isAtRail
    ? [...world.stations.values()].find(({ row }) => row === rail)
    : undefined
  const targetId = station?.stationId ?? null
  push(world, { ship, index, body, eventType: kind, targetId })
}

function isHappening(kind: EventKind | ShipHappening): kind is EventKind & ShipHappening {
  return KINDS.has(kind)
}

/** Logs that a ship leaves or enters its world at the published index. */
export function logPassage(
  world: World,
  ship: RosterEntry,
  eventType: 'departed' | 'arrived' | 'removed',
  way?: Way,
): void {
  const { from, to, passage } = way ?? {}
  const body = world.state.ships.reference[ship.slot]
  const systems = from === undefined || to === undefined ? undefined : { from, to }
  const targetId = passage?.jumpgateId ?? null
  push(world, { ship, index: world.index, body, eventType, targetId, ...(systems && { systems }) })
}

function push(
  { maneuvers, state: { system } }: World,
  {
    ship,
    index,
    body,
    eventType,
    targetId,
    systems,
  }: {
    readonly ship: RosterEntry
    readonly index: number
    /** body index */
    readonly body: number
    readonly eventType: ShipHappening
    readonly targetId: string | null
    readonly systems?: { readonly from: string; readonly to: string }
  },
): void {
  maneuvers.unpublished.push({
    systemId: system.id,
    shipId: ship.shipId,
    shipNumber: ship.number,
    index,
    ordinal: ORDINALS[eventType],
    maneuverType: null,
    eventType,
    phase: null,
    fromPhase: null,
    distance: null,
    elementErrors: null,
    effectivity: null,
    statusText: null,
    referenceBody: system.bodies[body].name,
    targetId,
    targetBody: null,
    ...(systems && { systems }),
    pointing: null,
    attitude: null,
    angularRate: null,
    since: index,
    details: null,
  })
}
