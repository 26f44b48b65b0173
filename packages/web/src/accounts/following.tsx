/** Whether guests may see and follow the ship. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { say } from '../languages/say.ts'
import { FormFault } from '../elements/form-fault.tsx'
import { useRequest } from '../elements/use-request.ts'
import type { LiveSession } from '../session/session.ts'

export function Following({ session }: { readonly session: LiveSession }): JSX.Element {
  const isAllowed = useSignal<boolean | undefined>(undefined)
  useEffect(() => {
    session.player.settings().then(
      ({ followable }) => (isAllowed.value = followable),
      () => undefined,
    )
  }, [session])
  const request = useRequest(async () => {
    const settings = await session.player.changeSettings({ followable: !isAllowed.value })
    isAllowed.value = settings.followable
  })
  return (
    <section>
      <h3>{say('Followers')}</h3>
      <form onSubmit={request.submit}>
        <p class="account-lead">
          {isAllowed.value
            ? say('Everyone sees your ship, also without an account; Share has a link to it.')
            : say('Only other pilots see your ship.')}
        </p>
        <button type="submit" disabled={request.isBusy || isAllowed.value === undefined}>
          {isAllowed.value ? say('Hide my ship from guests') : say('Let guests follow me')}
        </button>
        <FormFault request={request} />
      </form>
    </section>
  )
}
