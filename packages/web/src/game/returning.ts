/** Brings back the player that the browser has kept. */
import { say } from '../languages/say.ts'
import type { Game } from './game.ts'

/** @param looksAtShip  the ship becomes the focus when it is known */
export function comeBack(game: Game, looksAtShip: boolean): void {
  if (!document.hidden) return enterKept(game, looksAtShip)
  // A tab in the background takes the ship from no other.
  const enter = (): void => {
    if (!game.session.value) enterKept(game, looksAtShip)
  }
  document.addEventListener('visibilitychange', enter, { once: true })
}

/** The account as it is kept now: another tab may have changed it. */
function enterKept(game: Game, looksAtShip: boolean): void {
  const account = game.accounts.read(Date.now())
  if (!account) return
  if (account.hasExpired) {
    game.notices.show({
      subject: 'session',
      kind: 'info',
      text: say('Your sign-in has expired. The ship flies on; sign in to steer it again.'),
      action: { label: say('Sign in'), act: () => game.entrance.ask('sign-in', account.username) },
      isLasting: true,
    })
    return
  }
  game.enter(account, looksAtShip)
}
