/** What a player reads when a session has ended, and how to go on. */
import { say } from '../languages/say.ts'
import type { Account, AccountStore } from './account.ts'
import type { Ending } from './connection.ts'
import type { Entrance } from './entrance.ts'
import type { Notice, Notices } from './notices.ts'

const TEXTS: Readonly<Record<Ending, string>> = {
  replaced: say('Your ship is flown in another tab or window.'),
  expired: say('Your sign-in has expired. The ship flies on; sign in to steer it again.'),
  password_reset: say('Your account has a new password. Sign in with it.'),
  account_deleted: say('Your account has been deleted, and its ship with it.'),
  reset: say('The world has begun again. All accounts and ships of the old one are gone.'),
  token_refused: say(
    'The server does not accept your sign-in any more. It has expired, the password is ' +
      'another one, or the account is gone.',
  ),
  origin_refused: say('The server does not allow a page of this address to play.'),
}

/** Endings after which the account itself is gone. */
const GONE: ReadonlySet<Ending> = new Set(['account_deleted', 'reset'])

/** What of the game an ending concerns. */
interface EndedGame {
  readonly accounts: AccountStore
  readonly entrance: Entrance
  readonly notices: Notices
  readonly enter: (account: Account) => void
}

export function showEnding(game: EndedGame, ending: Ending, account: Account): void {
  if (GONE.has(ending)) game.accounts.forget()
  game.notices.show({
    subject: 'session',
    kind: ending === 'replaced' ? 'info' : 'warning',
    text: TEXTS[ending],
    isLasting: true,
    ...wayOn(game, ending, account),
  })
}

function wayOn(
  { accounts, entrance, enter }: EndedGame,
  ending: Ending,
  account: Account,
): Pick<Notice, 'action'> {
  const { username } = account
  // The other tab may have left, or signed in again.
  const flyHere = (): void => {
    const kept = accounts.read(Date.now())
    if (kept && !kept.hasExpired) enter(kept)
    else entrance.ask('sign-in', username)
  }
  if (ending === 'origin_refused') return {}
  if (ending === 'replaced') return { action: { label: say('Fly here'), act: flyHere } }
  return GONE.has(ending)
    ? { action: { label: say('Register'), act: () => entrance.ask('register', username) } }
    : { action: { label: say('Sign in'), act: () => entrance.ask('sign-in', username) } }
}
