// Laws of alarms: each mark that calls a pilot is called once, a minute of the player before.
import { expect, test } from 'vitest'
import { createCaller, dueMarks } from '../../src/alarms/alarms.ts'
import type { Mark, NextMark } from '../../src/forecast/next-marks.ts'

function mark(kind: Mark['kind'], name: string, seconds: number, now: number = 0): NextMark {
  return { key: name, name, detail: '', seconds, mark: { kind, index: 64 * (now + seconds) } }
}

const names = (marks: readonly NextMark[]): readonly string[] => marks.map(({ name }) => name)

test('a minute of the player before, however fast time runs', () => {
  const marks = [
    mark('burn_begin', 'Burn', -1),
    mark('apoapsis', 'Apoapsis', 10),
    mark('sphere', 'Moon', 50),
    mark('docked', 'Docked', 500),
  ]
  expect(names(dueMarks(marks, 1))).toEqual(['Moon'])
  expect(names(dueMarks(marks, 10))).toEqual(['Moon', 'Docked'])
})

test('a mark is called once, though a new forecast moves it, and the next one again', () => {
  const call = createCaller()
  expect(names(call([mark('burn_begin', 'Burn', 58)], 1))).toEqual(['Burn'])
  expect(names(call([mark('burn_begin', 'Burn', 40, 20)], 1))).toEqual([])
  expect(names(call([mark('burn_begin', 'Burn', 50, 300)], 1))).toEqual(['Burn'])
})
