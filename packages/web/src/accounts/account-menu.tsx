/** The way into the game for a guest; for a player, the account. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { say } from '../languages/say.ts'
import type { Game } from '../game/game.ts'
import type { LiveSession } from '../session/session.ts'
import { AccountDialog } from './account-dialog.tsx'
import { Dialog } from '../elements/dialog.tsx'
import { lazy } from '../elements/lazy.tsx'
import './account.css'

const AccountForms = lazy(
  say('The account'),
  async () => (await import('./account-settings.tsx')).AccountForms,
)

export function AccountMenu({ game }: { readonly game: Game }): JSX.Element {
  const session = game.live.value
  return (
    <div class="account-entry">
      {session ? (
        <Player key={session.account.token} game={game} session={session} />
      ) : (
        <Guest game={game} />
      )}
      <AccountDialog game={game} />
    </div>
  )
}

function Guest({ game }: { readonly game: Game }): JSX.Element {
  const isClosed = game.status.value?.registration_open === false
  const signIn = (): void => {
    game.entrance.ask('sign-in', game.accounts.read(Date.now())?.username)
  }
  return (
    <>
      {!isClosed && (
        <button
          type="button"
          class="primary"
          aria-haspopup="dialog"
          onClick={() => game.entrance.ask('register')}
        >
          {say('Fly')}
        </button>
      )}
      <button type="button" aria-haspopup="dialog" onClick={signIn}>
        {say('Sign in')}
      </button>
    </>
  )
}

interface PlayerProps {
  readonly game: Game
  readonly session: LiveSession
}

function Player({ game, session }: PlayerProps): JSX.Element {
  const isOpen = useSignal(false)
  const { username } = session.account
  return (
    <>
      <button
        type="button"
        class="account-user"
        data-connected={game.connection.value === 'live'}
        aria-haspopup="dialog"
        onClick={() => (isOpen.value = true)}
      >
        {username}
      </button>
      <Dialog title={username} name="account" isOpen={isOpen}>
        <AccountForms game={game} session={session} />
      </Dialog>
    </>
  )
}
