import { type Line, fencedLines, isFence } from '../documents/fenced-lines.ts'

/** What stands before a Markdown document, between two lines of dashes. */
export interface FrontMatter {
  /** values by key, each as one line; what YAML quotes is unquoted */
  readonly values: ReadonlyMap<string, string>
  /** lines by key as they stand, lists with the lines below them */
  readonly lines: ReadonlyMap<string, readonly string[]>
  readonly body: string
}

const ENTRY = /^([A-Za-z][\w-]*):([^]*)$/

/** The front matter of a document: as much of YAML as decisions have in theirs. */
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

function unquoted(value: string): string {
  const text = value.trim()
  if (/^"[^]*"$/.test(text)) {
    try {
      return String(JSON.parse(text))
    } catch {
      // YAML knows more escapes than JSON.
      return text.slice(1, -1)
    }
  }
  return /^'[^]*'$/.test(text) ? text.slice(1, -1).replaceAll("''", "'") : text
}

/** What a section of a decision file is about; `other` has no field of its own. */
export type Subject = 'status' | 'context' | 'decision' | 'consequences' | 'other'

/** A part of a decision file. */
export interface Section {
  readonly subject: Subject
  /** its first line; empty for what stands before all others */
  readonly heading: string
  /** the first that its subject is named after: its text needs no heading in the field */
  readonly main: boolean
  readonly text: string
}

/** A decision file in parts. */
export interface DecisionFile {
  /** the heading of the first level, without its mark */
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
  ['decision', 'decision'],
  ['decision outcome', 'decision'],
  ...CONSEQUENCES,
])

/** Headings of the third level that begin a section below a decision. */
const SUBSECTIONS: ReadonlyMap<string, Subject> = new Map([
  ...CONSEQUENCES,
  ['confirmation', 'decision'],
])

const HEADING = /^ {0,3}(#{1,3})[ \t]+(\S[^]*)$/

/** Keeps the empty lines at the ends of a text that stands between two of these; never shown. */
const GUARD = '<!-- as it is -->'

interface Start {
  readonly level: number
  readonly name: string
  readonly subject: Subject
}

/** The section that a line may begin, wherever it stands. */
function startOf(line: string): Start | undefined {
  if (!line.includes('##')) return undefined
  const [, { length: level } = '', rest = ''] = HEADING.exec(line) ?? []
  // Templates tell in comments which sections are optional.
  const [words] = rest.split('<!--', 1)
  const name = words.replaceAll(/[#:]/g, '').trim().toLowerCase()
  if (level === 2) return { level, name, subject: SUBJECTS.get(name) ?? 'other' }
  const subject = level === 3 ? SUBSECTIONS.get(name) : undefined
  return subject && { level, name, subject }
}

/** Whether a section begins there, after what came before. */
function begins(start: Start, current: Start | undefined): boolean {
  if (start.level === 2) return true
  if (start.name === 'confirmation') return current?.level === 3
  return current?.subject === 'decision' || current?.level === 3
}

/** The title and the sections of a decision, as Nygard and MADR write it. */
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

/** A field's text as it stands in a section: nothing in it begins another one. */
export function sectionText(text: string, { quoted }: { readonly quoted: boolean }): string {
  const shown = quoted ? fencedLines(text.split('\n')).map(escaped).join('\n') : text
  return unguarded(shown.split('\n')) === shown ? shown : [GUARD, shown, GUARD].join('\n')
}

/** Lines without the empty ones around them, or all between two guards. */
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
