import type { Blockquote, Node, Parent, PhrasingContent, Root } from 'mdast'
import { capitalised } from '../capitalised.ts'
import { fencedLines } from './fenced-lines.ts'

/** Kinds with a colour of their own; any other looks like a note. */
export const ALERT_KINDS = ['note', 'tip', 'important', 'warning', 'danger'] as const

export type AlertKind = (typeof ALERT_KINDS)[number]

const KIND_OF: Readonly<Record<string, AlertKind>> = {
  tip: 'tip',
  hint: 'tip',
  success: 'tip',
  important: 'important',
  warning: 'warning',
  caution: 'warning',
  attention: 'warning',
  danger: 'danger',
  error: 'danger',
  failure: 'danger',
  bug: 'danger',
}

const ADMONITION = /^ {0,3}!!! ?([A-Za-z][\w-]*)(?: +"([^"]*)")? *$/
const INDENT = /^(?: {4}|\t)/

/**
 * Converts Python-Markdown's admonitions into GitHub's alerts:
 *
 * ```
 * !!! note "Title"        > [!note] Title
 * Text.               >
 * > Text.
 * ```
 */
export function withAlerts(source: string): string {
  return quoted(source.split(/\r\n?|\n/)).join('\n')
}

function quoted(texts: readonly string[]): string[] {
  const lines = fencedLines(texts, { endless: true })
  const out: string[] = []
  for (let i = 0; i < lines.length; i++) {
    const { text, role } = lines[i]
    const [, kind, title = ''] = (role === 'text' && ADMONITION.exec(text)) || []
    if (kind === undefined) {
      out.push(text)
      continue
    }
    const end = endOfIndent(texts, i + 1)
    const content = texts.slice(i + 1, end).map((inner) => inner.replace(INDENT, ''))
    out.push('', `> [!${kind}] ${title}`, '>', ...content.map((inner) => `> ${inner}`), '')
    i = end - 1
  }
  return out
}

/** The line after the last indented one; blank lines between count as indented. */
function endOfIndent(lines: readonly string[], start: number): number {
  let end = start
  for (let i = start; i < lines.length; i++) {
    if (INDENT.test(lines[i])) end = i + 1
    else if (lines[i].trim() !== '') break
  }
  return end
}

const MARK = /^\[!([A-Za-z][\w-]*)\][ \t]*/

/** Turns quotes that begin with a mark such as `[!note]` into boxes with a title. */
export function alerts(): (tree: Root) => void {
  return (tree) => boxed(tree)
}

function boxed(parent: Parent): void {
  for (const child of parent.children) {
    if (child.type === 'blockquote') box(child)
    if (isParent(child)) boxed(child)
  }
}

function box(quote: Blockquote): void {
  const [paragraph] = quote.children
  if (paragraph?.type !== 'paragraph' || paragraph.children[0]?.type !== 'text') return
  const [text, ...others] = paragraph.children
  const [mark, word] = MARK.exec(text.value) ?? []
  if (mark === undefined) return
  const unmarked = { ...text, value: text.value.slice(mark.length) }
  const [title, rest] = firstLine([unmarked, ...others])
  const isNamed = title.some((node) => node.type !== 'text' || node.value.trim() !== '')
  const name = capitalised(word.toLowerCase())
  const kind = KIND_OF[word.toLowerCase()] ?? 'note'
  quote.data = { hName: 'div', hProperties: { className: ['admonition', kind] } }
  quote.children.splice(
    0,
    1,
    {
      type: 'paragraph',
      children: isNamed ? title : [{ type: 'text', value: name }],
      data: { hProperties: { className: ['admonition-title'] } },
    },
    ...(rest.length > 0 ? [{ ...paragraph, children: rest }] : []),
  )
}

function firstLine(
  nodes: readonly PhrasingContent[],
): [first: PhrasingContent[], rest: PhrasingContent[]] {
  const i = nodes.findIndex((node) => node.type === 'text' && node.value.includes('\n'))
  const text = nodes[i]
  if (text?.type !== 'text') return [[...nodes], []]
  const end = text.value.indexOf('\n')
  const before = { ...text, value: text.value.slice(0, end) }
  const after = { ...text, value: text.value.slice(end + 1) }
  return [
    [...nodes.slice(0, i), before],
    [...(after.value === '' ? [] : [after]), ...nodes.slice(i + 1)],
  ]
}

function isParent(node: Node): node is Parent {
  return 'children' in node
}
