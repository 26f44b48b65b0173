import type { SyntaxNode } from '@lezer/common'
import { type Program, children } from './program.ts'
import type { Value } from './values.ts'

const LITERAL = /^([A-Za-z]*)("""|'''|"|')([^]*)\2$/

const ESCAPE =
  /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|([0-7]{1,3})|(\r?\n)|([^]))/g

const SINGLES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' }

/**
 * The value of a string literal.
 *
 * @throws {DiagramsSourceError} for bytes
 */
export function pythonText(program: Program, node: SyntaxNode): string {
  const [, prefix, , content] = LITERAL.exec(program.textOf(node)) ?? []
  if (prefix === undefined || /b/i.test(prefix)) throw program.error(node, 'not a text')
  program.spend(node, content.length)
  return printable(/r/i.test(prefix) ? content : unescaped(content))
}

function unescaped(content: string): string {
  return content.replaceAll(ESCAPE, (escape: string, ...groups: (string | undefined)[]) => {
    const [x, u, long, octal, end, single = ''] = groups
    const hex = x ?? u ?? long
    if (hex !== undefined) return codePoint(Number.parseInt(hex, 16))
    if (octal !== undefined) return codePoint(Number.parseInt(octal, 8))
    if (end !== undefined || /[abfv]/.test(single)) return ''
    // Python keeps the backslash of an unknown escape.
    return SINGLES[single] ?? (/["'\\]/.test(single) ? single : escape)
  })
}

function codePoint(value: number): string {
  return value <= 0x10_ff_ff ? String.fromCodePoint(value) : ''
}

/** Removes control characters. */
function printable(text: string): string {
  // oxlint-disable-next-line no-control-regex -- these are what is looked for
  return text.toWellFormed().replaceAll(/[\0-\x08\x0b-\x1f\x7f\ufffe\uffff]/g, '')
}

/** A text that is formatted. */
export interface Formatting {
  readonly program: Program
  readonly node: SyntaxNode
  readonly show: (value: Value, isQuoted?: boolean) => string
}

/** The text of an f-string, whose replacements `value` evaluates. */
export function formatted(formatting: Formatting, value: (node: SyntaxNode) => Value): string {
  const { program, node } = formatting
  const [, prefix = '', quote = ''] = /^([A-Za-z]*)("""|'''|"|')/.exec(program.textOf(node)) ?? []
  const text = program.textOf(node)
  const plain = (from: number, to: number): string => {
    const part = text.slice(from - node.from, to - node.from).replaceAll(/([{}])\1/g, '$1')
    return printable(/r/i.test(prefix) ? part : unescaped(part))
  }
  const parts: string[] = []
  let from = node.from + prefix.length + quote.length
  for (const replacement of children(node).filter(({ name }) => name === 'FormatReplacement')) {
    const [, expression, ...rest] = children(replacement)
    const specification = rest.find(({ name }) => name === 'FormatSpec')
    const format = specification ? program.textOf(specification).slice(1) : ''
    const label = rest.some(({ name }) => name === '=') ? `${program.textOf(expression)}=` : ''
    parts.push(plain(from, replacement.from), label)
    const isQuoted = rest.some((part) => program.textOf(part) === '!r')
    const found = value(expression)
    parts.push(padded(formatting, format, isQuoted ? formatting.show(found, true) : found))
    from = replacement.to
  }
  parts.push(plain(from, node.to - quote.length))
  program.spend(node, text.length)
  return parts.join('')
}

/** `{}`, `{0}`, `{name}` and `{:>3}` of `str.format`. */
export function positionalFormatted(
  formatting: Formatting,
  pattern: string,
  given: ReadonlyMap<string, Value>,
): string {
  const { program, node } = formatting
  let next = 0
  return pattern.replaceAll(
    /\{\{|\}\}|\{(\w*)(?::([^{}]*))?\}/g,
    (all, name?: string, format = '') => {
      if (name === undefined) return all[0]
      const value = given.get(name === '' ? `${next++}` : name)
      if (value === undefined) throw program.error(node, `${all} has no value`)
      return padded(formatting, format, value)
    },
  )
}

/** `'%s %d' % (a, b)`. */
export function percentFormatted(formatting: Formatting, pattern: string, given: Value): string {
  const { program, node } = formatting
  const values = Array.isArray(given) ? [...given] : [given]
  return pattern.replaceAll(
    /%(?:%|\((\w+)\))?([-0]?\d*(?:\.\d+)?)([sdrif])?/g,
    (all, name, format, kind) => {
      if (all === '%%') return '%'
      const value = name && given instanceof Map ? given.get(name) : values.shift()
      if (kind === undefined || value === undefined) {
        throw program.error(node, `${all} has no value`)
      }
      const side = format.startsWith('-') ? '<' : typeof value === 'string' ? '>' : ''
      const rest = format.replace(/^-/, '') + (kind === 'f' ? 'f' : '')
      return padded(formatting, side + rest, value)
    },
  )
}

const FORMAT = /^(?:([^]?)([<>^]))?(0?)(\d{0,3})(,?)(?:\.(\d{1,2}))?([sdfx%]?)$/

/** A value in Python's format language: fill, side, width, precision, kind. */
function padded({ program, node, show }: Formatting, format: string, value: Value): string {
  const parts = FORMAT.exec(format)
  if (!parts) throw program.error(node, `not supported in diagrams: the format ${format}`)
  const [, fill = '', side, zero, width, comma, precision, kind] = parts
  let text = show(value)
  if (typeof value === 'number') {
    if (precision !== undefined || kind === 'f') text = value.toFixed(Number(precision ?? 6))
    if (kind === 'x') text = value.toString(16)
    if (kind === '%') text = `${(value * 100).toFixed(Number(precision ?? 6))}%`
    if (comma) text = text.replaceAll(/\B(?=(\d{3})+(?!\d))/g, ',')
  }
  const sign = zero === '0' ? '0' : fill || ' '
  const to = Number(width)
  if ((side ?? (typeof value === 'number' ? '>' : '<')) === '>') return text.padStart(to, sign)
  if (side === '^') return text.padStart((to + text.length) >> 1, sign).padEnd(to, sign)
  return text.padEnd(to, sign)
}
