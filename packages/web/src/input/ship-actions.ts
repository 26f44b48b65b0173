/** Actions that look from one ship to the next. */
import { say } from '../languages/say.ts'
import type { Game } from '../game/game.ts'
import { nearbyShips } from '../readings/nearby-ships.ts'
import type { Action } from './actions.ts'

/** Ships that are gone through. */
const SHIPS = 40

export function shipActions(game: Game): Action[] {
  const isAvailable = (): boolean => game.session.value !== undefined
  const group = say('View')
  return [
    {
      name: 'view.own-ship',
      group,
      keys: [say('Period')],
      words: say("back to one's own ship"),
      act: () => look(game, () => 0),
      isAvailable,
    },
    {
      name: 'view.next-ship',
      group,
      keys: ['BracketRight', 'Backslash'],
      words: say('next ship, by distance from the own one'),
      act: () => look(game, (at) => at + 1),
      isAvailable,
    },
    {
      name: 'view.previous-ship',
      group,
      keys: ['BracketLeft'],
      words: say('previous ship'),
      act: () => look(game, (at) => at - 1),
      isAvailable,
    },
  ]
}

/** Looks at another ship of a row that begins with the own one. */
function look({ session, focus }: Game, next: (at: number) => number): void {
  const { flight } = session.value ?? {}
  if (!flight) return
  const ids = [flight.ship.id, ...nearbyShips(flight, '', SHIPS).map(({ ship }) => ship.id)]
  const { value } = focus
  const at = value?.kind === 'ship' ? Math.max(ids.indexOf(value.id), 0) : 0
  const index = value?.kind === 'ship' ? next(at) : 0
  focus.value = { kind: 'ship', id: ids[(index + ids.length) % ids.length] }
}
