// Law: what was received of a ship is found by its number until it is removed, among any number of
// ships, and holds from its own start. Method: random changes beside a map of what is due.
import { createChance, testSeed } from '@orrery/testkit/chance'
import { expect, test } from 'vitest'
import { createNumberIndex } from '../../src/scene/number-index.ts'
import { Records } from '../../src/scene/records.ts'
import { ReceivedShips } from '../../src/scene/received-ships.ts'

const CHANGES = 4000
/** Numbers that are put and removed: enough to grow the table several times. */
const NUMBERS = 600

test('rows are found by number while numbers come and go', () => {
  const { below } = createChance(testSeed('number index'))
  const index = createNumberIndex()
  const due = new Map<number, number>()
  for (let i = 0; i < CHANGES; i++) {
    // First most of them come, then most of them go.
    const number = 1 + 7919 * below(NUMBERS)
    if (below(10) < (i < CHANGES / 2 ? 8 : 2)) {
      // Several may have one row, also the first.
      due.set(number, i % 3)
      index.put(number, i % 3)
    } else {
      due.delete(number)
      index.remove(number)
    }
    if (i % 97 > 0) continue
    for (let k = 0; k < NUMBERS; k++) {
      expect(index.row(1 + 7919 * k)).toBe(due.get(1 + 7919 * k) ?? -1)
    }
  }
})

test('ships keep what was received of them while others leave', () => {
  const { below } = createChance(testSeed('received ships'))
  const received = new ReceivedShips()
  const numbers = new Set<number>()
  for (let i = 0; i < CHANGES; i++) {
    const number = 1 + below(NUMBERS)
    if (below(10) < (i < CHANGES / 2 ? 8 : 3)) {
      const row = received.take(number)
      received.arcs.values[received.arcs.begin(row, i) + 1] = number
      received.hulls.values[received.hulls.begin(row, i) + 1] = -number
      numbers.add(number)
    } else if (numbers.delete(number)) received.remove(received.row(number))
    expect(received.count).toBe(numbers.size)
    if (i % 97 > 0) continue
    for (let k = 1; k <= NUMBERS; k++) {
      const row = received.row(k)
      expect(row >= 0).toBe(numbers.has(k))
      if (row < 0) continue
      expect(received.arcs.values[received.arcs.last(row) + 1]).toBe(k)
      expect(received.hulls.values[received.hulls.at(row, CHANGES) + 1]).toBe(-k)
    }
  }
})

test('a record holds from its start, and voids those that begin then or later', () => {
  const records = new Records(2)
  records.open(0)
  const received = (start: number, value: number): void => {
    records.values[records.begin(0, start) + 1] = value
  }
  const held = (time: number): number => records.values[records.at(0, time) + 1]
  received(10, 1)
  expect([held(5), held(15), records.kept[0]]).toEqual([1, 1, 1])
  received(20, 2)
  expect([held(5), held(19), held(20), records.kept[0]]).toEqual([1, 1, 2, 2])
  // The same again, and an earlier one: the last is written over.
  received(20, 3)
  expect([held(19), held(20), records.kept[0]]).toEqual([1, 3, 2])
  received(15, 4)
  expect([held(14), held(15), held(20), records.kept[0]]).toEqual([1, 4, 4, 2])
  received(10, 5)
  expect([held(5), held(12), held(20), records.kept[0]]).toEqual([5, 5, 5, 1])
  received(30, 6)
  received(40, 7)
  expect([held(20), held(30), held(39), held(40)]).toEqual([6, 6, 6, 7])
  records.open(0)
  expect(records.kept[0]).toBe(0)
  received(5, 8)
  expect([held(4), held(100), records.kept[0]]).toEqual([8, 8, 1])
})
