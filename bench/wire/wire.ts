/** Binary frames beside JSON: bytes, fan-out, and what encoding and decoding cost. */
import { progress } from '@orrery/testkit/progress'
import type { Row } from '@orrery/testkit/report'
import { bytes, wideView } from './bytes.ts'
import { codec } from './codec.ts'
import { encode } from './encode.ts'
import { type FanOutOptions, fanOut, fastFanOut } from './fan-out.ts'

export interface WireOptions extends FanOutOptions {
  /** only the fan-out of binary frames at 10 Hz */
  readonly isBinaryOnly: boolean
}

export async function wire({ isBinaryOnly, ...options }: WireOptions): Promise<Row[]> {
  if (isBinaryOnly) return fastFanOut(options)
  const rows: Row[] = []
  for (const part of [encode, codec, bytes, wideView]) {
    progress.at(part.name)
    rows.push(...(await part()))
  }
  return [...rows, ...(await fanOut(options))]
}
