// Mutated binary frames for the client's reader, and mutated texts for the server's parser, in this
// process: each is taken, or refused with a code.
import {
  FRAME_BLOCKS,
  FrameError,
  createBlock,
  createFrameReader,
  frameHeader,
  parseClientMessage,
} from '@orrery/protocol'
import type { Chance } from '@orrery/testkit'
import { fuzzMessage, messageExamples } from './messages.ts'

const HEADER_BYTES = 16
const BLOCK_BYTES_MIN = 8
const ROWS_MAX = 4
const MUTATIONS_MAX = 6

const REFUSALS = new Set(['E001', 'E030'])

/** How often which outcome came: `read`, `taken` or the code of a refusal. */
export type Outcomes = ReadonlyMap<string, number>

/** @throws what is not a FrameError, or an error when a frame is read beyond its bytes */
export function fuzzFrames(count: number, chance: Chance): Outcomes {
  const reader = createFrameReader(FRAME_BLOCKS)
  return outcomes(count, () => {
    const frame = mutatedFrame(chance)
    try {
      const { blocks } = reader.read(frame.buffer)
      if (BLOCK_BYTES_MIN * blocks.length > frame.length - HEADER_BYTES) {
        throw new Error(`${blocks.length} blocks in ${frame.length} bytes: ${hex(frame)}`)
      }
      for (const view of blocks.flatMap(({ columns }) => Object.values<ArrayBufferView>(columns))) {
        if (view.buffer !== frame.buffer) throw new Error(`A column is a copy: ${hex(frame)}`)
      }
      return 'read'
    } catch (error) {
      if (error instanceof FrameError) return error.code
      throw error
    }
  })
}

/** @throws an error when a text is neither taken as it stands nor refused with a reason */
export function fuzzTexts(count: number, chance: Chance): Outcomes {
  const examples = messageExamples()
  return outcomes(count, () => {
    const text = fuzzMessage(examples, chance).toString()
    const result = parseClientMessage(text)
    if (!result.ok) {
      const { code, message } = result.error
      if (!REFUSALS.has(code) || message === '') throw new Error(`${code} for ${text}`)
      return code
    }
    const taken = JSON.stringify(result.message)
    const again = parseClientMessage(taken)
    if (!again.ok || JSON.stringify(again.message) !== taken) {
      throw new Error(`Not the same message the next time: ${text}`)
    }
    return 'taken'
  })
}

function outcomes(count: number, once: () => string): Outcomes {
  const counts = new Map<string, number>()
  for (let i = 0; i < count; i++) {
    const outcome = once()
    counts.set(outcome, (counts.get(outcome) ?? 0) + 1)
  }
  return counts
}

/** A frame of random blocks, cut or with a few bytes changed, mostly where headers are. */
function mutatedFrame(chance: Chance): Uint8Array<ArrayBuffer> {
  const blocks = Array.from({ length: chance.below(5) }, () => {
    const { bytes } = createBlock(chance.pick(FRAME_BLOCKS).name, chance.below(ROWS_MAX))
    for (let i = BLOCK_BYTES_MIN; i < bytes.length; i += 3) bytes[i] = chance.below(256)
    return bytes
  })
  const index = chance.oneIn(9) ? chance.pick([NaN, Infinity, -1, 0.5, 1e300]) : chance.below(2e9)
  const parts = [frameHeader(chance.below(9), index, blocks.length), ...blocks]
  const frame = new Uint8Array(Buffer.concat(parts))
  const starts = [0]
  for (const { length } of parts) starts.push(starts.at(-1)! + length)
  for (let i = chance.below(MUTATIONS_MAX); i > 0; i--) {
    const at = chance.oneIn(3) ? chance.below(frame.length) : chance.pick(starts) + chance.below(8)
    if (at < frame.length) frame[at] = chance.oneIn(3) ? frame[at] + 1 : chance.below(256)
  }
  return chance.oneIn(8) ? frame.slice(0, chance.below(frame.length)) : frame
}

function hex(frame: Uint8Array): string {
  return Buffer.from(frame).toString('hex').slice(0, 400)
}
