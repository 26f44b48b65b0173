/** Binary frames beside JSON: bytes, fan-out, and what encoding and decoding cost. */
import { progress } from '@orrery/testkit/progress'
import type { Row } from '@orrery/testkit/report'
import { bytes, wideView } from './bytes.ts'
import { codec } from './codec.ts'
import { encode } from './encode.ts'
import { type FanOutOptions, fanOut } from './fan-out.ts'

export async function wire(options: FanOutOptions): Promise<Row[]> {
  const rows: Row[] = []
  for (const part of [encode, codec, bytes, wideView]) {
    progress.at(part.name)
    rows.push(...(await part()))
  }
  return [...rows, ...(await fanOut(options))]
}
