import type { Element, ElementContent, RootContent } from 'hast'
import type { FenceDrawings } from '../markdown/fence-key.ts'
import { breakable, remark } from './pdf-blocks.ts'
import { isContentsMark, missingPicture } from './html-page.ts'
import {
  type Heading as NamedHeading,
  type MarkdownTree,
  artifactOf,
  fenceOf,
  languageOf,
  textOf,
} from '../markdown/markdown-tree.ts'
import type { Block, Heading, Inline, ListItem, MarkdownPart } from './pdf-input.ts'

interface Context extends TypesetOptions {
  readonly headings: readonly NamedHeading[]
  /** remaining levels of the tree; Typst fails at about 60 */
  readonly depth: number
}

/** Nesting in a PDF; deeper nodes become plain text. */
const DEPTH_MAX = 12

/** Typst refuses longer URLs. */
const URL_MAX = 2000

export interface TypesetOptions extends Omit<MarkdownPart, 'type' | 'source'> {
  /** of its labels, unique in the PDF */
  readonly prefix: string
  /** of its fences */
  readonly drawn: FenceDrawings
}

/** Converts a Markdown tree into blocks of the template. */
export function typesetTree({ root, headings }: MarkdownTree, options: TypesetOptions): Block[] {
  const { titleWords = '', lowered } = options
  const context = { ...options, headings, depth: DEPTH_MAX }
  const [first, ...others] = root.children.filter(({ type }) => type === 'element') as Element[]
  const known = new Set(words(titleWords))
  const isDoubled = first?.tagName === 'h1' && words(textOf(first)).every((word) => known.has(word))
  const body = isDoubled
    ? blocks(others, { ...context, lowered: Math.max(0, lowered - 1) })
    : blocks(root.children, context)
  return options.inReport ? withoutEmpty(body) : body
}

/** Leaves out sections without content, and names them at the end. */
function withoutEmpty(body: readonly Block[]): Block[] {
  const kept: Block[] = []
  const left: Heading[] = []
  for (const block of body.toReversed()) {
    const next = kept.at(-1)
    const isEmpty =
      block.type === 'heading' && (!next || (next.type === 'heading' && next.level <= block.level))
    if (isEmpty) left.push(block)
    else kept.push(block)
  }
  const names = left
    .toReversed()
    .flatMap(({ body: name }, i) => [
      ...(i === 0 ? [] : [{ type: 'text', value: ', ' } as const]),
      ...name,
    ])
  return [...kept.toReversed(), ...(names.length > 0 ? [stillOpen(names)] : [])]
}

function stillOpen(names: readonly Inline[]): Block {
  const label = { type: 'text', value: 'Still to be written: ' } as const
  return { type: 'paragraph', body: [{ type: 'emphasis', body: [label, ...names] }] }
}

function words(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
}

/** Characters of highlighted code; more takes longer than the rest of the document. */
const HIGHLIGHTED_MAX = 20_000

const INLINE = new Set(['a', 'br', 'code', 'del', 'em', 'img', 'input', 'span', 'strong', 'sup'])

function blocks(children: readonly (RootContent | ElementContent)[], context: Context): Block[] {
  const out: Block[] = []
  let run: (RootContent | ElementContent)[] = []
  const endParagraph = (): void => {
    const body = inlines(run, context)
    if (run.some((node) => node.type === 'element' || textOf(node).trim() !== '')) {
      out.push(paragraph(body))
    }
    run = []
  }
  for (const child of children) {
    if (child.type === 'element' && !INLINE.has(child.tagName)) {
      endParagraph()
      out.push(...block(child, context))
    } else if (child.type === 'text' || child.type === 'element') run.push(child)
  }
  endParagraph()
  return out
}

function block(element: Element, context: Context): Block[] {
  const { tagName, properties, children } = element
  const { headings, prefix, depth } = context
  if (depth <= 0) return [{ type: 'paragraph', body: [plain(element)] }]
  const within = { ...context, depth: depth - 1 }
  switch (tagName) {
    case 'p':
      if (isContentsMark(element)) {
        if (context.inReport) return []
        const entries = headings.map(({ level, text, id }) => ({
          level,
          title: breakable(text),
          label: prefix + id,
        }))
        return [{ type: 'contents', entries }]
      }
      return [paragraph(inlines(children, within))]
    case 'ul':
      return [{ type: 'list', start: null, items: items(children, within) }]
    case 'ol': {
      const start = Number(properties.start ?? 1)
      return [{ type: 'list', start, items: items(children, within) }]
    }
    case 'blockquote':
      return [{ type: 'quote', body: blocks(children, within) }]
    case 'pre':
      return preformatted(element, context)
    case 'table':
      return [table(element, within)]
    case 'hr':
      return [{ type: 'rule' }]
    case 'div':
      return [alert(element, within)]
  }
  const [, level] = /^h([1-6])$/.exec(tagName) ?? []
  if (level === undefined) return blocks(children, within)
  const label = prefix + properties.id
  return [
    {
      type: 'heading',
      level: Number(level) + context.lowered,
      label,
      listed: false,
      note: '',
      body: inlines(children, within),
    },
  ]
}

