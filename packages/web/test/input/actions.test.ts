// Goal: a key does the latest of its actions that is available.
import { expect, test } from 'vitest'
import { type Action, createActions, keyName } from '../../src/input/actions.ts'

test('actions are found by key and by name while they are available', () => {
  const actions = createActions()
  let isFlying = false
  const look: Action = { name: 'look', group: 'View', keys: ['a'], words: '', act: () => {} }
  const fly: Action = { ...look, name: 'fly', isAvailable: () => isFlying }
  actions.register([look])
  const remove = actions.register([fly])
  expect(actions.ofKey('a')).toBe(look)
  isFlying = true
  expect(actions.ofKey('a')).toBe(fly)
  remove()
  expect(actions.ofKey('a')).toBe(look)
  expect(actions.named('look')).toBe(look)
  expect(actions.ofKey('b')).toBeUndefined()
})

test('keys are written as on keyboards', () => {
  expect(['arrowleft', 'w', 'shift', '?'].map(keyName)).toEqual(['←', 'W', 'Shift', '?'])
})
