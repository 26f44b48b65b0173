import { expect, it } from 'vitest'
import { createChance, testSeed } from '@orrery/testkit/chance'
import { FollowedRows } from '../../src/following/followed-rows.ts'
import {
  type RowsMessage,
  type StreamMessage,
  type StreamedRow,
  type Watermark,
  decodeStreamMessage,
  encodeStreamMessage,
} from '../../src/streaming/stream-message.ts'

const rowsOf = (from: number, to: number, fence = 3): RowsMessage => ({
  kind: 'rows',
  era: 2,
  fence,
  rows: Array.from({ length: to - from + 1 }, (_, place) => {
    const command = { kind: 'rename_ship', shipId: 'a', name: `Ida ${place} ✨` }
    return { sequence: from + place, index: 64 * (from + place), command }
  }),
})

const markAt = (sequence: number, index: number, fence = 3): Watermark => {
  const time = { tick: index, tickRate: 10, timeScale: 1, paused: false }
  return { kind: 'mark', era: 2, fence, sequence, index, remainder: ['1', '3'], ...time }
}

const opened = (): FollowedRows => new FollowedRows({ era: 2, systemId: 'sol' }, 10)

const sequences = (rows: FollowedRows, index = Infinity): number[] =>
  rows.rowsUntil(index).map(({ sequence }) => sequence)

it('a message arrives as it was sent, or is refused by name when it is cut or damaged', () => {
  const chance = createChance(testSeed('stream messages'))
  for (const message of [rowsOf(11, 14), markAt(14, 900)]) {
    const payload = encodeStreamMessage(message)
    expect(decodeStreamMessage(payload)).toEqual(message)
    const damaged = Array.from({ length: 500 }, () => {
      const copy = Uint8Array.from(payload)
      copy[chance.below(copy.length)] ^= 1 << chance.below(8)
      return copy
    })
    const cut = Array.from(payload, (_, length) => payload.subarray(0, length))
    const foreign = encodeStreamMessage({ ...message, kind: 'other' } as unknown as StreamMessage)
    for (const bytes of [...damaged, ...cut, foreign]) {
      expect(() => decodeStreamMessage(bytes)).toThrow(
        expect.objectContaining({ name: 'StreamError', code: 'ERR_STREAM_DAMAGED' }),
      )
    }
  }
})

it('rows come out once and in order, whether repeated, overlapping or late', () => {
  const rows = opened()
  for (const message of [rowsOf(9, 12), rowsOf(11, 12), rowsOf(12, 14)]) rows.take(message)
  expect(sequences(rows)).toEqual([11, 12, 13, 14])
  rows.take(rowsOf(13, 15))
  expect(sequences(rows)).toEqual([15])
  expect(rows.isLost).toBe(false)
})

it('a gap is healed by the journal, and what waits behind it is not flown before', () => {
  const rows = opened()
  for (const message of [rowsOf(11, 11), rowsOf(13, 13), rowsOf(12, 12)]) rows.take(message)
  expect(rows.isLost).toBe(true)
  expect(sequences(rows)).toEqual([11, 12])
  rows.found(13)
  expect(rows.isLost).toBe(false)
  rows.take(rowsOf(14, 14))
  expect(sequences(rows)).toEqual([14])
})

it('a watermark never leads past commands that are missing, and never back', () => {
  const rows = opened()
  rows.take(markAt(10, 700))
  expect(rows.wholeMark()?.index).toBe(700)
  rows.take(rowsOf(11, 11))
  rows.take(markAt(11, 800))
  expect(rows.wholeMark()?.index).toBe(800)
  rows.take(markAt(13, 900))
  rows.take(markAt(11, 800))
  expect(rows.wholeMark()).toBe(undefined)
  expect(rows.isLost).toBe(true)
  rows.found(13)
  expect(rows.wholeMark()?.index).toBe(900)
})

it('rows that act at once after an index stay, and all behind them', () => {
  const rows = opened()
  const [late] = rowsOf(12, 12).rows
  const control = (sequence: number): StreamedRow => {
    return { sequence, index: 64 * sequence, command: { kind: 'control' } }
  }
  rows.take({ ...rowsOf(11, 11), rows: [control(11), late, control(13)] })
  expect(sequences(rows, late.index - 1)).toEqual([11])
  expect(sequences(rows, late.index)).toEqual([12, 13])
})

it('messages of a lower fence and of an earlier era are dropped', () => {
  const rows = opened()
  rows.take(markAt(10, 900, 3))
  rows.take(markAt(10, 640, 4))
  for (const late of [markAt(10, 1000, 3), rowsOf(11, 11, 3)]) rows.take(late)
  rows.take({ ...markAt(10, 1000, 4), era: 1 })
  expect(rows.mark?.index).toBe(640)
  expect(sequences(rows)).toEqual([])
  expect(rows.isLost).toBe(false)
  rows.take({ ...rowsOf(11, 11, 5), era: 3 })
  expect(sequences(rows)).toEqual([])
  expect(rows.isLost).toBe(true)
})
