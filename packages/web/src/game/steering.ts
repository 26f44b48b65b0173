/** Orders to turn the hull. */
import type { Order } from '@orrery/client'
import { createShipSample } from '@orrery/client/flight'
import type { ReadonlySignal } from '@preact/signals'
import { type OrderedGame, giveOrder } from '../orders/orders.ts'
import type { Session } from '../session/session.ts'
import type { Steering, SteeringMode } from '../orders/steering-modes.ts'
import { targetFields } from '../orders/target-fields.ts'
import type { Thing } from '../readings/thing.ts'

/** What of the game orders to turn concern. */
export interface SteeredGame extends OrderedGame {
  readonly target: ReadonlySignal<Thing | undefined>
}

/** Whether a mode can be ordered now: two of them need a target. */
export function canSteer(game: SteeredGame, mode: SteeringMode): boolean {
  if (!game.session.value) return false
  return (mode !== 'target' && mode !== 'away') || game.target.value !== undefined
}

/** The order of a mode; undefined where it cannot be given now. */
export function steeringOrder(game: SteeredGame, mode: SteeringMode): Order | undefined {
  const { session, target } = game
  if (mode !== 'target' && mode !== 'away') return { type: 'control', pointing: mode }
  if (!target.value || !session.value) return undefined
  if (mode === 'away') return orderAway(session.value, target.value)
  return { type: 'control', pointing: 'target', ...targetFields(target.value) }
}

export function steer(game: SteeredGame, { mode, words }: Steering): void {
  const order = steeringOrder(game, mode)
  if (order) void giveOrder(game, order, words)
}

const own = createShipSample()
const other = createShipSample()

/** The nose to where the target is not: no pointing of the server follows that. */
function orderAway({ flight }: Session, target: Thing): Order | undefined {
  const { world, ship, clock } = flight
  const time = clock.now()
  if (!world.positionAt(own, ship.id, time) || !placeOf(world, target, time)) return undefined
  const [x, y, z] = own.r.map((value, axis) => value - other.r[axis])
  const size = Math.hypot(x, y, z)
  // The shortest turn of the nose from +x; its length does not count.
  const w = 1 + x / size
  const turn = w > 1e-9 ? { w, x: 0, y: -z / size, z: y / size } : { w: 0, x: 0, y: 0, z: 1 }
  return { type: 'control', attitude: turn }
}

function placeOf(world: Session['flight']['world'], thing: Thing, time: number): boolean {
  if (thing.kind === 'body') return world.bodyAt(other, thing.name, time)
  if (thing.kind === 'ship') return world.positionAt(other, thing.id, time)
  return world.objectAt(other, thing.id, time)
}
