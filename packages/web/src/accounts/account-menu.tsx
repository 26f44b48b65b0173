/** The way into the game for a guest; for a player, the account. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import type { Game } from '../game/game.ts'
import type { Session } from '../session/session.ts'
import { DeletingAccount } from './account-deletion.tsx'
import { AccountDialog } from './account-dialog.tsx'
import { ChangingPassword, RenamingShip, SigningOutEverywhere } from './account-forms.tsx'
import { Inviting } from './inviting.tsx'
import { Dialog } from '../elements/dialog.tsx'
import './account.css'

export function AccountMenu({ game }: { readonly game: Game }): JSX.Element {
  const session = game.session.value
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
          Fly
        </button>
      )}
      <button type="button" aria-haspopup="dialog" onClick={signIn}>
        Sign in
      </button>
    </>
  )
}

interface PlayerProps {
  readonly game: Game
  readonly session: Session
}

function Player({ game, session }: PlayerProps): JSX.Element {
  const isOpen = useSignal(false)
  const { username } = session.account
  const signOut = (): void => {
    game.accounts.forget()
    game.leave()
  }
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
        <RenamingShip session={session} />
        <Inviting session={session} />
        <ChangingPassword session={session} />
        <section>
          <h3>Leave</h3>
          <p class="account-lead">The ship flies on until you come back.</p>
          <button type="button" onClick={signOut}>
            Sign out
          </button>
          <SigningOutEverywhere session={session} onDone={signOut} />
        </section>
        <DeletingAccount game={game} session={session} />
      </Dialog>
    </>
  )
}
