import { Refusal, hasToken, keepToken } from './kit/api.ts'
import { button, element, failure } from './kit/element.ts'
import { home } from './desk/home.ts'
import { projectPage } from './desk/project.ts'

const ID = '([\\da-f-]{36})'
const PLACE = new RegExp(`^#/${ID}/${ID}(?:/${ID})?$`)

let latest = 0

/** Shows what the address names. */
async function show(): Promise<void> {
  const turn = ++latest
  const [, client, project, version] = PLACE.exec(location.hash) ?? []
  const nodes = await (client === undefined ? home() : projectPage(client, project, version)).catch(
    (error: unknown) =>
      isUnknown(error) ? [tokenForm()] : [failure(error), button('Try again', () => void show())],
  )
  // A later address may have been faster.
  if (turn !== latest) return
  document.querySelector('main')?.replaceChildren(...nodes)
  document.title = `${document.querySelector('h1')?.textContent ?? 'Failed'} - Design sessions`
}

function isUnknown(error: unknown): boolean {
  return error instanceof Refusal && error.status === 401
}

function tokenForm(): Node {
  const token = element('input', { type: 'password', required: true, autocomplete: 'off' })
  const onsubmit = (event: SubmitEvent): void => {
    event.preventDefault()
    keepToken(token.value)
    void show()
  }
  return element(
    'form',
    { onsubmit },
    element('h1', {}, 'Sign in'),
    ...(hasToken() ? [failure('This token is not accepted.')] : []),
    element('p', {}, element('label', {}, 'Token of this service ', token)),
    element('button', {}, 'Continue'),
  )
}

addEventListener('hashchange', () => void show())
void show()
