/** What Mermaid's older parsers add to an error. */
interface Hash {
  readonly text: string
  /** of the end of the faulty token, from 0 */
  readonly line: number
}

/** Removed by Mermaid before it parses, with the white space before the rest. */
const COMMENT = /^\s*%%(?!\{)[^\n]*\n?/gm

/** Words that no node can have as its name. */
const KEYWORD = /^(?:end|graph|flowchart|subgraph|style|linkStyle|classDef|class|click)$/

interface Hint {
  /** of the faulty token */
  readonly of?: RegExp
  /** of its line */
  readonly at?: RegExp
  /** of the whole source */
  readonly within?: RegExp
  readonly says: string
}

/** Of a line that is looked at: patterns take the square of its length. */
const LINE_MAX = 500

/** The first that fits counts. */
const HINTS: readonly Hint[] = [
  { at: /"[^"[({|]*"\s*\w/, says: 'A quote inside of a text is written #quot;' },
  { of: /^[([{)\]}]+$/, says: 'A text with brackets needs quotes: a["Text (more)"]' },
  { at: /\w\[[/\\]/, says: 'A text that begins with a slash needs quotes: a["/path"]' },
  { at: /^\s*\S.*%%/, says: 'A comment %% stands on a line of its own' },
  // With more after it, and not the end of a code such as `#quot;`.
  { at: /(?<![#&]\w*);[ \t]*\S/, says: '`;` ends a statement: in a text it is written #59;' },
  { at: /[|}][|o](?:--|\.\.)[|o][|{][^:]*$/, says: 'A relation needs a label: A ||--o{ B : has' },
  {
    of: /^$/,
    at: /\w\s*--?>>?[+-]?\s*\w[^:]*$/,
    within: /^\s*sequenceDiagram\b/m,
    says: 'A message needs a colon: A->>B: text',
  },
]

/** What a parser takes instead: dozens of its own words. */
const EXPECTED = /\nExpecting .*/

/**
 * The message of a parser's error, with the line in the source as it was given.
 *
 * @param source  whose settings are blank
 */
export function parseFault(source: string, error: unknown): string {
  const message = messageOf(error)
  const text = source.replaceAll('\r\n', '\n')
  const numbers = parsedLines(text)
  const original = (line: number): number => numbers[line - 1] ?? numbers.at(-1) ?? line
  const hash = hashOf(error)
  if (!hash) {
    return message.replaceAll(
      /\bline (\d+)/g,
      (_, line: string) => `line ${original(Number(line))}`,
    )
  }
  // A token can begin or end with line breaks.
  const breaks = (hash.text.trimStart() || hash.text).split('\n').length - 1
  const line = original(hash.line + 1 - breaks)
  const faulty = (text.split('\n')[line - 1] ?? '').slice(0, LINE_MAX)
  const said = hint(hash.text.trim(), faulty, text)
  const named = message.replace(/\bline \d+/, `line ${line}`)
  return said === '' ? named : named.replace(EXPECTED, '') + said
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** The first sentence about front matter that is no YAML, with its line in the source. */
export function yamlFault(firstLine: number, error: unknown): string {
  const [, reason, line] = /^(.*?) \((\d+):\d+\)/.exec(messageOf(error)) ?? []
  return line === undefined ? messageOf(error) : `line ${firstLine + Number(line) - 1}: ${reason}`
}

function hashOf(error: unknown): Hash | undefined {
  const { hash } = error as { readonly hash?: Partial<Hash> }
  return typeof hash?.line === 'number' && typeof hash.text === 'string'
    ? { text: hash.text, line: hash.line }
    : undefined
}

/** @param line  of the source */
function hint(text: string, line: string, source: string): string {
  if (KEYWORD.test(text)) {
    return `\n\`${text}\` is a word of Mermaid: give it another name, such as ${text}_`
  }
  if (/^[ox](?:--|==|-\.)/.test(text)) {
    const end = text.startsWith('o') ? 'circle' : 'cross'
    return `\n\`${text}\` is an edge that begins with a ${end}: write a blank before the edge`
  }
  const found = HINTS.find(
    (one) => fits(one.of, text) && fits(one.at, line) && fits(one.within, source),
  )
  return found ? `\n${found.says}` : ''
}

const fits = (pattern: RegExp | undefined, text: string): boolean => pattern?.test(text) !== false

/** The numbers, in a source, of the lines that Mermaid parses. */
function parsedLines(source: string): readonly number[] {
  const numbers: number[] = []
  let number = 1
  let isNew = true
  const keep = (text: string): void => {
    for (const sign of numbers.length === 0 ? text.trimStart() : text) {
      if (isNew) numbers.push(number)
      isNew = sign === '\n'
      if (isNew) number++
    }
  }
  let at = 0
  for (const { 0: comment, index } of source.matchAll(COMMENT)) {
    const text = source.slice(at, index)
    if (numbers.length === 0) number += leadingBreaks(text)
    keep(text)
    number += comment.split('\n').length - 1
    at = index + comment.length
  }
  if (numbers.length === 0) number += leadingBreaks(source.slice(at))
  keep(source.slice(at))
  return numbers
}

function leadingBreaks(text: string): number {
  return text.slice(0, text.length - text.trimStart().length).split('\n').length - 1
}
