// Laws of keys that a player gives: an action has the key that was given to it and no other action
// has it; the browser keeps them, and what it keeps in another form is none.
import { afterEach, expect, test } from 'vitest'
import { type Action, createActions } from '../../src/input/actions.ts'
import { holderOf, keyToGive, withKey } from '../../src/input/giving-keys.ts'
import { keyOf } from '../../src/input/key-names.ts'
import { keepOwnKeys, ownKeys } from '../../src/input/own-keys.ts'

const [W, S, MINUS] = [
  { key: 'w', code: 'KeyW' },
  { key: 's', code: 'KeyS' },
  { key: '-', code: 'Minus' },
]

function action(name: string, ...keys: string[]): Action {
  return { name, group: 'Flight', keys, words: name, act: () => {} }
}

function storage(
  text: string | null,
): { text: string | null } & Pick<Storage, 'getItem' | 'setItem'> {
  const kept = {
    text,
    getItem: () => kept.text,
    setItem: (_: string, written: string) => void (kept.text = written),
  }
  return kept
}

afterEach(() => {
  ownKeys.value = {}
})

test('a key that is given is taken from the action that had it', () => {
  const actions = createActions()
  actions.register([action('down', 'KeyW'), action('up', 'KeyS'), action('far', '-', 'Minus')])
  const [down, up] = actions.all.value
  expect(holderOf(actions.all.value, down, W)).toBeUndefined()
  expect(holderOf(actions.all.value, down, S)).toBe(up)
  ownKeys.value = withKey(ownKeys.value, actions.all.value, down, S)
  expect(ownKeys.value).toEqual({ down: ['KeyS'], up: [] })
  expect([actions.ofKey(S)?.name, actions.ofKey(W)]).toEqual(['down', undefined])
  expect([keyOf('down', 'KeyW'), keyOf('up', 'KeyS'), keyOf('far', '-')]).toEqual(['S', '—', '-'])
  ownKeys.value = withKey(ownKeys.value, actions.all.value, actions.named('up')!, MINUS)
  expect(ownKeys.value).toEqual({ down: ['KeyS'], up: ['-'], far: [] })
  ownKeys.value = {}
  expect(actions.ofKey(W)).toBe(down)
})

test('letters and digits are given by their place, signs as they are written', () => {
  expect(
    [W, { key: 'ц', code: 'KeyW' }, { key: '-', code: 'Digit6' }, MINUS].map(keyToGive),
  ).toEqual(['KeyW', 'KeyW', 'Digit6', '-'])
  for (const key of ['Escape', 'Tab', 'Enter', ' ', 'F5', 'Dead']) {
    expect(keyToGive({ key, code: key })).toBeUndefined()
  }
})

test('the browser keeps them; what is not such a table is none', () => {
  const kept = storage(null)
  const stop = keepOwnKeys(kept)
  ownKeys.value = { down: ['KeyS'] }
  stop()
  ownKeys.value = {}
  keepOwnKeys(kept)()
  expect(ownKeys.value).toEqual({ down: ['KeyS'] })
  for (const text of ['', '7', 'null', '[]', '{"down":"KeyS"}', '{"down":[7]}']) {
    keepOwnKeys(storage(text))()
    expect(ownKeys.value).toEqual({})
  }
  keepOwnKeys(undefined)()
})
