import { type Places, controlOf } from '@orrery/protocol'
import { type OrderPlaces, type Row, plainControl, writtenOrder } from '@orrery/sim'
import { ClientError } from '../client-error.ts'
import type { Order } from '../socket/game-socket.ts'

/**
 * An order as the core flies it.
 *
 * @param isDocked  whether the ship takes no other order than to undock
 * @throws {ClientError} E002 for what it names and is not known, E003 where docking forbids it
 */
export function flownOrder(order: Order, places: Places & OrderPlaces, isDocked: boolean): Row {
  const control = plainControl(controlOf(order, places))
  const isUndocking = control.undock === true
  const isHarmless = Object.keys(control).every((field) => field === 'unloading')
  if (isDocked !== isUndocking && !(isDocked && isHarmless)) {
    throw new ClientError('E003', isUndocking ? 'The ship is not docked' : 'The ship is docked')
  }
  return writtenOrder(control, places)
}
