// Goal: UTC and lattice time name the same instants. Method: published pairs, both sides of
// the leap second of 2016-12-31, the ends of the table, and round trips.
import {
  NODE_QUANTA,
  QUANTA_PER_SECOND,
  latticeFromUtc,
  quantaFromTdb,
  taiMinusUtc,
  utcFromLattice,
} from '@orrery/sim'
import { describe, expect, test } from 'vitest'

const utc = (text: string): number => Date.parse(text)

describe('time scales', () => {
  test('J2000.0 TDB is 2000-01-01T11:58:55.816 UTC', () => {
    expect(utcFromLattice(0)).toBe(utc('2000-01-01T11:58:55.816Z'))
    expect(latticeFromUtc(utc('2000-01-01T11:58:55.816Z'))).toBe(0)
    expect(quantaFromTdb(utc('2000-01-01T12:00:00Z'))).toBe(0)
  })

  test('TAI - UTC follows the published table', () => {
    const published = {
      '1960-01-01': 10,
      '1972-01-01': 10,
      '1972-06-30': 10,
      '1972-07-01': 11,
      '1980-01-01': 19,
      '1999-01-01': 32,
      '2005-12-31': 32,
      '2006-01-01': 33,
      '2016-12-31': 36,
      '2017-01-01': 37,
      '2050-12-31': 37,
    }
    const dates = Object.keys(published)
    const ours = dates.map((date) => [date, taiMinusUtc(utc(`${date}T00:00:00Z`))])
    expect(Object.fromEntries(ours)).toEqual(published)
  })

  test('2010-01-04T00:00:00 TDB is 66.184 s ahead of the same UTC reading', () => {
    const n = quantaFromTdb(utc('2010-01-04T00:00:00Z'))
    expect(n).toBe((2455200.5 - 2451545) * 86400 * QUANTA_PER_SECOND)
    const shown = utcFromLattice(n)
    expect(shown).toBe(utc('2010-01-03T23:58:53.816Z'))
  })

  test('the leap second of 2016-12-31 lasts one second and never runs back', () => {
    const before = latticeFromUtc(utc('2016-12-31T23:59:59Z'))
    const after = latticeFromUtc(utc('2017-01-01T00:00:00Z'))
    expect(after - before).toBe(2 * QUANTA_PER_SECOND)
    let last = utcFromLattice(before)
    for (let n = before; n <= after + 64; n++) {
      expect(utcFromLattice(n)).toBeGreaterThanOrEqual(last)
      last = utcFromLattice(n)
    }
    expect(utcFromLattice(before + 96)).toBe(utc('2017-01-01T00:00:00Z'))
  })

  test('an index survives the way to UTC and back', () => {
    for (let n = -20 * NODE_QUANTA * 1e5; n < 1e11; n += 987654321) {
      expect(latticeFromUtc(utcFromLattice(n))).toBe(n)
    }
  })
})
