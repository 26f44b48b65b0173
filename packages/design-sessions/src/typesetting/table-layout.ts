import type { Block, Inline, TableFit } from './pdf-input.ts'

type Table = Extract<Block, { readonly type: 'table' }>

/** Sizes of letters that are tried [pt], and the width of a page for them: upright, across. */
const UPRIGHT = [9, 8, 7].map((size) => ({ size, room: 481, isTurned: false }))
const ACROSS = [8, 7].map((size) => ({ size, room: 728, isTurned: true }))

/** A shorter table would leave a page across nearly empty. */
const ROWS_TURNED = 12

/** Margins of a cell [pt]. */
const INSET = 10.5

/**
 * A table whose words are whole in their columns, or broken between their parts: with smaller
 * letters, and on a page across where a long one must be. Tables with widths of their own, and
 * those that fit anyway, are unchanged.
 */
export function fittedTable(table: Table): Table {
  if (table.widths.some((share) => share > 0)) return table
  const columns = table.head.map((cell, i) => {
    const texts = table.rows.map((row) => textOf(row[i] ?? []))
    return columnNeeds([textOf(cell), ...texts])
  })
  const tried = table.rows.length < ROWS_TURNED ? UPRIGHT : [...UPRIGHT, ...ACROSS]
  const natural = sum(columns.map(({ line }) => line * UPRIGHT[0].size + INSET))
  if (natural <= UPRIGHT[0].room) return table
  const found = tried.find(({ size, room }) => leastWidth(columns, size) <= room)
  const fit = found ? fitOf(columns, found) : broken(columns, tried[tried.length - 1])
  return {
    ...table,
    fit,
    head: table.head.map(parted),
    rows: table.rows.map((row) => row.map(parted)),
  }
}

/** Where a long name can be broken: `serviceEndpoint0Name`, `a_b`, `a.b`, `a@b`. */
const PARTS = /(?<=[a-z\d])(?=[A-Z])|(?<=[_./@:-])(?=\w)/g

/** Allows breaks between the parts of long words. */
function parted(cell: readonly Inline[]): readonly Inline[] {
  return cell.map((part) => {
    if ('body' in part) return { ...part, body: parted(part.body) }
    return part.type === 'text' || part.type === 'code'
      ? { ...part, value: part.value.replaceAll(PARTS, '\u200b') }
      : part
  })
}

/** Widths of a column's longest word and line [em]. */
interface Needs {
  readonly word: number
  readonly line: number
}

function columnNeeds(texts: readonly string[]): Needs {
  const widest = (parts: readonly string[]): number =>
    parts.reduce((most, part) => Math.max(most, widthOf(part)), 0)
  return {
    word: widest(texts.flatMap((text) => text.split(/\s+/)).flatMap((word) => word.split(PARTS))),
    line: widest(texts.flatMap((text) => text.split('\n'))),
  }
}

function leastWidth(columns: readonly Needs[], size: number): number {
  return sum(columns.map(({ word }) => word * size + INSET))
}

/** Each column has its longest word; the rest goes to those with longer lines. */
function fitOf(
  columns: readonly Needs[],
  { size, room, isTurned }: (typeof UPRIGHT)[number],
): TableFit {
  const rest = room - leastWidth(columns, size)
  const wanted = columns.map(({ word, line }) => Math.min(line - word, ROW_MAX))
  const all = sum(wanted) || 1
  const widths = columns.map(({ word }, i) => word * size + INSET + (rest * wanted[i]) / all)
  return { size, isTurned, widths, isBroken: false }
}

/** A column with more than this counts as one with this [em]. */
const ROW_MAX = 60

/** Words may be broken anywhere: wide columns share what narrow ones leave. */
function broken(
  columns: readonly Needs[],
  { size, room, isTurned }: (typeof UPRIGHT)[number],
): TableFit {
  const needs = columns.map(({ word }) => word * size + INSET)
  const isNarrow = (need: number): boolean => need <= room / columns.length
  const left = room - sum(needs.filter(isNarrow))
  const wide = sum(needs.filter((need) => !isNarrow(need)))
  const widths = needs.map((need) => (isNarrow(need) ? need : (need / wide) * left))
  return { size, isTurned, widths, isBroken: true }
}

const NARROW = /[iljtfr.,:;|!'()[\]I -]/
const BROAD = /[A-Z@%&mwMW]|[^\0-\u02ff]/

/** About that of bold Arimo [em]. */
function widthOf(text: string): number {
  return sum(Array.from(text, (sign) => (BROAD.test(sign) ? 0.8 : NARROW.test(sign) ? 0.36 : 0.6)))
}

function textOf(parts: readonly Inline[]): string {
  return parts
    .map((part) => {
      if (part.type === 'break') return '\n'
      if (part.type === 'picture') return part.alt
      return 'value' in part ? part.value : textOf(part.body)
    })
    .join('')
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
