/** All orders to the player's ship go through here. */
import { ClientError, type Order } from '@orrery/client'
import type { ReadonlySignal } from '@preact/signals'
import { say } from '../languages/say.ts'
import type { EventLog } from '../session/event-log.ts'
import type { Notices } from '../session/notices.ts'
import type { Session } from '../session/session.ts'
import { noteStart } from './order-under-way.ts'
import type { ShipDoing } from './ship-doing.ts'

/** What of the game orders concern. */
export interface OrderedGame {
  readonly session: ReadonlySignal<Session | undefined>
  readonly doing: ShipDoing
  readonly notices: Notices
  readonly log: EventLog
}

/**
 * Gives the ship an order, which acts at once on the page and is logged; a refusal becomes a
 * notice.
 *
 * @param words  what it does, such as `Point prograde`; without any, it is not logged
 * @returns whether the server has accepted it
 */
export async function giveOrder(game: OrderedGame, order: Order, words?: string): Promise<boolean> {
  game.doing.note(order)
  const isAccepted = await carryOut(game, words, async (session) => {
    await session.flight.ship.order(order)
    noteStart(session, order)
  })
  if (!isAccepted) game.doing.forget()
  return isAccepted
}

/** Takes the ship through the jump gate beside it. */
export function jump(game: OrderedGame, jumpgateId: string, words: string): Promise<boolean> {
  return carryOut(game, words, ({ socket }) => socket.jump(jumpgateId))
}

/** Does something that the server can refuse in the name of the player. */
export async function carryOut(
  game: OrderedGame,
  words: string | undefined,
  act: (session: Session) => Promise<unknown>,
): Promise<boolean> {
  const session = game.session.value
  if (!session) return false
  const note = (kind: 'order' | 'error', text: string): void => {
    const { clock } = session.flight
    const time = clock.now()
    // Before the first frame the socket knows the time to a second; the browser's may be wrong.
    const ms = Number.isNaN(time) ? session.socket.gameTimeNow() : clock.utc(time)
    const log = session.log ?? game.log
    log.add({ ms: ms ?? Date.now(), kind, text })
  }
  try {
    await act(session)
    game.notices.withdraw('order')
    if (words !== undefined) note('order', words)
    return true
  } catch (error) {
    if (game.session.value !== session) return false
    const reason =
      error instanceof ClientError ? error.message : say('The order could not be sent.')
    const text = words === undefined ? reason : `${words}: ${reason}`
    note('error', text)
    game.notices.show({ subject: 'order', kind: 'error', text, isLasting: true })
    return false
  } finally {
    game.doing.refresh()
  }
}
