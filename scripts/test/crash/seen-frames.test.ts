// Law: a frame of an earlier index than one before is found, and nothing else is: where within a
// step of the lattice a moment lies, each owner has by its own clock. Method: invented frames.
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

test('moments that follow each other, and others of one index, are no step back', () => {
  expect(undone([7, 0], [7, 0.5], [7, 0.25], [8, 0])).toEqual([])
})

test('an earlier index is a step back', () => {
  expect(undone([7, 0], [9, 0], [8, 0.5], [9, 0], [8, 0.75])).toEqual([
    'sol is shown at 8 after 9',
    'sol is shown at 8 after 9',
  ])
})