/** A paragraph; a picture alone can float. */
function paragraph(body: readonly Inline[]): Block {
  const [first] = body
  return body.length === 1 && first.type === 'picture' ? first : { type: 'paragraph', body }
}

function inlines(nodes: readonly (RootContent | ElementContent)[], context: Context): Inline[] {
  const all = nodes.flatMap((node) => inline(node, context))
  // HTML ignores spaces at the start of a line; Typst does not.
  return all.map((one, i) =>
    one.type === 'text' && all[i - 1]?.type === 'break'
      ? { ...one, value: one.value.trimStart() }
      : one,
  )
}

function inline(node: RootContent | ElementContent, context: Context): Inline[] {
  if (node.type === 'text') {
    return [{ type: 'text', value: breakable(oneLine(node.value)) }]
  }
  if (node.type !== 'element') return []
  if (context.depth <= 0) return [plain(node)]
  const { tagName, properties } = node
  const body = inlines(node.children, { ...context, depth: context.depth - 1 })
  switch (tagName) {
    case 'strong':
      return [{ type: 'strong', body }]
    case 'em':
      return [{ type: 'emphasis', body }]
    case 'del':
      return [{ type: 'delete', body }]
    case 'sup':
      return [{ type: 'superscript', body }]
    case 'br':
      return [{ type: 'break' }]
    case 'code':
      return [{ type: 'code', value: breakable(textOf(node)) }]
    case 'a':
      if ('dataFootnoteBackref' in properties) return []
      return link(properties.href ?? '', body, context)
    case 'img': {
      const artifact = artifactOf(node)
      const { alt = '' } = properties
      return artifact === undefined || context.drawn.pictures[artifact] === undefined
        ? [{ type: 'placeholder', value: `[${missingPicture(node)}]` }]
        : [{ type: 'picture', artifact, alt, caption: alt || null }]
    }
    default:
      return body
  }
}

function link(url: string, body: readonly Inline[], { headings, prefix }: Context): Inline[] {
  if (url.startsWith('#')) {
    const id = decoded(url.slice(1))
    return headings.some((heading) => heading.id === id)
      ? [{ type: 'reference', label: prefix + id, body }]
      : [...body]
  }
  return url === '' || url.length > URL_MAX ? [...body] : [{ type: 'link', url, body }]
}

/** Line breaks within a paragraph, with the space around them, become one space. */
function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, (space) => (space.includes('\n') ? ' ' : space))
}

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return fragment
  }
}

function items(children: readonly ElementContent[], context: Context): ListItem[] {
  return elements(children, 'li').map((item) => {
    const box = checkbox(item)
    return {
      checked: box === undefined ? null : box.properties.checked === true,
      body: blocks(item.children, context),
    }
  })
}

/** The checkbox of a task, at the start of its item or of its first paragraph. */
function checkbox(item: Element): Element | undefined {
  const first = item.children.find((child) => child.type === 'element')
  return first?.tagName === 'p' ? checkbox(first) : first?.tagName === 'input' ? first : undefined
}

function preformatted(element: Element, { drawn: { pictures, faults } }: Context): Block[] {
  const key = fenceOf(element) ?? ''
  if (pictures[key] !== undefined) {
    return [{ type: 'picture', artifact: key, alt: 'Diagram', caption: null }]
  }
  const value = breakable(textOf(element).replace(/\n$/, ''))
  const language = value.length > HIGHLIGHTED_MAX ? null : (languageOf(element) ?? null)
  const source: Block = { type: 'pre', value, language }
  return faults[key] === undefined ? [source] : [source, remark(`Not drawn: ${faults[key]}`)]
}

function alert({ properties, children }: Element, context: Context): Block {
  const [title, ...rest] = children.filter((child) => child.type === 'element')
  return {
    type: 'alert',
    kind: properties.className?.[1] ?? 'note',
    title: title ? breakable(textOf(title)) : '',
    body: blocks(rest, context),
  }
}

function table({ children }: Element, context: Context): Block {
  const rows = elements(children, 'thead', 'tbody').flatMap((part) => elements(part.children, 'tr'))
  const [head = [], ...body] = rows.map((row) => elements(row.children, 'th', 'td'))
  const cells = (row: readonly Element[]): Inline[][] =>
    head.map((_, i) => (row[i] ? inlines(row[i].children, context) : []))
  return {
    type: 'table',
    widths: head.map(() => 0),
    align: head.map(({ properties }) => properties.align ?? 'left'),
    head: cells(head),
    rows: body.map(cells),
  }
}

function elements(children: readonly ElementContent[], ...names: string[]): Element[] {
  return children.filter(
    (child) => child.type === 'element' && names.includes(child.tagName),
  ) as Element[]
}

function plain(element: Element): Inline {
  return { type: 'text', value: breakable(textOf(element).replaceAll(/\s+/g, ' ').trim()) }
}
