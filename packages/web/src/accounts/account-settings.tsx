/** What is in the dialog of a player's account. */
import type { JSX } from 'preact'
import { say } from '../languages/say.ts'
import type { Game } from '../game/game.ts'
import type { LiveSession } from '../session/session.ts'
import { DeletingAccount } from './account-deletion.tsx'
import { ChangingPassword, RenamingShip, SigningOutEverywhere } from './account-forms.tsx'
import { Following } from './following.tsx'
import { Inviting } from './inviting.tsx'
import { OwnShips } from './own-ships.tsx'

interface AccountFormsProps {
  readonly game: Game
  readonly session: LiveSession
}

export function AccountForms({ game, session }: AccountFormsProps): JSX.Element {
  const signOut = (): void => {
    game.accounts.forget()
    game.leave()
  }
  return (
    <>
      <RenamingShip session={session} />
      <OwnShips game={game} session={session} />
      <Inviting session={session} />
      <Following session={session} />
      <ChangingPassword session={session} />
      <section>
        <h3>{say('Leave')}</h3>
        <p class="account-lead">{say('The ship flies on until you come back.')}</p>
        <button type="button" onClick={signOut}>
          {say('Sign out')}
        </button>
        <SigningOutEverywhere session={session} onDone={signOut} />
      </section>
      <DeletingAccount game={game} session={session} />
    </>
  )
}
