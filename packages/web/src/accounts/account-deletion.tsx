/** Deletes the account, once its name is typed. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { say } from '../languages/say.ts'
import type { Game } from '../game/game.ts'
import type { LiveSession } from '../session/session.ts'
import { Field } from '../elements/field.tsx'
import { FormFault } from '../elements/form-fault.tsx'
import { useRequest } from '../elements/use-request.ts'

export interface DeletingAccountProps {
  readonly game: Game
  readonly session: LiveSession
}

export function DeletingAccount({ game, session }: DeletingAccountProps): JSX.Element {
  const typed = useSignal('')
  const { username } = session.account
  const request = useRequest(async () => {
    await session.player.deleteAccount()
    game.accounts.forget()
    game.leave()
    game.notices.show({ subject: 'session', kind: 'info', text: say('Your account is deleted.') })
  })
  return (
    <section>
      <h3>{say('Delete the account')}</h3>
      <p class="account-lead">{say('The account and its ship are gone for good.')}</p>
      <form onSubmit={request.submit}>
        <Field
          label={say('Type {username} to confirm', { username })}
          name="confirmation"
          input={{
            autocomplete: 'off',
            spellcheck: false,
            autocapitalize: 'none',
            onInput: (event) => (typed.value = event.currentTarget.value),
          }}
        >
          <button
            type="submit"
            class="danger"
            disabled={typed.value !== username || request.isBusy}
          >
            {say('Delete')}
          </button>
        </Field>
        <FormFault request={request} />
      </form>
    </section>
  )
}
