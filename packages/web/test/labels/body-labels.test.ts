// Law: the home is named in a view of the whole system, and unseen points near a body are not.
import { expect, test } from 'vitest'
import { BodyLabels } from '../../src/labels/body-labels.ts'
import type { LabelItem } from '../../src/view/label-source.ts'
import type { SceneBody } from '../../src/scene/scene-body.ts'
import { vector } from '@orrery/page-kit'

const bodies = [
  { name: 'Sun', kind: 'star', radius: 7e8, parent: -1 },
  { name: 'Venus', kind: 'planet', radius: 6e6, parent: 0 },
  { name: 'Earth', kind: 'planet', radius: 6.4e6, parent: 0 },
  { name: 'Ceres', kind: 'minor_planet', radius: 4.7e5, parent: 0 },
] as SceneBody[]

/** Places on the screen from the Sun's, and radii [px]. */
function labels(places: readonly number[], pixelRadii: readonly number[]): LabelItem[] {
  const source = new BodyLabels(
    {
      lens: { width: 1440, height: 900, pixelRatio: 1, focal: 1000 },
      project: (out, [x, y]) => Boolean(Object.assign(out, { x, y })),
    },
    {
      centres: places.map((x) => vector(x, 0, 1)),
      pixelRadii: Float64Array.from(pixelRadii),
    },
    { bodies, home: 2 },
  )
  return [...source.items()]
}

test.each([
  [12, ['Sun', 'Earth', 'Ceres'], 12 + 5],
  [-12, ['Sun', 'Earth', 'Ceres'], 5],
  [20, ['Sun', 'Earth', 'Ceres'], 20 + 5],
  [40, ['Sun', 'Earth', 'Ceres'], undefined],
  [2, ['Sun', 'Ceres'], undefined],
] as const)('%i px from its star, the home is beside the name of that', (x, named, leftBy) => {
  const shown = labels([0, 9, x, 60], [0.1, 0, 0, 0])
  expect(shown.map(({ text }) => text)).toEqual(named)
  expect(shown.find(({ text }) => text === 'Earth')?.leftBy).toBe(leftBy)
})

test.each([
  ['far from all bodies', [0.1, 0, 0, 0], false],
  ['near one', [1, 0, 200, 0.001], true],
  ['near it itself', [1, 0, 0.01, 100], false],
] as const)('a dwarf planet %s', (_, radii, isFaint) => {
  const ceres = labels([0, 300, 100, 600], radii).find(({ text }) => text === 'Ceres')
  expect(ceres?.isFaint).toBe(isFaint)
})
