import type { Element, ElementContent, Root, RootContent as Content } from 'hast'
import type { Node, Parent, Root as MarkdownRoot, RootContent } from 'mdast'
import rehypeSanitize, { type Options as Schema, defaultSchema } from 'rehype-sanitize'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import remarkRehype from 'remark-rehype'
import { unified } from 'unified'
import { sourceError } from '../render-error.ts'
import { ALERT_KINDS, alerts, withAlerts } from './alerts.ts'
import { fenceKey } from './fence-key.ts'

/** Nesting of lists, quotes and emphasis; deeper nodes become plain text. */
const DEPTH_MAX = 24

const SCHEMA: Schema = {
  ...defaultSchema,
  attributes: {
    ...defaultSchema.attributes,
    code: [['className', /^language-[\w.+#-]+$/]],
    div: [['className', 'admonition', ...ALERT_KINDS]],
    p: [['className', 'admonition-title']],
  },
  protocols: { href: ['http', 'https', 'mailto'], src: ['artifact', 'data'] },
  // Ids come from headings and footnotes only, and pages have no scripts.
  clobber: [],
  clobberPrefix: '',
}

const PROCESSOR = unified()
  .use(remarkParse)
  .use(remarkGfm)
  .use(() => (tree: MarkdownRoot) => limitDepth(tree, 0))
  .use(alerts)
  .use(remarkRehype, { clobberPrefix: '' })
  .use(rehypeSanitize, SCHEMA)

export interface Heading {
  readonly level: number
  readonly text: string
  /** unique within the document */
  readonly id: string
}

/** A document as safe HTML elements, and its headings. */
export interface MarkdownTree {
  readonly root: Root
  readonly headings: readonly Heading[]
}

/**
 * Parses Markdown: GitHub's dialect with admonitions. Raw HTML but `<br>` is dropped, links lead to
 * http, https, mailto and fragments, pictures are artifacts (`artifact:`), uploads and data.
 *
 * @throws {RenderError} `ERR_RENDER_SOURCE` for thousands of levels
 */
export function markdownTree(source: string): MarkdownTree {
  const root = safeTree(source)
  const headings: Heading[] = []
  nameHeadings(root, headings, new Map())
  keepLinks(root)
  return { root, headings }
}

function safeTree(source: string): Root {
  try {
    return PROCESSOR.runSync(PROCESSOR.parse(withAlerts(source)))
  } catch (error) {
    // The parser recurses before the tree is cut.
    if (error instanceof RangeError) throw sourceError('Markdown is nested too deeply')
    throw error
  }
}

/** The text of a node. */
export function textOf(node: Root | Content): string {
  if (node.type === 'text') return node.value
  return 'children' in node ? node.children.map(textOf).join('') : ''
}

const UUID = /^artifact:([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/i

/** The id of the artifact of a picture, in lower case; otherwise its reference. */
export function artifactOf({ tagName, properties }: Element): string | undefined {
  if (tagName !== 'img' || !properties.src) return undefined
  return UUID.exec(properties.src)?.[1].toLowerCase() ?? decoded(properties.src)
}

const IMAGE = /!\[[^\]]{0,1000}\]\(\s*(?:<([^<>\n]+)>|([^\s()]+))/g

/** References of pictures in a source that are no artifacts. */
export function referencesIn(source: string): readonly string[] {
  const all = [...source.matchAll(IMAGE)].map(([, spaced, plain]) => decoded(spaced ?? plain))
  return [...new Set(all)].filter((reference) => !UUID.test(reference))
}

function decoded(reference: string): string {
  try {
    return reference.startsWith('data:') ? reference : decodeURI(reference)
  } catch {
    return reference
  }
}

/** The key of the diagram that a code block is the source of. */
export function fenceOf(block: Element): string | undefined {
  return fenceKey(languageOf(block) ?? '', textOf(block))
}

/** The language of a code block. */
export function languageOf({ children }: Element): string | undefined {
  const code = children.find((child) => child.type === 'element')
  return /^language-(.+)$/.exec(code?.properties.className?.[0] ?? '')?.[1]
}

const HIDDEN = /^<(script|style)\b/i

/** The parser takes the content of inline script tags for text. */
function withoutHidden(children: readonly RootContent[]): RootContent[] {
  let hidden: string | undefined
  return children.filter((child) => {
    if (child.type !== 'html') return hidden === undefined
    hidden ??= HIDDEN.exec(child.value)?.[1].toLowerCase()
    if (child.value.toLowerCase().startsWith(`</${hidden}`)) hidden = undefined
    return false
  })
}

const BREAK = /^<br\s*\/?>$/i

/** Line breaks are the only tags that count; a row of a table cannot have others. */
function withBreaks(children: readonly RootContent[]): RootContent[] {
  return children.map((child) =>
    child.type === 'html' && BREAK.test(child.value.trim()) ? { type: 'break' } : child,
  )
}

function limitDepth(parent: Parent, depth: number): void {
  parent.children = withoutHidden(withBreaks(parent.children))
  for (const [i, child] of parent.children.entries()) {
    if (!isParent(child)) continue
    if (depth < DEPTH_MAX) limitDepth(child, depth + 1)
    else parent.children[i] = { type: 'text', value: plainText(child) }
  }
}

/** Without recursion: the tree is too deep for it. */
function plainText(root: Parent): string {
  const texts: string[] = []
  const left: Node[] = [root]
  for (let node = left.pop(); node; node = left.pop()) {
    if (isParent(node)) left.push(...node.children.toReversed())
    else if ('value' in node && node.type !== 'html') texts.push(String(node.value))
  }
  return texts.join(' ')
}

function isParent(node: Node): node is Parent {
  return 'children' in node
}

/** Id of the heading that remark adds for screen readers. */
const FOOTNOTES = 'footnote-label'

const HEADING = /^h([1-6])$/

function nameHeadings(
  parent: Root | Element,
  headings: Heading[],
  taken: Map<string, number>,
): void {
  for (const child of parent.children) {
    if (child.type !== 'element') continue
    const [, level] = HEADING.exec(child.tagName) ?? []
    if (level === undefined) {
      nameHeadings(child, headings, taken)
      continue
    }
    const text = textOf(child)
    const slug =
      text
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
        .replaceAll(/^-|-$/g, '') || 'section'
    const count = taken.get(slug) ?? 0
    taken.set(slug, count + 1)
    const id = (child.properties.id ??= count === 0 ? slug : `${slug}-${count}`)
    if (id !== FOOTNOTES) headings.push({ level: Number(level), text, id })
  }
}

const LINK = /^(?:#|https?:|mailto:)/i

/** Sanitising keeps relative URLs, which lead nowhere here. */
function keepLinks(parent: Root | Element): void {
  for (const child of parent.children as ElementContent[]) {
    if (child.type !== 'element') continue
    if (!LINK.test(child.properties.href ?? '#')) delete child.properties.href
    keepLinks(child)
  }
}
