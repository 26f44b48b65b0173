/** A player's invitation, as an address to send. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { say } from '../languages/say.ts'
import { FormFault } from '../elements/form-fault.tsx'
import { useRequest } from '../elements/use-request.ts'
import { invitationLink } from '../session/invitation.ts'
import type { LiveSession } from '../session/session.ts'

export function Inviting({ session }: { readonly session: LiveSession }): JSX.Element {
  const link = useSignal('')
  const request = useRequest(async () => {
    const { invitation } = await session.player.invite({ registrations: 1 })
    link.value = invitationLink(location.origin, invitation)
  })
  return (
    <section>
      <h3>{say('Invite')}</h3>
      <form onSubmit={request.submit}>
        <p class="account-lead">
          {say('A new player begins beside your ship: one, within a day.')}
        </p>
        {link.value !== '' && (
          <input
            type="text"
            readOnly
            aria-label={say('Address of the invitation')}
            value={link.value}
            onFocus={({ currentTarget }) => currentTarget.select()}
          />
        )}
        <button type="submit" disabled={request.isBusy}>
          {link.value === '' ? say('Make an invitation') : say('Make another invitation')}
        </button>
        <FormFault request={request} />
      </form>
    </section>
  )
}
