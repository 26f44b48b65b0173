import { home } from './desk/home.ts'
import { placeOf } from './desk/place.ts'
import { projectPage } from './desk/project.ts'
import { isSignedIn, signIn } from './desk/sign-in.ts'
import { Refusal, forgetToken } from './kit/api.ts'
import { authorName } from './kit/author.ts'
import { button, element, failure } from './kit/element.ts'

let latest = 0

/** Shows what the address names, or asks who is there. */
async function show(isMove: boolean): Promise<void> {
  const turn = ++latest
  const place = placeOf(location.hash)
  const nodes = isSignedIn()
    ? await (place ? projectPage(place) : home()).catch(failedNodes)
    : [signIn(() => void show(true))]
  // A later address may have been faster.
  if (turn !== latest) return
  document.querySelector('main')?.replaceChildren(...nodes)
  document.querySelector('#who')?.replaceChildren(...who())
  document.title = `${document.querySelector('h1')?.textContent ?? 'Failed'} - Design sessions`
  const record = place?.record === undefined ? null : document.getElementById(place.record)
  const start = isMove ? document.querySelector<HTMLElement>('main h2, main h1') : null
  const focused = record ?? start
  focused?.focus()
}

function failedNodes(error: unknown): readonly Node[] {
  const isUnknown = error instanceof Refusal && error.status === 401
  if (!isUnknown) return [failure(error), button('Try again', () => void show(true))]
  forgetToken()
  return [signIn(() => void show(true), 'This token is not accepted.')]
}

function who(): readonly Node[] {
  if (!isSignedIn()) return []
  const leave = button('Sign out', () => {
    forgetToken()
    document.querySelector('#who')?.replaceChildren()
    document.querySelector('main')?.replaceChildren(signIn(() => void show(true)))
  })
  return [element('span', {}, authorName()), leave]
}

addEventListener('hashchange', () => void show(true))
void show(false)
