import { fencedLines } from './fenced-lines.ts'

const HEADING = /^ {0,3}(#{1,6})(?=[ \t]|$)/
const UNDERLINE = /^ {0,3}(?:(=+)|-+)[ \t]*$/
const DEEPEST = 6

/**
 * Markdown of a record as a part of a larger document: its headings are lowered, and nothing of it
 * reaches beyond it, as an open code block, a tag or a mark of a table of contents would.
 *
 * @param lowered  levels added to its headings
 */
export function embedded(text: string, lowered: number): string {
  const out: string[] = []
  for (const { text: line, role } of fencedLines(text.trim().split(/\r\n?|\n/), {
    indented: true,
  })) {
    if (role === 'code') {
      out.push(line)
      continue
    }
    const [, marks] = HEADING.exec(line) ?? []
    const before = out.at(-1) ?? ''
    const [underline, first] = UNDERLINE.exec(line) ?? []
    if (role === 'unclosed') out.push(line.replace(/[`~]/, '\\$&'))
    else if (marks !== undefined)
      out.push(quoted(line.replace(marks, levelOf(marks.length, lowered))))
    else if (underline !== undefined && isText(before)) {
      out.splice(-1, 1, `${levelOf(first === undefined ? 2 : 1, lowered)} ${before.trim()}`)
    } else out.push(quoted(line))
  }
  return out.join('\n')
}

function levelOf(level: number, lowered: number): string {
  return '#'.repeat(Math.min(DEEPEST, level + lowered))
}

/** No list, quote, table, heading, code block, rule or admonition. */
const PROSE = /^ {0,3}(?![-*+][ \t]|\d+[.)][ \t]|```|~~~|!!!|[-*_ ]+$)[^\s>|#[]/

/** Whether a line begins a paragraph. */
function isText(line: string): boolean {
  return PROSE.test(line)
}

/** Embedded Markdown after a word in bold: in one paragraph with it if it begins as one. */
export function labelled(label: string, text: string, gap: string): string {
  return `**${label}**${isText(text) ? gap : '\n\n'}${text}`
}

const CODE = /(`+)[^`](?:[^]*?[^`])?\1(?!`)/g
const TAG = /<(?=[a-z/!?])(?!br\s*\/?>|(?:https?|mailto):)/gi
const CONTENTS = /^(\s*)\[(TOC\]\s*)$/i

/** A line whose tags, outside of code, are text. */
function quoted(line: string): string {
  const spans = [...line.matchAll(CODE)]
  let from = 0
  const parts = spans.map(({ index, 0: code }) => {
    const before = line.slice(from, index).replaceAll(TAG, '\\<')
    from = index + code.length
    return before + code
  })
  return [...parts, line.slice(from).replaceAll(TAG, '\\<')].join('').replace(CONTENTS, '$1\\[$2')
}
