/** Binary frames: what encoding and decoding cost. */
import type { Row } from './report.ts'
import { codec } from './wire/codec.ts'
import { encode } from './wire/encode.ts'

export async function wire(): Promise<Row[]> {
  return [...(await encode()), ...(await codec())]
}
