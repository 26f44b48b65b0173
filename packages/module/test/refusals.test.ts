// Law: what a module says as it refuses crosses any wire, also what it was not to say.
import { refusal } from '@orrery/module'
import { expect, it } from 'vitest'
import { refusedOrBroken } from '../src/host/calls/broken.ts'

it('has as texts what JSON has no form for', () => {
  // Types are stripped from modules, not checked.
  const untyped = { ore: 3n, pit: null, at: [1, 2] } as unknown as Record<string, number>
  const said = { distance: NaN, speed: -Infinity, fuel: 0.25, docked: false, ...untyped }
  const { message, refusal: sent } = refusedOrBroken('mining', 'drill', refusal('too_far', said))
  expect(message).toBe(
    'mining drill: too_far, distance NaN, speed -Infinity, fuel 0.25, docked false, ore 3, ' +
      'pit null, at 1,2',
  )
  const data = { distance: 'NaN', speed: '-Infinity', fuel: 0.25, docked: false, ore: '3' }
  expect(JSON.parse(JSON.stringify(sent))).toEqual({
    module: 'mining',
    command: 'drill',
    reason: 'too_far',
    data: { ...data, pit: null, at: '1,2' },
  })
})
