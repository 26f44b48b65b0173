// Law: the columns of ships are found where an object has them, without a look for their names.
// Method: the engine says which objects it keeps as tables of names.
import { setFlagsFromString } from 'node:v8'
import { runInThisContext } from 'node:vm'
import { expect, test } from 'vitest'
import { SHIP_COLUMNS } from '../../src/state/layout.ts'
import { columnBytes, columnViews } from '../../src/state/state.ts'

setFlagsFromString('--allow-natives-syntax')
const isFast = runInThisContext('(one) => %HasFastProperties(one)') as (one: object) => boolean

test('no look-up of a name is needed for a column of ships', () => {
  const views = columnViews(SHIP_COLUMNS, new ArrayBuffer(columnBytes(SHIP_COLUMNS, 64)), 0, 64)
  expect(isFast(views)).toBe(true)
  expect(Object.keys(views)).toEqual(SHIP_COLUMNS.map(({ name }) => name))
})
