// Law: a frame of an earlier moment than one before is found, and nothing else is. Method: invented
// frames.
import type { TickMessage } from '@orrery/client'
import { expect, test } from 'vitest'
import { SeenFrames } from '../../cluster/seen-frames.ts'

/** Steps back that are found in frames at these moments. */
function undone(...moments: readonly (readonly [index: number, offset: number])[]): string[] {
  const seen = new SeenFrames()
  for (const [place, [index, offset]] of moments.entries()) {
    const frame = { era: 1, tick: place, index, offset, ships: [] }
    seen.saw('sol', frame as unknown as TickMessage, 100 * place)
  }
  return seen.undone
}

test('moments that follow each other, and one that is shown twice, are no step back', () => {
  expect(undone([7, 0], [7, 0.5], [7, 0.5], [8, 0])).toEqual([])
})

test('an earlier index and an earlier part of a step are steps back', () => {
  expect(undone([7, 0.5], [7, 0.25])).toEqual(['sol is shown at 7 + 0.25 after 7 + 0.5'])
  expect(undone([7, 0], [9, 0], [8, 0.5], [9, 0], [8, 0.75])).toEqual([
    'sol is shown at 8 + 0.5 after 9 + 0',
    'sol is shown at 8 + 0.75 after 9 + 0',
  ])
})
