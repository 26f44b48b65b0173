// Law: a copied row has all that a record of a hull has, whatever columns there are.
import { HULL_COLUMNS } from '@orrery/sim'
import { createChance, testSeed } from '@orrery/testkit'
import { expect, it } from 'vitest'
import { copyHull } from '../../src/trajectories/records.ts'
import { table } from '../../src/trajectories/rows.ts'

const ROWS = 4

it('a copied row of hulls has every column, and no other row changes', () => {
  const chance = createChance(testSeed('copied hulls'))
  const from = table(HULL_COLUMNS, ROWS)
  const to = table(HULL_COLUMNS, ROWS)
  for (const { name } of HULL_COLUMNS) {
    for (let i = 0; i < from[name].length; i++) from[name][i] = 1 + chance.below(200)
  }
  copyHull(to, 1, from, 2)
  for (const { name, components } of HULL_COLUMNS) {
    const zeros = Array.from({ length: components }, () => 0)
    const row = [...from[name].subarray(2 * components, 3 * components)]
    expect([...to[name]]).toEqual([...zeros, ...row, ...zeros, ...zeros])
  }
})
