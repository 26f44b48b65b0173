import { sourceError } from './render-error.ts'

const LITERAL = /^([A-Za-z]*)("""|'''|"|')([^]*)\2$/

const ESCAPE =
  /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|([0-7]{1,3})|(\r?\n)|([^]))/g

const SINGLES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  a: '',
  b: '',
  f: '',
  v: '',
}

/**
 * The text that a Python string literal stands for.
 *
 * @param line  of the literal, for the error
 * @throws {RenderError} for bytes
 */
export function pythonText(literal: string, line: number): string {
  const [, prefix, , content] = LITERAL.exec(literal) ?? []
  if (prefix === undefined || /b/i.test(prefix)) throw sourceError('not a text', line)
  if (/r/i.test(prefix)) return printable(content)
  const text = content.replaceAll(ESCAPE, (escape, x, u, long, octal, end, single: string) => {
    const hex = (x ?? u ?? long) as string | undefined
    if (hex !== undefined) return codePoint(Number.parseInt(hex, 16))
    if (octal !== undefined) return codePoint(Number.parseInt(octal as string, 8))
    if (end !== undefined) return ''
    // Python keeps the backslash of what is no escape.
    return SINGLES[single] ?? (/["'\\]/.test(single) ? single : escape)
  })
  return printable(text)
}

function codePoint(value: number): string {
  return value <= 0x10_ff_ff ? String.fromCodePoint(value) : ''
}

/** Control characters have no place in a picture. */
function printable(text: string): string {
  // oxlint-disable-next-line no-control-regex -- these are what is looked for
  return text.toWellFormed().replaceAll(/[\0-\x08\x0b-\x1f\x7f\ufffe\uffff]/g, '')
}
