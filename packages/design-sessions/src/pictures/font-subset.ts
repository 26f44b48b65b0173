import { deflateSync } from 'node:zlib'

// A TrueType font of some letters as WOFF: glyphs and widths, without hints and features.
// @source https://learn.microsoft.com/typography/opentype/spec/ , https://www.w3.org/TR/WOFF/

type Tables = ReadonlyMap<string, Buffer>

/** Flags of the components of a glyph. */
const WORDS = 0x1
const SCALE = 0x8
const MORE = 0x20
const SCALE_BOTH = 0x40
const MATRIX = 0x80
const INSTRUCTIONS = 0x100

/** The letters of a text that a TrueType font has, as WOFF; undefined if it has none of them. */
export function fontSubset(font: Buffer, text: string): Buffer | undefined {
  const tables = tablesOf(font)
  const glyphOf = characterMap(need(tables, 'cmap'))
  const known = [...new Set(text)]
    .flatMap((letter) => {
      const code = letter.codePointAt(0) ?? 0
      const glyph = glyphOf(code)
      return glyph > 0 ? [{ code, glyph }] : []
    })
    .toSorted((a, b) => a.code - b.code)
  if (known.length === 0) return undefined
  const { glyphs, ids } = glyphsOf(tables, [0, ...known.map(({ glyph }) => glyph)])
  const codes = known.map(({ code, glyph }) => [code, ids.get(glyph) ?? 0] as const)
  return woff(subsetTables(tables, [...ids.keys()], glyphs, codes))
}

function tablesOf(font: Buffer): Tables {
  return new Map(
    Array.from({ length: font.readUInt16BE(4) }, (_, i) => {
      const at = 12 + 16 * i
      const [offset, length] = [font.readUInt32BE(at + 8), font.readUInt32BE(at + 12)]
      return [font.toString('latin1', at, at + 4), font.subarray(offset, offset + length)] as const
    }),
  )
}

function need(tables: Tables, name: string): Buffer {
  const table = tables.get(name)
  if (!table) throw new Error(`The font has no table ${name}`)
  return table
}

/** The glyph of a character up to U+FFFF, 0 without one. */
function characterMap(cmap: Buffer): (code: number) => number {
  const records = Array.from({ length: cmap.readUInt16BE(2) }, (_, i) => 4 + 8 * i)
  const offsets = records.map((at) => cmap.readUInt32BE(at + 4))
  const map = cmap.subarray(offsets.find((offset) => cmap.readUInt16BE(offset) === 4))
  const count = map.readUInt16BE(6) / 2
  const column = (i: number, segment: number): number => 14 + i * count * 2 + segment * 2
  return (code) => {
    for (let i = 0; i < count; i++) {
      if (code > map.readUInt16BE(column(0, i))) continue
      const start = map.readUInt16BE(column(1, i) + 2)
      if (code < start) return 0
      const [delta, at] = [map.readUInt16BE(column(2, i) + 2), column(3, i) + 2]
      const range = map.readUInt16BE(at)
      const glyph = range === 0 ? code : map.readUInt16BE(at + range + 2 * (code - start))
      return glyph === 0 ? 0 : (glyph + delta) & 0xffff
    }
    return 0
  }
}

/** Glyphs without hints, and their new numbers by the old ones. */
function glyphsOf(
  tables: Tables,
  wanted: readonly number[],
): { readonly glyphs: readonly Buffer[]; readonly ids: ReadonlyMap<number, number> } {
  const [loca, glyf] = [need(tables, 'loca'), need(tables, 'glyf')]
  const isLong = need(tables, 'head').readInt16BE(50) === 1
  const offset = (id: number): number =>
    isLong ? loca.readUInt32BE(4 * id) : 2 * loca.readUInt16BE(2 * id)
  const ids = new Map<number, number>()
  for (const id of wanted) if (!ids.has(id)) ids.set(id, ids.size)
  const glyphs: Buffer[] = []
  // Components are added to the glyphs while these are read.
  for (const id of ids.keys()) {
    const glyph = Buffer.from(glyf.subarray(offset(id), offset(id + 1)))
    if (glyph.length === 0) glyphs.push(glyph)
    else if (glyph.readInt16BE(0) >= 0) glyphs.push(simpleGlyph(glyph))
    else {
      glyphs.push(
        compositeGlyph(glyph, (part) => {
          if (!ids.has(part)) ids.set(part, ids.size)
          return ids.get(part) ?? 0
        }),
      )
    }
  }
  return { glyphs, ids }
}

function simpleGlyph(glyph: Buffer): Buffer {
  const at = 10 + 2 * glyph.readInt16BE(0)
  const outline = glyph.subarray(at + 2 + glyph.readUInt16BE(at))
  return Buffer.concat([glyph.subarray(0, at), Buffer.alloc(2), outline])
}

