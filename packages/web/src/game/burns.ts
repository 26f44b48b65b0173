/** Burns in a direction: the hull turns first. */
import type { Order } from '@orrery/client'
import type { StatedShip } from '@orrery/client/flight'
import { type ReadonlySignal, effect, signal } from '@preact/signals'
import type { SupposedOrder } from '../forecast/flight-ahead.ts'
import { giveOrder } from '../orders/orders.ts'
import { type SteeredGame, steeringOrder } from './steering.ts'
import type { SteeringMode } from '../orders/steering-modes.ts'
import { thingOfFields } from '../orders/target-fields.ts'
import { isSame } from '../readings/thing.ts'

type Control = Extract<Order, { type: 'control' }>

export interface Burn {
  /** undefined: as the hull points now */
  readonly mode: SteeringMode | undefined
  readonly order: Control
  readonly words: string
}

/** Half a turn takes 75 s. */
const TURN_SECONDS = 80

/** The server states an order after so long, unless it is very slow [ms]. */
const STATED_MS = 2000

export interface Burns {
  /** words of the burn that waits for the hull to turn */
  readonly waiting: ReadonlySignal<string | undefined>
  /** Burns when the hull has turned there; another order to turn cancels it. */
  start(burn: Burn): Promise<void>
  cancel(): void
  /** The orders of a burn, to be previewed. */
  supposed(burn: Burn): SupposedOrder[]
}

export function createBurns(game: SteeredGame): Burns {
  const waiting = signal<string | undefined>(undefined)
  let stop = (): void => {}
  const cancel = (): void => {
    stop()
    waiting.value = undefined
  }
  const start = async ({ mode, order, words }: Burn): Promise<void> => {
    cancel()
    const turn = mode && steeringOrder(game, mode)
    if (!turn) {
      if (mode === undefined) await giveOrder(game, order, words)
      return
    }
    const { doing, session } = game
    const from = session.value
    waiting.value = words
    if (!(await giveOrder(game, turn))) return cancel()
    const orderedMs = performance.now()
    const wanted = doing.pointing.peek()
    stop = effect(() => {
      const ship = doing.ship.value
      const isOther = doing.pointing.value !== wanted || session.value !== from
      const isStated = ship !== undefined && performance.now() - orderedMs > STATED_MS
      const isThere = isStated && isPointed(ship, turn) && ship.steering.mode === 'locked'
      if (!isOther && !isThere) return
      // An effect cannot be disposed of in its first run.
      queueMicrotask(() => {
        if (waiting.value !== words) return
        cancel()
        if (!isOther) void giveOrder(game, order, words)
      })
    })
  }
  const supposed = ({ mode, order }: Burn): SupposedOrder[] => {
    const turn = mode && steeringOrder(game, mode)
    if (!turn) return [{ order }]
    return [{ order: turn }, { after: TURN_SECONDS, order }]
  }
  return { waiting, start, cancel, supposed }
}

function isPointed({ steering }: StatedShip, turn: Order): boolean {
  const { pointing = 'hold', ...order } = turn.type === 'control' ? turn : {}
  if (pointing === 'sun') return steering.pointing === 'target'
  const [stated, wanted] = [steering, order].map((fields) => thingOfFields(fields))
  return steering.pointing === pointing && isSame(stated, wanted)
}
