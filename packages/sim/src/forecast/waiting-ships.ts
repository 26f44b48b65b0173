import { loadedGuide } from '../chunks/autopilot.ts'
import { awaitedBurn, replan } from '../guidance/programs/plan-burns.ts'
import { PLAN } from '../state/plan.ts'
import { NODE_DOUBLES, PLAN_DOUBLES, PLAN_NODE_DOUBLES } from '../state/plan-size.ts'
import type { Row } from './copied-rows.ts'
import { type CopiedShip, copiedShip, slotIn } from './copied-ship.ts'
import type { ForecastTask } from './forecast-task.ts'
import { type Stage, enterStage } from './stage.ts'

/** A ship at the start of a step, while its plan waits for a burn. */
interface WaitingShip {
  readonly ship: CopiedShip
  /** lattice index */
  readonly index: number
  /** place of the burn in the plan */
  readonly burn: number
  /** with which that was scheduled [kg] */
  readonly fuel: number
}

/** Between two copies: about a millisecond's work. */
const STEPS_APART = 64

/**
 * Copies of a ship on the way of its plan. Up to its awaited burn, the way of a plan whose burns
 * before are the same is the same, to the bit.
 */
export class WaitingShips {
  readonly #ship: CopiedShip
  readonly #waiting: WaitingShip[] = []
  #fuelAtBegin: number | undefined
  #fuel = 0
  #steps = 0

  /** @param ship  as it begins; the last of its orders is the plan */
  constructor(ship: CopiedShip) {
    this.#ship = ship
  }

  /** Looks at the ship on its stage when it has begun a step. */
  follow({ state }: Stage, slot: number): void {
    const { ships } = state
    const at = PLAN_DOUBLES * slot
    const burn = awaitedBurn(ships, slot)
    if (burn < 0 || ships.plan[at + PLAN.since] !== this.#ship.orders.at(-1)?.index) return
    const index = ships.stepStart[slot]
    if (ships.plan[at + PLAN.ranAt] === index) {
      this.#fuel = ships.fuel[slot]
      this.#fuelAtBegin ??= this.#fuel
      this.#steps = 0
    }
    if (this.#steps++ % STEPS_APART > 0) return
    const copy = copiedShip(state, { ...this.#ship, slot }, [], [])
    const ship = { ...copy, slot: this.#ship.slot }
    this.#waiting.push({ ship, index, burn, fuel: this.#fuel })
  }

  /**
   * Puts the ship on a stage where its way may begin to differ under another order in the place of
   * the last; returns the lattice index there, undefined where that is at its start.
   */
  enter(
    stage: Stage,
    { copies: [{ orders }], until }: Pick<ForecastTask, 'copies' | 'until'>,
  ): number | undefined {
    const [before, order] = [this.#ship.orders, orders].map((list) => list.at(-1)?.order)
    if (!before || !order) return undefined
    const shared = sharedBurns(before, order)
    for (let latest = Infinity; ;) {
      const found = this.#waiting.findLast(
        ({ burn, index, ship }) =>
          burn <= shared && index < until && ship.columns['stepEnd'][0] <= latest,
      )
      if (!found) return undefined
      const wake = this.#replanned(stage, found, order)
      if (found.ship.columns['stepEnd'][0] <= wake) return found.index
      latest = wake
    }
  }

  /** Lets a copy wait for burns of another order; returns when it wakes, NaN where that fails. */
  #replanned(stage: Stage, { ship, index, fuel }: WaitingShip, order: Row): number {
    const { flight, state } = stage
    enterStage(stage, [ship], index)
    const slot = slotIn(state, ship.slot)
    const at = PLAN_DOUBLES * slot
    state.ships.burnNodes.set(order['orderBurnNodes'], PLAN_NODE_DOUBLES * slot)
    state.ships.plan.set(order['orderParams'], at + PLAN.params)
    const guide = loadedGuide(flight, slot, index)
    const wake = replan(guide, this.#fuelAtBegin!, fuel)
    state.ships.plan.set(guide.row, at)
    return wake
  }
}

/** How many burns two orders have in common before they differ, less than the second has. */
function sharedBurns(
  { orderBurnNodes: before }: Row,
  { orderBurnNodes, orderParams }: Row,
): number {
  const last = orderParams[0] - 1
  for (let burn = 0; burn < last; burn++) {
    for (let i = NODE_DOUBLES * burn; i < NODE_DOUBLES * (burn + 1); i++) {
      if (before[i] !== orderBurnNodes[i]) return burn
    }
  }
  return last
}
