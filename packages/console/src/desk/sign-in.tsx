import { useSignal } from '@preact/signals'
import type { JSX, TargetedSubmitEvent } from 'preact'
import type { Sessions } from '../operator/session.ts'
import { valuesOf } from '../controls/field.tsx'

export function SignIn({ sessions }: { readonly sessions: Sessions }): JSX.Element {
  const fault = useSignal<string | undefined>(undefined)
  const isBusy = useSignal(false)
  const submit = async (event: TargetedSubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault()
    if (isBusy.value) return
    const { username = '', password = '' } = valuesOf(event.currentTarget)
    isBusy.value = true
    fault.value = await sessions.signIn(username, password)
    isBusy.value = false
  }
  return (
    <main class="sign-in">
      <form onSubmit={(event) => void submit(event)}>
        <h1>Orrery console</h1>
        {sessions.ended.value && <p role="status">{sessions.ended.value}</p>}
        <label>
          Name
          <input name="username" autocomplete="username" required autofocus spellcheck={false} />
        </label>
        <label>
          Password
          <input name="password" type="password" autocomplete="current-password" required />
        </label>
        <p class="fault" role="alert">
          {fault.value}
        </p>
        <button class="main" disabled={isBusy.value}>
          Sign in
        </button>
      </form>
    </main>
  )
}
