// Goal: an operator is warned before a world is full, once for each level. Method: numbers of ships
// that rise and fall; the lines are collected.
import { expect, test } from 'vitest'
import { createFillingLog } from '../../src/operations/filling-world.ts'

test('a world that fills is logged at 80 and 95 %, and again after it was emptier', () => {
  const lines: unknown[] = []
  const log = createFillingLog({ warn: (...line: unknown[]) => void lines.push(line) })
  const at = (...all: number[]): unknown[] => {
    for (const ships of all) log({ ships, shipsMax: 200 })
    return lines.splice(0)
  }
  expect(at(0, 159)).toEqual([])
  expect(at(160, 159, 160, 189)).toEqual([
    [{ ships: 160, ships_max: 200 }, 'the world is 80 % full'],
  ])
  expect(at(190, 200, 188, 190)).toEqual([
    [{ ships: 190, ships_max: 200 }, 'the world is 95 % full'],
  ])
  expect(at(100, 200)).toEqual([[{ ships: 200, ships_max: 200 }, 'the world is 95 % full']])
})
