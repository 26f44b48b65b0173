/** What a player can change: the ship's name and the password. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { say } from '../languages/say.ts'
import { PASSWORD_RULE, SHIP_NAME_RULE } from '../session/refusals.ts'
import type { LiveSession } from '../session/session.ts'
import { Field } from '../elements/field.tsx'
import { PasswordField } from '../elements/password-field.tsx'
import { FormFault } from '../elements/form-fault.tsx'
import { useRequest } from '../elements/use-request.ts'

export function RenamingShip({ session }: { readonly session: LiveSession }): JSX.Element {
  const { world, ship } = session.flight
  const done = useSignal('')
  const request = useRequest(async ({ name = '' }) => {
    done.value = ''
    const answer = await session.socket.rename(name)
    done.value = say('The ship is called {name}.', { name: answer.name })
  })
  return (
    <form onSubmit={request.submit}>
      <Field
        label={say('Name of the ship')}
        name="name"
        rule={SHIP_NAME_RULE}
        fault={request.faultOf('name')}
        input={{
          defaultValue: world.ship(ship.id)?.name ?? '',
          required: true,
          autocomplete: 'off',
          minLength: 3,
          maxLength: 64,
        }}
      >
        <button type="submit" disabled={request.isBusy}>
          {say('Rename')}
        </button>
      </Field>
      <Outcome done={done.value} fault={request.faultOf()?.text} />
    </form>
  )
}

export function ChangingPassword({ session }: { readonly session: LiveSession }): JSX.Element {
  const done = useSignal('')
  const request = useRequest(async ({ current = '', password = '' }, form) => {
    done.value = ''
    await session.player.changePassword(current, password)
    form.reset()
    done.value = say('The password is changed. You are signed out everywhere else.')
  }, WRONG)
  return (
    <section>
      <h3>{say('Password')}</h3>
      <form onSubmit={request.submit}>
        <input type="hidden" autocomplete="username" value={session.account.username} />
        <PasswordField
          label={say('Present password')}
          name="current"
          isNew={false}
          fault={request.faultOf('current')}
        />
        <PasswordField
          label={say('New password')}
          name="password"
          isNew={true}
          rule={PASSWORD_RULE}
          fault={request.faultOf('password')}
        />
        <button type="submit" disabled={request.isBusy}>
          {say('Change password')}
        </button>
        <Outcome done={done.value} fault={request.faultOf()?.text} />
      </form>
    </section>
  )
}

const WRONG = {
  E005: { field: 'current', text: say('This is not the present password.') },
} as const

interface SigningOutProps {
  readonly session: LiveSession
  readonly onDone: () => void
}

/** Ends what a stolen token opens, without a new password. */
export function SigningOutEverywhere({ session, onDone }: SigningOutProps): JSX.Element {
  const request = useRequest(async () => {
    await session.player.signOutEverywhere()
    onDone()
  })
  return (
    <form onSubmit={request.submit}>
      <button type="submit" disabled={request.isBusy}>
        {say('Sign out everywhere')}
      </button>
      <FormFault request={request} />
    </form>
  )
}

interface OutcomeProps {
  readonly done: string
  readonly fault: string | undefined
}

function Outcome({ done, fault }: OutcomeProps): JSX.Element {
  return (
    <p class={fault === undefined ? 'form-done' : 'form-fault'} role="status">
      {fault ?? done}
    </p>
  )
}
