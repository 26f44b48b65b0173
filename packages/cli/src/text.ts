import Table from 'cli-table3'
import { Help } from 'commander'
import { stripVTControlCharacters } from 'node:util'

/** A text of the server without what a terminal would act on. */
export function plain(value: unknown): string {
  return stripVTControlCharacters(String(value)).replaceAll(/\p{Cc}/gu, '\u{fffd}')
}

/** A text with one full stop at its end. */
export function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`
}

/** The lines that a table of the library draws around its cells: none. */
const LINES = ['top', 'bottom', 'left', 'mid', 'right'].flatMap((side) =>
  side === 'right' ? [side, 'right-mid'] : [side, `${side}-mid`, `${side}-left`, `${side}-right`],
)
const CHARS = { ...Object.fromEntries(LINES.map((name) => [name, ''])), middle: '  ' }

const STYLE = { 'padding-left': 0, 'padding-right': 0, head: [], border: [] }

/** Columns of the terminal; undefined without a terminal and COLUMNS. */
export function terminalWidth(): number | undefined {
  const columns = (process.stdout.columns as number | undefined) ?? Number(process.env['COLUMNS'])
  return columns > 0 ? columns : undefined
}

/** A text in lines of at most that many columns, save a longer word. */
export function wrapped(text: string, columns: number): string {
  return Object.assign(new Help(), { minWidthToWrap: 1 }).boxWrap(text, Math.max(1, columns))
}

/**
 * Rows under a heading, in columns; `none` in place of no rows. Rows that are wider than the
 * terminal are shown one below the other, a line for each value.
 */
export function table(
  head: readonly string[],
  rows: readonly (readonly unknown[])[],
  none: string,
): string {
  if (rows.length === 0) return none
  const drawn = new Table({ chars: CHARS, style: STYLE, head: [...head] })
  for (const row of rows) drawn.push(row.map(plain))
  const text = drawn.toString()
  const width = terminalWidth() ?? Infinity
  // The head has all columns at their widths, and no wide characters.
  if (text.indexOf('\n') <= width) return trimmed(text)
  return rows.map((row) => facts(head.map((name, i) => [name, plain(row[i])]))).join('\n\n')
}

/** Names and their values, one pair in a line; a value may have colours of its own. */
export function facts(pairs: readonly (readonly [string, string])[]): string {
  const width = terminalWidth() ?? Infinity
  const nameWidth = Math.max(...pairs.map(([name]) => name.length))
  const lines = pairs.map(([name, value]) => {
    const isFitting = nameWidth + 2 + stripVTControlCharacters(value).length <= width
    if (isFitting) return `${name.padEnd(nameWidth)}  ${value}`
    return `${name}\n${wrapped(value, width - 2).replaceAll(/^/gm, '  ')}`
  })
  return trimmed(lines.join('\n'))
}

/** Whether something is on. */
export function onOff(value: boolean): string {
  return value ? 'on' : 'off'
}

function trimmed(text: string): string {
  return text.replaceAll(/ +$/gm, '')
}
