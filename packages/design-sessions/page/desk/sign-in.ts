import { hasToken, keepToken } from '../kit/api.ts'
import { authorName, keepAuthor } from '../kit/author.ts'
import { element, failure } from '../kit/element.ts'

const NAME_MAX = 100

/** Whether this service has a token; its page says so, and no request has to fail. */
const needsToken = document.documentElement.dataset.token === 'needed'

export function isSignedIn(): boolean {
  return authorName() !== '' && (hasToken() || !needsToken)
}

/** Asks for the name that changes are recorded under, and for the token of the service. */
export function signIn(done: () => void, fault?: string): Node {
  const name = element('input', {
    required: true,
    autocomplete: 'name',
    maxLength: NAME_MAX,
    pattern: String.raw`.*\S.*`,
    value: authorName(),
  })
  const token = element('input', { type: 'password', required: true, autocomplete: 'off' })
  const onsubmit = (event: SubmitEvent): void => {
    event.preventDefault()
    keepAuthor(name.value.trim())
    if (needsToken) keepToken(token.value)
    done()
  }
  return element(
    'form',
    { onsubmit, className: 'sign-in' },
    element('h1', {}, 'Sign in'),
    ...(fault === undefined ? [] : [failure(fault)]),
    element('label', {}, 'Your name, which changes are recorded under ', name),
    ...(needsToken ? [element('label', {}, 'Token of this service ', token)] : []),
    element('p', {}, element('button', {}, 'Continue')),
  )
}
