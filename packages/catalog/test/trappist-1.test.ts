// Goal: the planets of TRAPPIST-1 pass before their star when they should, which holds periods,
// masses, eccentricities and the post-Newtonian correction together. Method: times of transit
// from the ephemeris against the two tables of Agol et al. 2021: those of their best model, which
// the start state was made from, and their forecast to 2023 with its error.
import { STAR_SYSTEMS } from '@orrery/catalog'
import { byTier } from '@orrery/testkit/tier'
import { expect, test } from 'vitest'
import { passage } from './sky.ts'

const trappist1 = STAR_SYSTEMS.find(({ system }) => system.id === 'trappist-1')!

/** JD − 2,450,000 in TDB. @source github:ericagol/TRAPPIST1_Spitzer T1_maxlike_tt.txt */
const BEST_MODEL: readonly (readonly [string, number])[] = [
  ['b', 7259.061259526175],
  ['b', 8271.349689053794],
  ['e', 8105.642698570659],
  ['e', 8855.854582185271],
  ['f', 7266.27734330974],
  ['f', 8849.863378270209],
  ['g', 7270.070743073598],
  ['g', 8851.280198465689],
  ['h', 7268.378630928423],
  ['h', 8844.916133360559],
]

/** JD − 2,450,000 in TDB and one sigma [d]. @source Agol et al. 2021, table 15, in full there */
const FORECAST: readonly (readonly [string, number, number])[] = [
  ['b', 7898.160737, 0.000039],
  ['b', 10256.645934, 0.000885],
  ['c', 7302.180343, 0.00021],
  ['c', 10256.781928, 0.000836],
  ['d', 7528.405058, 0.000471],
  ['d', 10257.785349, 0.003044],
  ['e', 8154.448079, 0.000119],
  ['e', 10252.637599, 0.002895],
  ['f', 7975.215695, 0.000195],
  ['f', 10249.273465, 0.001701],
  ['g', 8060.656138, 0.000184],
  ['g', 10247.275019, 0.001464],
  ['h', 7962.863048, 0.0005],
  ['h', 10252.325699, 0.006348],
]

/** Of a table in which each planet has an early and a late row: at least all late ones. */
function tested<Row>(table: readonly Row[]): readonly Row[] {
  return byTier({ gate: table.filter((_, i) => i % 2 === 1), night: table })
}

/** Passages that differ from a table by more than its limit. */
function missed(table: readonly (readonly [string, number, number])[]): string[] {
  return table
    .map(([planet, day, limit]) => {
      const late = passage(trappist1, `TRAPPIST-1 ${planet}`, day + 2450000)
      return { planet, day, limit: limit * 86400, late }
    })
    .filter(({ late, limit }) => !(Math.abs(late) < limit))
    .map(({ planet, day, late, limit }) => `${planet} at ${day}: ${late} s, limit ${limit} s`)
}

test('transits of 2019, at night of 2015 too, are within 1.5 s of the model they come from', () => {
  const table = tested(BEST_MODEL).map(([planet, day]) => [planet, day, 1.5 / 86400] as const)
  expect(missed(table)).toEqual([])
})

test('transits of 2023, at night from 2015, happen within one sigma of the forecast', () => {
  expect(missed(tested(FORECAST))).toEqual([])
})
