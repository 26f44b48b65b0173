import { readFileSync } from 'node:fs'
import { createChance, testSeed } from '@orrery/testkit'
import { expect, test } from 'vitest'
import {
  type BlockName,
  FRAME_BLOCKS,
  FrameError,
  type ReadFrame,
  createBlock,
  createFrameReader,
  frameHeader,
} from '../src/index.ts'

const reader = createFrameReader(FRAME_BLOCKS)

function frame(index: number, ...blocks: readonly { readonly bytes: Uint8Array }[]): ArrayBuffer {
  const parts = [frameHeader(7, index, blocks.length), ...blocks.map(({ bytes }) => bytes)]
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole.buffer
}

/** A block of every kind, each value another. */
function everyBlock(rows: number): ArrayBuffer {
  const blocks = FRAME_BLOCKS.map(({ name, columns }) => {
    const block = createBlock(name, rows)
    let value = 0
    for (const column of columns) {
      const view = (block.columns as unknown as Record<string, Float64Array>)[column.name]
      for (let i = 0; i < view.length; i++) view[i] = ++value
    }
    return block
  })
  return frame(42, ...blocks)
}

function codeOf(act: () => unknown): string {
  try {
    act()
  } catch (error) {
    if (error instanceof FrameError) return error.code
    throw error
  }
  return 'none'
}

function valuesOf({ blocks }: ReadFrame, wanted: BlockName): number[] {
  const block = blocks.find(({ name }) => name === wanted)!
  return Object.values(block.columns).flatMap((column: ArrayLike<number>) => Array.from(column))
}

test('every block reads as it was written, by views of the frame itself', () => {
  const bytes = everyBlock(3)
  const read = reader.read(bytes)
  expect([read.publication, read.index]).toEqual([7, 42])
  expect(read.blocks.map(({ name }) => name)).toEqual(FRAME_BLOCKS.map(({ name }) => name))
  for (const { name, columns } of FRAME_BLOCKS) {
    const values = valuesOf(read, name)
    const isByte = columns.flatMap(({ components, type }) =>
      Array.from({ length: 3 * components }, () => type === 'u8'),
    )
    expect(values).toEqual(values.map((_, i) => (isByte[i] ? (i + 1) % 256 : i + 1)))
  }
  for (const { columns } of read.blocks) {
    for (const column of Object.values(columns)) expect(column.buffer).toBe(bytes)
  }
})

test('a step of a coasting ship takes 80 bytes, a steadily burning one as many', () => {
  for (const name of ['steps', 'burns'] as const) {
    const [one, two] = [1000, 2000].map((rows) => createBlock(name, rows).bytes.length)
    expect(two - one).toBe(80_000)
  }
})

test('the table numbers the pointings that orders name, and a spin after them', () => {
  const { columns } = FRAME_BLOCKS.find(({ name }) => name === 'hulls')!
  expect(columns.find(({ name }) => name === 'pointing')!.unit).toBe(
    '0 hold, 1 prograde, 2 retrograde, 3 normal, 4 antinormal, 5 radial_out, 6 radial_in, ' +
      '7 target, 8 rest, 9 loose, 10 spin',
  )
})

test('WIRE.md has every block and column with its type, and the numbers of pointings', () => {
  const page = readFileSync(new URL('../WIRE.md', import.meta.url), 'utf8')
  for (const { name, columns } of FRAME_BLOCKS) {
    const [, rows = ''] = page.split(new RegExp(`^\\| [^|]*\`${name}\``, 'm'), 2)
    expect([name, rows]).not.toEqual([name, ''])
    // The core's own columns are those of `welcome`.
    if (name.startsWith('seed') && name !== 'seed') continue
    const [own] = rows.split(/^\| `/m)
    for (const { name: column, type, unit } of columns) {
      const isOf = (row: string): boolean =>
        row.split('|').at(-4)?.includes(`\`${column}\``) ?? false
      const row = own.split('\n').find(isOf) ?? ''
      const words = column === 'pointing' ? unit : type
      expect([column, row]).toEqual([column, expect.stringContaining(words)])
    }
  }
})

test('a client reads by the table of a server that has more columns and blocks', () => {
  const served = [
    {
      name: 'weather',
      kind: 200,
      columns: [{ name: 'wind', type: 'f64', components: 1, unit: '' }],
    },
    {
      name: 'checks',
      kind: 77,
      columns: [
        { name: 'extra', type: 'u8', components: 3, unit: '' },
        ...FRAME_BLOCKS.find(({ name }) => name === 'checks')!.columns,
      ],
    },
  ] as const
  const other = new Uint8Array(8 + 8)
  new Uint32Array(other.buffer).set([256 + 200, 8])
  const checks = new Uint8Array(8 + 8 + 8 + 8 + 8)
  new Uint32Array(checks.buffer).set([256 + 77, 32, 0, 0, 5, 0])
  new Float64Array(checks.buffer, 24, 1)[0] = 99
  const { blocks } = createFrameReader(served).read(frame(1, { bytes: other }, { bytes: checks }))
  expect(blocks).toHaveLength(1)
  expect(valuesOf({ publication: 0, index: 0, blocks }, 'checks')).toEqual([0, 0, 0, 5, 99, 0, 0])
})

test('a server without a column, or with another type, is refused by its name', () => {
  const lacking = FRAME_BLOCKS.map((block) =>
    block.name === 'left' ? { ...block, columns: [] } : block,
  )
  expect(() => createFrameReader(lacking)).toThrow('Column number of left is missing')
  expect(codeOf(() => createFrameReader(lacking))).toBe('ERR_FRAME_TABLE')
})

test('a frame that is cut, lengthened or of another version is refused by its own code', () => {
  const bytes = everyBlock(2)
  for (const end of [0, 3, 15, 20, bytes.byteLength - 8]) {
    expect(codeOf(() => reader.read(bytes.slice(0, end)))).toBe('ERR_FRAME_LENGTH')
  }
  const longer = new Uint8Array(bytes.byteLength + 8)
  longer.set(new Uint8Array(bytes))
  expect(codeOf(() => reader.read(longer.buffer))).toBe('ERR_FRAME_LENGTH')
  new DataView(bytes).setUint16(0, 2, true)
  expect(codeOf(() => reader.read(bytes))).toBe('ERR_FRAME_VERSION')
})

test('a mutated frame is read or refused with a code, and never reaches beyond its bytes', () => {
  const random = createChance(testSeed('mutated frames'))
  const bytes = new Uint8Array(everyBlock(2))
  let refused = 0
  for (let round = 0; round < 20_000; round++) {
    const mutated = bytes.slice(0, random.oneIn(5) ? random.below(bytes.length) : bytes.length)
    for (let i = random.below(6); i >= 0; i--) {
      // Half of the mutations hit a header, where they matter.
      mutated[random.below(random.oneIn(2) ? 64 : mutated.length)] = random.below(256)
    }
    if (codeOf(() => reader.read(mutated.buffer)) !== 'none') refused++
  }
  expect(refused).toBeGreaterThan(5000)
})
