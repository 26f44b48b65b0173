import {
  type CopiedShip,
  EMPTY,
  FLYING,
  RULES_PER_SHIP,
  type Stage,
  type WorldState,
  createStage,
  enterStage,
  flyTo,
  roomOf,
  slotIn,
} from '@orrery/sim'
import { copyShips } from '../prediction/copied-ships.ts'
import type { RosterEntry } from '../world/roster.ts'
import type { World } from '../world/world.ts'
import type { Ships } from './open-step.ts'

/** A copy of a ship among others. */
export interface Rehearsal extends Ships {
  readonly slot: number
}

/** What the copies of most ships take up; for others a stage is made. */
const ROOM = { firstChunk: 0, chunks: 1, orders: 256, sightings: 64, rules: RULES_PER_SHIP }

/** Flies copies of ships of one world ahead of it, on a stage that is used again. */
export class Rehearsals {
  readonly #world: World
  #stage: Stage | undefined

  constructor(world: World) {
    this.#world = world
  }

  /**
   * Flies a ship to the next order that waits for it; its open step then begins there. Good until
   * the next one is flown. Undefined where that order acts outside the ship's open step, or after
   * something else.
   */
  fly(entry: RosterEntry): Rehearsal | undefined {
    const { index, state } = this.#world
    const { condition, impactAt, ruleAt, stepEnd, stepStart } = state.ships
    const { slot } = entry
    const at = this.#nextOrder(entry)
    if (condition[slot] !== FLYING || at > stepEnd[slot] || at >= impactAt[slot]) return undefined
    // A step that began at the published index can still be made again.
    if (stepStart[slot] === index || (ruleAt[slot] > 0 && ruleAt[slot] <= at)) return undefined
    const copies = copyShips(this.#world, entry, [])
    const stage = this.#stageFor(copies)
    enterStage(stage, copies, index)
    flyTo(stage.flight, { state: stage.state, since: 0 }, index, at, () => undefined)
    const copy = slotIn(stage.state, slot)
    const { ships } = stage.state
    const begins = ships.condition[copy] === FLYING && ships.stepStart[copy] === at
    return begins ? { state: stage.state, slot: copy } : undefined
  }

  /** When the next order of a ship acts; Infinity when none waits. */
  #nextOrder({ number }: RosterEntry): number {
    const { intake } = this.#world
    if (!intake.lastOfShip.has(number)) return Infinity
    let next = Infinity
    for (const { index, ship } of intake.pending) {
      if (ship.number === number && index < next) next = index
    }
    return next
  }

  /** An empty stage with room for copies. */
  #stageFor(copies: readonly CopiedShip[]): Stage {
    const { flight, state } = this.#world
    const { classes, ephemeris, rails } = state
    const place = { ephemeris, rails, territory: flight.territory, classes }
    const room = roomOf(copies)
    const names = ['chunks', 'orders', 'sightings', 'rules'] as const
    if (names.some((name) => room[name] > ROOM[name])) return createStage(place, room)
    this.#stage ??= createStage(place, ROOM)
    const empty: WorldState & { firstChunk: number } = this.#stage.state
    empty.firstChunk = room.firstChunk
    empty.ships.condition.fill(EMPTY)
    return this.#stage
  }
}
