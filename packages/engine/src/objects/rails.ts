import {
  IDLE,
  PLAN,
  PLAN_DOUBLES,
  POINTINGS,
  RAILS_MAX,
  type Rail,
  type ShipColumns,
  TARGETS,
  changeShip,
  clearRail,
  freeRailRow,
  isDocked,
  isRail,
  noteEvent,
  undock,
  writeRail,
} from '@orrery/sim'
import { EngineError } from '../engine-error.ts'
import { loseTarget } from '../maneuvers/maneuver-log.ts'
import { disarmRules } from '../rules/rule-lists.ts'
import type { World } from '../world/world.ts'

/**
 * Puts the rail of a station or gate into the table that workers read; returns its row.
 *
 * @throws {EngineError} 'ERR_WORLD_OBJECTS' when all rows are taken
 */
export function layRail(world: World, id: string, rail: Rail): number {
  const row = freeRailRow(world.state.rails)
  if (row < 0) throw new EngineError('ERR_WORLD_OBJECTS', `All ${RAILS_MAX} rails are taken.`)
  placeRail(world, id, row, rail)
  return row
}

function placeRail({ roster, state }: World, id: string, row: number, rail: Rail): void {
  writeRail(state.rails, row, rail)
  roster.rails.set(id, row)
}

/**
 * Takes a rail out, between ticks: ships that are docked at it fly on, plans that are directed at
 * it lose their target, hulls that point at it hold their attitude, and rules that name it are
 * disarmed.
 */
export function removeRail(world: World, id: string): void {
  const { flight, index, roster, state } = world
  disarmRules(world, id)
  const row = roster.rails.get(id) ?? -1
  roster.rails.delete(id)
  if (!isRail(state.rails, row)) return
  const { ships } = state
  for (const ship of roster.byId.values()) {
    const { slot } = ship
    const isFollowing = followsRail(ships, slot, row)
    const isAimed = isAimedAt(ships, slot, row)
    if (!isFollowing && !isAimed) continue
    changeShip(flight, slot, index, () => {
      if (isAimed) ships.aim[slot] = -1
      if (isFollowing) ships.plan[PLAN_DOUBLES * slot + PLAN.target] = -1
      if (isDocked(ships, slot)) undock(flight, slot, index)
    })
    if (!isAimed) continue
    noteEvent(state, 'lost', slot, index, ships.reference[slot])
    loseTarget(world, ship)
  }
  clearRail(state.rails, row)
}

const RAIL = TARGETS.indexOf('rail')

/** Whether a ship's autopilot is directed at a rail. */
function followsRail({ activity, plan }: ShipColumns, slot: number, row: number): boolean {
  if (activity[slot] === IDLE) return false
  const at = PLAN_DOUBLES * slot
  return plan[at + PLAN.targetKind] === RAIL && plan[at + PLAN.target] === row
}

function isAimedAt({ aim, aimKind, pointing }: ShipColumns, slot: number, row: number): boolean {
  return POINTINGS[pointing[slot]] === 'target' && aimKind[slot] === RAIL && aim[slot] === row
}

/** A station or gate as an image stores it; images of the release before have no rows. */
export type StoredRailed<Object extends { readonly row: number }> = Omit<Object, 'row'> & {
  readonly row?: number
}

/**
 * Puts the rails of an image's stations and gates into their rows.
 *
 * @returns the objects, all with rows
 * @throws {EngineError} 'ERR_IMAGE' when two have one row
 */
export function restoreRails<Object extends { readonly row: number; readonly rail: Rail }>(
  world: World,
  stored: readonly StoredRailed<Object>[],
  idOf: (object: StoredRailed<Object>) => string,
): Object[] {
  return stored.map((object) => {
    const { row = freeRailRow(world.state.rails) } = object
    if (row < 0 || row >= RAILS_MAX || isRail(world.state.rails, row)) {
      throw new EngineError('ERR_IMAGE', `The image puts ${idOf(object)} on rail ${row}.`)
    }
    placeRail(world, idOf(object), row, object.rail)
    return { ...object, row } as unknown as Object
  })
}
