import Table from 'cli-table3'
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

/** Rows under a heading, in columns; `none` in place of no rows. */
export function table(
  head: readonly string[],
  rows: readonly (readonly unknown[])[],
  none: string,
): string {
  if (rows.length === 0) return none
  const drawn = new Table({ chars: CHARS, style: STYLE, head: [...head] })
  for (const row of rows) drawn.push(row.map(plain))
  return trimmed(drawn.toString())
}

/** Names and their values, one pair in a line; a value may have colours of its own. */
export function facts(pairs: readonly (readonly [string, string])[]): string {
  const drawn = new Table({ chars: CHARS, style: STYLE })
  for (const [name, value] of pairs) drawn.push([name, value])
  return trimmed(drawn.toString())
}

/** Whether something is on. */
export function onOff(value: boolean): string {
  return value ? 'on' : 'off'
}

function trimmed(text: string): string {
  return text.replaceAll(/ +$/gm, '')
}
