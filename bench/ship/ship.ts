/**
 * A ship's flight: what methods, steps and the real step rule err in one revolution, and how many
 * ship-steps a second one thread makes.
 */
import type { Row } from '@orrery/testkit/report'
import { errorRows } from './error.ts'
import { speedRows } from './speed.ts'

export async function ship(): Promise<Row[]> {
  return [...(await speedRows()), ...errorRows()]
}
