/** Asks who plays: a new player with a name to take, or one who comes back. */
import { useSignalEffect } from '@preact/signals'
import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import { say } from '../languages/say.ts'
import type { Game } from '../game/game.ts'
import { proposedName } from '../session/proposed-name.ts'
import { PASSWORD_RULE, USERNAME_RULE } from '../session/refusals.ts'
import { Dialog } from '../elements/dialog.tsx'
import { Field } from '../elements/field.tsx'
import { lazy } from '../elements/lazy.tsx'
import { PasswordField } from '../elements/password-field.tsx'
import { FormFault } from '../elements/form-fault.tsx'
import { useRequest } from '../elements/use-request.ts'
import './account.css'

const ShipChoice = lazy(
  say('The choice of ships'),
  async () => (await import('./ship-choice.tsx')).ShipChoice,
  true,
)

export function AccountDialog({ game }: { readonly game: Game }): JSX.Element {
  const { isOpen, mode } = game.entrance
  useSignalEffect(() => {
    if (isOpen.value) void askStatus(game)
  })
  const title = mode.value === 'register' ? say('Fly a ship of your own') : say('Sign in')
  return (
    <Dialog title={title} name="account" isOpen={isOpen}>
      <AccountForm key={mode.value} game={game} />
    </Dialog>
  )
}

/** Whether registration is open may have changed since the page was opened. */
async function askStatus({ client, status }: Game): Promise<void> {
  status.value = await client.status().catch(() => status.peek())
}

/** With the first ship. */
function offerVoyage({ notices, voyage }: Game): void {
  notices.show({
    subject: 'voyage',
    kind: 'info',
    text: say('New here? The first voyage teaches to fly, step by step, as far as the Moon.'),
    action: { label: say('Begin'), act: () => (voyage.value = true) },
    isLasting: true,
  })
}

function AccountForm({ game }: { readonly game: Game }): JSX.Element {
  const { entrance } = game
  const isNew = entrance.mode.value === 'register'
  const given = entrance.username.value
  const username = useMemo(() => given || (isNew ? proposedName(Math.random) : ''), [given, isNew])
  const request = useRequest(async (values) => {
    const { username: name = '', password = '', ship_class: shipClass } = values
    if (!isNew) return entrance.signIn(name.trim(), password)
    await entrance.register(name.trim(), password, shipClass)
    offerVoyage(game)
  })
  const isClosed = isNew && game.status.value?.registration_open === false
  return (
    <form onSubmit={request.submit}>
      {isClosed ? (
        <p class="form-fault">
          {say('Registration is closed on this server. Players can sign in.')}
        </p>
      ) : (
        <p class="account-lead">{isNew ? NEW_LEAD : BACK_LEAD}</p>
      )}
      {isNew && <Invited game={game} />}
      <Field
        label={say('Name')}
        name="username"
        rule={isNew ? USERNAME_RULE : ''}
        fault={request.faultOf('username')}
        input={{
          autocomplete: 'username',
          defaultValue: username,
          required: true,
          pattern: '[A-Za-z0-9_]{3,20}',
          title: USERNAME_RULE,
          maxLength: 20,
          autofocus: username === '',
          spellcheck: false,
          autocapitalize: 'none',
        }}
      />
      <PasswordField
        label={say('Password')}
        name="password"
        rule={isNew ? PASSWORD_RULE : ''}
        fault={request.faultOf('password')}
        isNew={isNew}
        isFocused={username !== ''}
      />
      {isNew && <ShipChoice game={game} />}
      <FormFault request={request} />
      <div class="account-ways">
        <button type="submit" class="primary" disabled={isClosed || request.isBusy}>
          {isNew ? say('Register and fly') : say('Sign in')}
        </button>
        <button
          type="button"
          class="link"
          onClick={() => entrance.ask(isNew ? 'sign-in' : 'register')}
        >
          {isNew ? say('I have an account') : say('I am new here')}
        </button>
      </div>
    </form>
  )
}

function Invited({ game }: { readonly game: Game }): JSX.Element {
  const { invitation } = game.entrance
  if (invitation.value === '') return <></>
  return (
    <p class="account-lead">
      {say("You are invited: your ship begins beside another player's.")}{' '}
      <button type="button" class="link" onClick={() => (invitation.value = '')}>
        {say('Begin alone')}
      </button>
    </p>
  )
}

const NEW_LEAD = say('Take this name or another one, and choose a password.')
const BACK_LEAD = say('Your ship has flown on while you were away.')
