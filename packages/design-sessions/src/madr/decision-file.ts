import { type Line, fencedLines, isFence } from '../markdown/fenced-lines.ts'

/** The metadata between two lines of dashes at the start of a Markdown file. */
export interface FrontMatter {
  /** by key, each as one line without quotes */
  readonly values: ReadonlyMap<string, string>
  /** unchanged lines by key, including the lines of lists */
  readonly lines: ReadonlyMap<string, readonly string[]>
  readonly body: string
}

const ENTRY = /^([A-Za-z][\w-]*):([^]*)$/

/**
 * Parses the subset of YAML in decision files; invalid YAML is accepted, because real files hold
 * it.
 */
export function frontMatter(source: string): FrontMatter {
  const lines = new Map<string, string[]>()
  const [first, ...others] = source.split('\n')
  const end = others.findIndex((line) => line.trimEnd() === '---')
  if (first.trimEnd() !== '---' || end === -1) return { values: new Map(), lines, body: source }
  let key = ''
  for (const line of others.slice(0, end)) {
    if (line.startsWith('#')) continue
    const [, name] = ENTRY.exec(line) ?? []
    key = name?.toLowerCase() ?? key
    const all = lines.get(key)
    if (all) all.push(line.trimEnd())
    else lines.set(key, [line.trimEnd()])
  }
  const values = [...lines].map(
    ([name, [line]]) => [name, unquoted(ENTRY.exec(line)?.[2] ?? '')] as const,
  )
  return { values: new Map(values), lines, body: others.slice(end + 1).join('\n') }
}

export function unquoted(value: string): string {
  const text = value.trim()
  if (/^"[^]*"$/.test(text)) {
    try {
      return String(JSON.parse(text))
    } catch {
      // YAML has more escapes than JSON.
      return text.slice(1, -1)
    }
  }
  return /^'[^]*'$/.test(text) ? text.slice(1, -1).replaceAll("''", "'") : text
}

/** `other` has no field of its own. */
export type Subject =
  | 'status'
  | 'context'
  | 'drivers'
  | 'options'
  | 'decision'
  | 'consequences'
  | 'arguments'
  | 'other'

export interface Section {
  readonly subject: Subject
  /** its first line; empty for the text before all others */
  readonly heading: string
  /** first section with the standard name of its subject: its heading is dropped */
  readonly main: boolean
  readonly text: string
}

/** A decision file in sections. */
export interface DecisionFile {
  /** the heading of level 1, without its mark */
  readonly title: string | undefined
  readonly sections: readonly Section[]
}

const CONSEQUENCES: readonly (readonly [string, Subject])[] = [
  ['consequences', 'consequences'],
  ['positive consequences', 'consequences'],
  ['negative consequences', 'consequences'],
]

const SUBJECTS: ReadonlyMap<string, Subject> = new Map([
  ['status', 'status'],
  ['context', 'context'],
  ['context and problem statement', 'context'],
  ['decision drivers', 'drivers'],
  ['considered options', 'options'],
  ['decision', 'decision'],
  ['decision outcome', 'decision'],
  ['pros and cons of the options', 'arguments'],
  ...CONSEQUENCES,
])

/** Headings of level 3 that begin a section below a decision. */
const SUBSECTIONS: ReadonlyMap<string, Subject> = new Map([
  ...CONSEQUENCES,
  ['confirmation', 'decision'],
])

const HEADING = /^ {0,3}(#{1,3})[ \t]+(\S[^]*)$/

/** Preserves the empty lines at the ends of a text between two of them; never shown. */
const GUARD = '<!-- as it is -->'

interface Start {
  readonly level: number
  readonly name: string
  readonly subject: Subject
}

/** The section that a line can begin, in any context. */
function startOf(line: string): Start | undefined {
  if (!line.includes('##')) return undefined
  const [, { length: level } = '', rest = ''] = HEADING.exec(line) ?? []
  // Templates mark optional sections by a comment.
  const [words] = rest.split('<!--', 1)
  const name = words.replaceAll(/[#:]/g, '').trim().toLowerCase()
  if (level === 2) return { level, name, subject: SUBJECTS.get(name) ?? 'other' }
  const subject = level === 3 ? SUBSECTIONS.get(name) : undefined
  return subject && { level, name, subject }
}

/** Whether a section begins after the current one. */
function begins(start: Start, current: Start | undefined): boolean {
  if (start.level === 2) return true
  if (start.name === 'confirmation') return current?.level === 3
  return current?.subject === 'decision' || current?.level === 3
}

/** Splits a decision file in the form of Nygard or MADR. */
export function decisionFile(source: string): DecisionFile {
  let title: string | undefined
  let current: Start | undefined
  let lines: string[] = []
  const found: { heading: string; start: Start | undefined; lines: string[] }[] = [
    { heading: '', start: undefined, lines },
  ]
  for (const line of fencedLines(source.split('\n'))) {
    const start = line.role === 'text' ? startOf(line.text) : undefined
    if (start && begins(start, current)) {
      current = start
      lines = []
      found.push({ heading: line.text.trim(), start, lines })
      continue
    }
    const [, mark, rest] = current || line.role !== 'text' ? [] : (HEADING.exec(line.text) ?? [])
    if (title === undefined && mark === '#') title = rest.trim()
    else lines.push(unescaped(line))
  }
  const seen = new Set<Subject>()
  const sections = found.map(({ heading, start, lines }) => {
    const subject = start?.subject ?? 'other'
    const isMain = !/^(?:positive|negative|confirmation)/.test(start?.name ?? '')
    const main = isMain && !seen.has(subject)
    if (main) seen.add(subject)
    return { subject, heading, main, text: unguarded(lines) }
  })
  return { title, sections }
}

/** The text of a field as a section that contains no start of another one. */
export function sectionText(text: string, { quoted }: { readonly quoted: boolean }): string {
  const shown = quoted ? fencedLines(text.split('\n')).map(escaped).join('\n') : text
  return unguarded(shown.split('\n')) === shown ? shown : [GUARD, shown, GUARD].join('\n')
}

/** Strips empty lines at both ends, or returns the lines between two guards. */
function unguarded(lines: readonly string[]): string {
  let from = 0
  let to = lines.length
  while (from < to && lines[from].trim() === '') from += 1
  while (from < to && lines[to - 1].trim() === '') to -= 1
  const isGuarded = to - from > 1 && lines[from] === GUARD && lines[to - 1] === GUARD
  return (isGuarded ? lines.slice(from + 1, to - 1) : lines.slice(from, to)).join('\n')
}

const INDENTED = /^( {0,3})(\\*)([^]*)$/

function isSpecial(line: string): boolean {
  return !line.startsWith(' ') && (startOf(line) !== undefined || isFence(line))
}

function escaped({ text, role }: Line): string {
  const [, indent, slashes, rest] = INDENTED.exec(text) ?? []
  return role !== 'code' && isSpecial(rest) ? `${indent}\\${slashes}${rest}` : text
}

function unescaped({ text, role }: Line): string {
  if (!text.includes('\\')) return text
  const [, indent, slashes, rest] = INDENTED.exec(text) ?? []
  const isEscaped = role === 'text' && slashes !== '' && isSpecial(rest)
  return isEscaped ? `${indent}${slashes.slice(1)}${rest}` : text
}