function compositeGlyph(glyph: Buffer, idOf: (part: number) => number): Buffer {
  let at = 10
  for (let flags = MORE; flags & MORE;) {
    flags = glyph.readUInt16BE(at)
    glyph.writeUInt16BE(flags & ~INSTRUCTIONS, at)
    glyph.writeUInt16BE(idOf(glyph.readUInt16BE(at + 2)), at + 2)
    const scale = flags & SCALE ? 2 : flags & SCALE_BOTH ? 4 : flags & MATRIX ? 8 : 0
    at += 4 + (flags & WORDS ? 4 : 2) + scale
  }
  return glyph.subarray(0, at)
}

function subsetTables(
  tables: Tables,
  old: readonly number[],
  glyphs: readonly Buffer[],
  codes: readonly (readonly [code: number, glyph: number])[],
): Tables {
  const padded = glyphs.map((glyph) => Buffer.concat([glyph, Buffer.alloc(-glyph.length & 3)]))
  const loca = Buffer.alloc(4 * (glyphs.length + 1))
  padded.reduce(
    (end, { length }, i) => loca.writeUInt32BE(end + length, 4 * (i + 1)) && end + length,
    0,
  )
  const changed = (name: string, write: (table: Buffer) => void): [string, Buffer] => {
    const table = Buffer.from(need(tables, name))
    write(table)
    return [name, table]
  }
  const [hmtx, metrics] = [need(tables, 'hmtx'), need(tables, 'hhea').readUInt16BE(34)]
  const widths = old.map((id) => {
    const entry = Buffer.alloc(4)
    entry.writeUInt16BE(hmtx.readUInt16BE(4 * Math.min(id, metrics - 1)))
    const side = id < metrics ? 4 * id + 2 : 4 * metrics + 2 * (id - metrics)
    entry.writeInt16BE(hmtx.readInt16BE(side), 2)
    return entry
  })
  return new Map([
    ['OS/2', need(tables, 'OS/2')],
    ['cmap', characterTable(codes)],
    ['glyf', Buffer.concat(padded)],
    changed('head', (head) => head.writeInt16BE(1, 50)),
    changed('hhea', (hhea) => hhea.writeUInt16BE(old.length, 34)),
    ['hmtx', Buffer.concat(widths)],
    ['loca', loca],
    changed('maxp', (maxp) => maxp.writeUInt16BE(old.length, 4)),
    // No names: format, count, offset.
    ['name', Buffer.from([0, 0, 0, 0, 0, 6])],
    // Version 3 has no names of glyphs.
    ['post', Buffer.concat([Buffer.from([0, 3, 0, 0]), need(tables, 'post').subarray(4, 32)])],
  ])
}

/** A table of format 4 with a segment for each character. */
function characterTable(codes: readonly (readonly [code: number, glyph: number])[]): Buffer {
  const segments = [...codes, [0xffff, 0] as const]
  const count = segments.length
  const selector = Math.floor(Math.log2(count))
  const range = 2 * 2 ** selector
  const header = [0, 1, 3, 1, 0, 12]
  const format = [4, 16 + 8 * count, 0, 2 * count, range, selector, 2 * count - range]
  const words = [
    ...header,
    ...format,
    ...segments.map(([code]) => code),
    0,
    ...segments.map(([code]) => code),
    ...segments.map(([code, glyph]) => (glyph - code) & 0xffff),
    ...segments.map(() => 0),
  ]
  const table = Buffer.alloc(2 * words.length)
  words.forEach((word, i) => table.writeUInt16BE(word, 2 * i))
  return table
}

const HEADER = 44
const ENTRY = 20
const TRUE_TYPE = 0x10000

function woff(tables: Tables): Buffer {
  const header = Buffer.alloc(HEADER + ENTRY * tables.size)
  const bodies: Buffer[] = []
  let offset = header.length
  let fontSize = 12 + 16 * tables.size
  for (const [i, [name, table]] of [...tables].entries()) {
    const packed = deflateSync(table)
    const body = packed.length < table.length ? packed : table
    const at = HEADER + ENTRY * i
    header.write(name, at, 'latin1')
    header.writeUInt32BE(offset, at + 4)
    header.writeUInt32BE(body.length, at + 8)
    header.writeUInt32BE(table.length, at + 12)
    header.writeUInt32BE(checksum(table), at + 16)
    bodies.push(body, Buffer.alloc(-body.length & 3))
    offset += body.length + (-body.length & 3)
    fontSize += table.length + (-table.length & 3)
  }
  header.write('wOFF', 0, 'latin1')
  header.writeUInt32BE(TRUE_TYPE, 4)
  header.writeUInt32BE(offset, 8)
  header.writeUInt16BE(tables.size, 12)
  header.writeUInt32BE(fontSize, 16)
  header.writeUInt16BE(1, 20)
  return Buffer.concat([header, ...bodies])
}

function checksum(table: Buffer): number {
  const padded = Buffer.concat([table, Buffer.alloc(-table.length & 3)])
  let sum = 0
  for (let i = 0; i < padded.length; i += 4) sum = (sum + padded.readUInt32BE(i)) >>> 0
  return sum
}
