import { FREE, LOCKED, POINTINGS, type Pointing, TARGETS, shipClassOf } from '@orrery/sim'
import type { RosterEntry } from '../world/roster.ts'
import type { World } from '../world/world.ts'

/** How a hull turns. */
export type HullMode = 'locked' | 'turning' | 'free'

/** How a ship is steered, as its pilot sees it; of the targets one at most. */
export interface SteeringView {
  /** `spin`: at a steady rate */
  readonly pointing: Pointing | 'spin'
  readonly mode: HullMode
  readonly targetShipId?: string
  readonly targetBody?: string
  readonly targetStationId?: string
  readonly targetJumpgateId?: string
  readonly wheelUnloading: boolean
  /** that a burn with an end still has to spend [m/s]; null without one */
  readonly burnDeltaV: number | null
}

/** @param fuel  at the moment of the view [kg] */
export function steeringView(world: World, { slot }: RosterEntry, fuel: number): SteeringView {
  const { state } = world
  const ship = shipClassOf(state, slot)
  const { attitudeMode, fuelFloor, pointing, wheelsKept } = state.ships
  const mode = attitudeMode[slot]
  const name = POINTINGS[pointing[slot]] ?? 'spin'
  const floor = fuelFloor[slot]
  const ratio = (ship.dryMass + fuel) / (ship.dryMass + floor)
  return {
    pointing: name,
    mode: mode === LOCKED ? 'locked' : mode === FREE ? 'free' : 'turning',
    ...(name === 'target' && targetView(world, slot)),
    wheelUnloading: wheelsKept[slot] === 0,
    burnDeltaV: floor > 0 && fuel > floor ? ship.exhaustVelocity * Math.log(ratio) : null,
  }
}

const BODY = TARGETS.indexOf('body')
const RAIL = TARGETS.indexOf('rail')

function targetView(world: World, slot: number): Partial<SteeringView> {
  const { roster, state } = world
  const { aim, aimKind, sighting } = state.ships
  if (aimKind[slot] === BODY) return { targetBody: state.system.bodies[aim[slot]].name }
  if (aimKind[slot] === RAIL) return railView(world, aim[slot])
  const row = sighting[slot]
  if (row < 0 || state.sightings.watched[row] < 0) return {}
  const watched = roster.byNumber.get(state.sightings.watchedNumber[row])
  return watched ? { targetShipId: watched.shipId } : {}
}

function railView({ jumpgates, railed, stations }: World, row: number): Partial<SteeringView> {
  for (const station of stations.values()) {
    if (station.row === row) return { targetStationId: station.stationId }
  }
  for (const gate of jumpgates.values()) {
    if (gate.row === row) return { targetJumpgateId: gate.jumpgateId }
  }
  for (const [id, place] of railed) if (place.row === row) return { targetStationId: id }
  return {}
}
