import { fencedLines } from '../markdown/fenced-lines.ts'
import type { Adr, AdrOption } from '../records/adrs.ts'
import { type Section, sectionText } from './decision-file.ts'

/** What lists in a decision file hold. */
export interface DecisionLists extends Pick<Adr, 'drivers' | 'options'> {
  /** sections that are no such lists, unchanged */
  readonly others: readonly Section[]
}

/** Bullets without a text, as templates have them. */
const EMPTY = /^\\*(?:…|\.{3})?[ \t]*(?:<!--[^]*-->)?$/

/** Starts of lines that are no plain paragraph. */
const SPECIAL = /^\\*(?:<!--|[#|>]|(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)|`{3}|~{3}|[-=*_]{3,}$)/

/** Reads drivers and options where their sections are lists of lines and nothing else. */
export function decisionLists(sections: readonly Section[]): DecisionLists {
  const drivers: string[] = []
  const options: AdrOption[] = []
  const others = sections.filter(({ subject, text }) => {
    const found = subject === 'arguments' ? argued(text) : bullets(text.split('\n'))
    if (found === undefined) return true
    for (const one of found) {
      if (typeof one !== 'string') addArguments(options, one)
      else if (subject === 'drivers') drivers.push(one)
      else if (!options.some(({ title }) => title === one)) options.push(optionOf(one))
    }
    return false
  })
  return { drivers, options, others }
}

/** Sections before and after a decision from which {@link decisionLists} reads equal lists. */
export function listSections({ drivers, options }: Pick<Adr, 'drivers' | 'options'>): {
  readonly before: readonly string[]
  readonly after: readonly string[]
} {
  const titles = options.map(({ title }) => title)
  const debated = options.map(optionText).filter((text) => text !== '')
  return {
    before: [
      ...section('Decision Drivers', drivers.map(bullet).join('\n')),
      ...section('Considered Options', titles.map(bullet).join('\n')),
    ],
    after: section('Pros and Cons of the Options', debated.join('\n\n')),
  }
}

function section(title: string, text: string): readonly string[] {
  return text === '' ? [] : ['', `## ${title}`, '', sectionText(text, { quoted: true })]
}

function bullet(text: string): string {
  return `* ${escaped(text, EMPTY)}`
}

function escaped(text: string, pattern: RegExp): string {
  return pattern.test(text) ? `\\${text}` : text
}

function unescaped(text: string, pattern: RegExp): string {
  return text.startsWith('\\') && pattern.test(text) ? text.slice(1) : text
}

/** An option with its arguments; empty without any. */
function optionText({ title, description, pros, neutral, cons }: AdrOption): string {
  const lines = [
    ...pros.map((text) => `* Good, because ${text}`),
    ...neutral.map((text) => `* Neutral, because ${text}`),
    ...cons.map((text) => `* Bad, because ${text}`),
  ]
  const about = description === null ? [] : [escaped(description, SPECIAL)]
  const parts = [...about, lines.join('\n')].filter((part) => part !== '')
  return parts.length === 0 ? '' : [`### ${title}`, ...parts].join('\n\n')
}

function optionOf(title: string): AdrOption {
  return { title, description: null, pros: [], neutral: [], cons: [] }
}

const COMMENT = /^<!--[^]*-->$/
const BULLET = /^(?:[-*+]|\d{1,9}[.)])(?:[ \t]+([^]*))?$/

/** The entries of a list, each as one line; undefined for other text. */
export function bullets(lines: readonly string[]): readonly string[] | undefined {
  const entries: string[] = []
  let isOpen = false
  for (const line of lines) {
    const text = line.trim()
    const entry = BULLET.exec(line)
    if (entry) entries.push(entry[1]?.trim() ?? '')
    else if (text !== '' && !COMMENT.test(text)) {
      // More than the same paragraph is no plain list.
      if (!isOpen || !/^[ \t]/.test(line) || SPECIAL.test(text)) return undefined
      entries.push(`${entries.pop() ?? ''} ${text}`)
    }
    isOpen = entry !== null || (isOpen && text !== '')
  }
  return entries
    .filter((text) => text.startsWith('\\') || !EMPTY.test(text))
    .map((text) => unescaped(text, EMPTY))
    .filter((text) => text !== '')
}

/** Options with their arguments; undefined for other text. */
function argued(text: string): readonly AdrOption[] | undefined {
  const found: { readonly title: string; readonly lines: string[] }[] = []
  for (const { text: line, role } of fencedLines(text.split('\n'))) {
    if (role !== 'text') return undefined
    const title = /^###[ \t]+(\S[^]*)$/.exec(line)?.[1].trim()
    if (title !== undefined) found.push({ title, lines: [] })
    else if (found.length > 0) found.at(-1)?.lines.push(line)
    else if (line.trim() !== '' && !COMMENT.test(line.trim())) return undefined
  }
  const options = found.map(({ title, lines }) => optionFrom(title, lines))
  return options.every((one) => one !== undefined) ? options : undefined
}

const ARGUMENT = /^(good|neutral|bad)(?:, because|,|:)?(?:[ \t]+(\S[^]*))?$/i

function optionFrom(title: string, lines: readonly string[]): AdrOption | undefined {
  const start = lines.findIndex((line) => BULLET.test(line))
  const entries = start < 0 ? [] : bullets(lines.slice(start))
  const about = lines
    .slice(0, start < 0 ? lines.length : start)
    .map((line) => line.trimEnd())
    .filter((line) => !COMMENT.test(line))
    .join('\n')
    .trim()
  const isParagraph = !/\n[ \t]*\n/.test(about) && !about.split('\n').some(isSpecial)
  const found = entries?.map((text) => ARGUMENT.exec(text))
  if (!isParagraph || found?.every((one) => one !== null) !== true) return undefined
  const of = (word: string): string[] =>
    found.flatMap(([, side, text]) => (side.toLowerCase() === word && text ? [text] : []))
  const description = unescaped(about.replaceAll(/\s*\n\s*/g, ' '), SPECIAL)
  return {
    title,
    description: description === '' ? null : description,
    pros: of('good'),
    neutral: of('neutral'),
    cons: of('bad'),
  }
}

function isSpecial(line: string): boolean {
  return !line.startsWith('\\') && SPECIAL.test(line)
}

/** Adds arguments to the option of their title, or to a new one. */
function addArguments(options: AdrOption[], given: AdrOption): void {
  const key = titleKey(given.title)
  const tests: readonly ((title: string) => boolean)[] = [
    (title) => title === given.title,
    (title) => titleKey(title) === key,
    (title) => key !== '' && titleKey(title).startsWith(`${key} `),
  ]
  const at = tests
    .map((test) => options.findIndex(({ title }) => test(title)))
    .find((found) => found >= 0)
  if (at === undefined) options.push(given)
  else options[at] = joined(options[at], given)
}

function joined(one: AdrOption, other: AdrOption): AdrOption {
  const texts = [one.description, other.description].filter((text) => text !== null)
  return {
    title: one.title,
    description: texts.length === 0 ? null : texts.join(' '),
    pros: [...one.pros, ...other.pros],
    neutral: [...one.neutral, ...other.neutral],
    cons: [...one.cons, ...other.cons],
  }
}

/** The words of a title, without its marks. */
function titleKey(title: string): string {
  return (
    title
      .replaceAll(/<!--.*?-->/g, '')
      .replaceAll(/\[([^\][]*)\]\([^()]*\)/g, '$1')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu)
      ?.join(' ') ?? ''
  )
}
