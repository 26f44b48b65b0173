/**
 * The massive bodies of the solar system: what each method costs and errs, what is conserved
 * over the years, the distance of the bodies from JPL, and how fast the engine makes nodes.
 */
import type { Row } from '@orrery/testkit/report'
import { jplRows } from './jpl.ts'
import { methodRows } from './methods.ts'
import { speedRows } from './speed.ts'
import { yearRows } from './years.ts'

/** @param years  length of the long run from J2000 */
export async function ephemeris(years: number): Promise<Row[]> {
  if (!(years > 0)) throw new RangeError(`A run of ${years} years when a positive number is due.`)
  return [...(await speedRows()), ...methodRows(), ...(await jplRows()), ...(await yearRows(years))]
}
