import { QUANTA_PER_SECOND } from './lattice.ts'

/**
 * UTC is a view of simulation time: lattice ↔ TDB ≈ TT = TAI + 32.184 s = UTC + leap seconds.
 * TDB - TT stays under 1.7 ms and is neglected. UTC is counted as Unix time, in milliseconds.
 */

/** [s] @source IAU 1991 recommendation IV */
export const TT_MINUS_TAI = 32.184

/** Unix time of the calendar date 2000-01-01T12:00:00 in any scale [ms]. */
export const J2000_UNIX_MS = 946728000000

/** TAI - UTC on 1972-01-01 [s]; each later entry of the table adds one. */
const FIRST_TAI_MINUS_UTC = 10

const DAY_MS = 86400000

/**
 * Days since 1970-01-01 at whose start TAI - UTC took the values 10, 11, ... 37 s.
 *
 * @source IERS Bulletin C and https://www.ietf.org/timezones/data/leap-seconds.list: 1972-01-01,
 *   1972-07-01, each 1 January from 1973 to 1980, each 1 July from 1981 to 1983, 1985-07-01,
 *   1988-01-01, 1990-01-01, 1991-01-01, 1992-07-01, 1993-07-01, 1994-07-01, 1996-01-01,
 *   1997-07-01, 1999-01-01, 2006-01-01, 2009-01-01, 2012-07-01, 2015-07-01, 2017-01-01
 */
const LEAP_DAYS: readonly number[] = [
  730, 912, 1096, 1461, 1826, 2191, 2557, 2922, 3287, 3652, 4199, 4564, 4929, 5660, 6574, 7305,
  7670, 8217, 8582, 8947, 9496, 10043, 10592, 13149, 14245, 15522, 16617, 17167,
]

/**
 * Leap seconds in force [s]: 10 before the table begins in 1972, 37 after it ends in 2017.
 *
 * @param unixMs  UTC
 */
export function taiMinusUtc(unixMs: number): number {
  const days = unixMs / DAY_MS
  const entry = LEAP_DAYS.findLastIndex((day) => day <= days)
  return FIRST_TAI_MINUS_UTC + Math.max(0, entry)
}

/** The nearest lattice index to a UTC instant [Unix ms]. */
export function latticeFromUtc(unixMs: number): number {
  return Math.floor(quantaFromTdb(unixMs + 1000 * taiMinusUtc(unixMs) + 32184) + 0.5)
}

/**
 * UTC of a lattice index [Unix ms, a multiple of 1/8]. During a leap second, which Unix time
 * cannot name, it stays at the following midnight, so that it never runs back.
 */
export function utcFromLattice(n: number): number {
  const tai = J2000_UNIX_MS + n * (1000 / QUANTA_PER_SECOND) - 32184
  for (let entry = LEAP_DAYS.length - 1; entry >= 0; entry--) {
    const start = LEAP_DAYS[entry] * DAY_MS
    const offset = 1000 * (FIRST_TAI_MINUS_UTC + entry)
    if (tai >= start + offset) return tai - offset
    if (entry > 0 && tai >= start + offset - 1000) return start
  }
  return tai - 1000 * FIRST_TAI_MINUS_UTC
}

/**
 * Quanta since J2000.0, with fraction, of a TDB calendar date counted as if it were Unix time.
 * Its last bit is 0.24 µs: positions that must be finer take whole quanta and offset apart.
 */
export function quantaFromTdb(calendarMs: number): number {
  return ((calendarMs - J2000_UNIX_MS) * QUANTA_PER_SECOND) / 1000
}
