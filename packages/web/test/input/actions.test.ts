// Goal: a key does the latest of its actions that is available, by its place on any layout.
import { afterEach, expect, test, vi } from 'vitest'
import { type Action, createActions } from '../../src/input/actions.ts'
import { keyName, keyNames, readLayout } from '../../src/input/key-names.ts'
import { latinKey } from '@orrery/page-kit'

function action(name: string, ...keys: string[]): Action {
  return { name, group: 'View', keys, words: '', act: () => {} }
}

afterEach(async () => {
  vi.unstubAllGlobals()
  await readLayout()
})

test('actions are found by key and by name while they are available', () => {
  const actions = createActions()
  let isFlying = false
  const look = action('look', 'KeyA')
  const fly: Action = { ...look, name: 'fly', isAvailable: () => isFlying }
  const pressed = { key: 'a', code: 'KeyA' }
  actions.register([look])
  const remove = actions.register([fly])
  expect(actions.ofKey(pressed)).toBe(look)
  isFlying = true
  expect(actions.ofKey(pressed)).toBe(fly)
  remove()
  expect(actions.ofKey(pressed)).toBe(look)
  expect(actions.named('look')).toBe(look)
  expect(actions.ofKey({ key: 'b', code: 'KeyB' })).toBeUndefined()
})

test('letters and digits go by their place, other keys by their sign first', () => {
  const actions = createActions()
  const [pitch, full, six] = [action('w', 'KeyW'), action('z', 'KeyZ'), action('6', 'Digit6')]
  const [farther, ship] = [action('-', '-', 'Minus'), action(']', 'BracketRight')]
  const nearer = action('+', '+', 'Equal')
  actions.register([pitch, full, six, farther, nearer, ship])
  const found = (key: string, code: string): string | undefined =>
    actions.ofKey({ key, code })?.name
  const french = [found('z', 'KeyW'), found('w', 'KeyZ'), found('-', 'Digit6'), found(')', 'Minus')]
  expect(french).toEqual(['w', 'z', '6', '-'])
  expect([found('ц', 'KeyW'), found('я', 'KeyZ')]).toEqual(['w', 'z'])
  const german = [found('+', 'BracketRight'), found('-', 'Slash'), found('´', 'Equal')]
  expect(german).toEqual(['+', '-', '+'])
  // Keyboards on a screen give no place.
  expect([found('w', ''), found('6', '')]).toEqual(['w', '6'])
})

test('keys are written as on the keyboard at hand', async () => {
  const names = ['ArrowLeft', 'KeyW', 'Digit6', 'Shift', '?', 'BracketRight']
  expect(names.map(keyName)).toEqual(['←', 'W', '6', 'Shift', '?', ']'])
  const nearer = action('nearer', '+', 'Equal')
  const farther = action('farther', '-', 'Minus')
  const all = [nearer, farther, action('6', 'Digit6')]
  expect(all.map((one) => keyNames(one, all))).toEqual([['+', '='], ['-'], ['6']])
  const french = new Map([
    ['KeyW', 'z'],
    ['Digit6', '-'],
    ['Minus', ')'],
    ['Equal', '='],
  ])
  vi.stubGlobal('navigator', { keyboard: { getLayoutMap: async () => french } })
  await readLayout()
  expect(keyName('KeyW')).toBe('Z')
  expect(all.map((one) => keyNames(one, all))).toEqual([['+', '='], [')'], ['-']])
})

test('a key of another alphabet has the Latin letter of its place', () => {
  expect(latinKey({ key: 'а', code: 'KeyF' })).toBe('f')
  expect(latinKey({ key: 'à', code: 'Digit0' })).toBe('0')
  expect(latinKey({ key: 'Enter', code: 'Enter' })).toBe('Enter')
  expect(latinKey({ key: 'f', code: 'KeyU' })).toBe('f')
})
