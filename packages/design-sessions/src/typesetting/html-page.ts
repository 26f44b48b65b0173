import type { Element, ElementContent, Root } from 'hast'
import rehypeHighlight from 'rehype-highlight'
import rehypeStringify from 'rehype-stringify'
import { unified } from 'unified'
import type { FenceDrawings } from '../markdown/fence-key.ts'
import { hcl } from './hcl.ts'
import {
  type Heading,
  artifactOf,
  fenceOf,
  markdownTree,
  textOf,
} from '../markdown/markdown-tree.ts'

/** A Markdown document, and the SVG of its artifacts by id and of its fences by key. */
export interface PageInput extends FenceDrawings {
  readonly title: string
  readonly source: string
}

const COLOURS = unified().use(rehypeHighlight, { detect: false })
const MORE_COLOURS = unified().use(rehypeHighlight, { detect: false, languages: { hcl } })
const WRITER = unified().use(rehypeStringify)

/** A complete HTML page without external references. */
export async function htmlPage({ title, source, ...drawn }: PageInput): Promise<string> {
  const { root, headings } = markdownTree(source)
  place(root, headings, drawn)
  const body = WRITER.stringify(MORE_COLOURS.runSync(COLOURS.runSync(root) as Root) as Root)
  const head = WRITER.stringify({
    type: 'root',
    children: [element('title', {}, [{ type: 'text', value: title }])],
  })
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${head}
<style>${PAGE_STYLE}</style>
</head>
<body>
${body}
</body>
</html>
`
}

/** Inserts pictures and tables of contents. */
function place(parent: Root | Element, headings: readonly Heading[], drawn: FenceDrawings): void {
  for (const [i, child] of parent.children.entries()) {
    if (child.type !== 'element') continue
    if (child.tagName === 'img') parent.children[i] = picture(child, drawn)
    else if (isContentsMark(child)) parent.children[i] = contents(headings)
    else if (child.tagName === 'pre') parent.children[i] = drawnFence(child, drawn)
    else place(child, headings, drawn)
  }
}

/** The picture of a fence; a code block is unchanged, or has the reason below it. */
function drawnFence(block: Element, { pictures, faults }: FenceDrawings): Element {
  const key = fenceOf(block)
  if (key === undefined) return block
  if (pictures[key] !== undefined) return image(pictures[key], 'Diagram')
  if (faults[key] === undefined) return block
  return element('div', {}, [block, note(`Not drawn: ${faults[key]}`)])
}

/** Whether a paragraph is the mark of a table of contents. */
export function isContentsMark(paragraph: Element): boolean {
  return paragraph.tagName === 'p' && textOf(paragraph).trim().toUpperCase() === '[TOC]'
}

function picture(shown: Element, { pictures }: FenceDrawings): Element {
  const svg = pictures[artifactOf(shown) ?? '']
  const alt = shown.properties.alt ?? ''
  return svg === undefined
    ? note(`[${missingPicture(shown)}]`)
    : element('span', { className: ['picture'] }, [image(svg, alt), note(alt)])
}

/** As an image: a browser runs nothing of it, and its ids and styles stay within. */
function image(svg: string, alt: string): Element {
  const src = `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`
  return element('img', { src, alt }, [])
}

function note(value: string): Element {
  return element('span', { className: ['placeholder'] }, [{ type: 'text', value }])
}

/** The text in place of a missing picture. */
export function missingPicture(image: Element): string {
  const alt = (image.properties.alt ?? '').trim()
  const what = /^artifact:/i.test(image.properties.src ?? '') ? 'artifact not rendered' : 'picture'
  return alt === '' ? what : `${what}: ${alt}`
}

function contents(headings: readonly Heading[]): Element {
  const items = headings.map(({ level, text, id }) =>
    element('li', { className: [`level-${level}`] }, [
      element('a', { href: `#${id}` }, [{ type: 'text', value: text }]),
    ]),
  )
  return element('nav', { className: ['contents'] }, [element('ul', {}, items)])
}

function element(
  tagName: string,
  properties: Element['properties'],
  children: ElementContent[],
): Element {
  return { type: 'element', tagName, properties, children }
}

/** The classes `hljs-*` are those of highlighted code. */
export const PAGE_STYLE = `
body { max-width: 46rem; margin: 2rem auto; padding: 0 1rem; color: #1f2933; background: #fff;
  font: 1rem/1.6 system-ui, -apple-system, 'Segoe UI', Arial, sans-serif; overflow-wrap: anywhere }
h1, h2, h3, h4, h5, h6 { line-height: 1.25; margin: 1.6em 0 .6em }
h1, h2 { padding-bottom: .25em; border-bottom: 1px solid #d9e2ec }
a { color: #0b5cad }
img { max-width: 100%; height: auto }
.picture { display: block; text-align: center } .picture > * { display: block; margin: 0 auto }
pre, code { font: .875rem/1.5 ui-monospace, 'Cascadia Mono', Menlo, Consolas, monospace }
pre { padding: .8rem 1rem; background: #f5f7fa; border-radius: 4px; overflow-x: auto }
:not(pre) > code { padding: .1em .3em; background: #eef2f6; border-radius: 3px }
table { border-collapse: collapse; display: block; overflow-x: auto }
th, td { padding: .35rem .7rem; border: 1px solid #cbd2d9; vertical-align: top }
th { background: #f5f7fa }
blockquote { margin: 1em 0; padding: 0 1rem; border-left: 4px solid #cbd2d9; color: #52606d }
hr { border: 0; border-top: 1px solid #cbd2d9 }
.contains-task-list { padding-left: 1.2rem }
.task-list-item { list-style: none }
.placeholder { color: #7b8794; font-style: italic }
.contents ul { padding: 0; list-style: none }
.level-2 { padding-left: 1rem } .level-3 { padding-left: 2rem } .level-4 { padding-left: 3rem }
.level-5 { padding-left: 4rem } .level-6 { padding-left: 5rem }
.admonition { margin: 1em 0; padding: .1rem 1rem; border-left: 4px solid #2b6cb0;
  background: #ebf4fb }
.admonition-title { font-weight: 600 }
.tip { border-color: #2f855a; background: #ebf7f0 }
.important { border-color: #6b46c1; background: #f3effb }
.warning { border-color: #b7791f; background: #fdf6e3 }
.danger { border-color: #c53030; background: #fdecec }
.sr-only { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) }
.hljs-comment, .hljs-quote { color: #616e7c; font-style: italic }
.hljs-keyword, .hljs-selector-tag, .hljs-literal, .hljs-section { color: #8a1c7c }
.hljs-string, .hljs-regexp, .hljs-addition { color: #1c6b3c }
.hljs-number, .hljs-symbol, .hljs-bullet, .hljs-meta { color: #9c4a00 }
.hljs-title, .hljs-attr, .hljs-attribute, .hljs-name { color: #0b5cad }
.hljs-type, .hljs-built_in, .hljs-variable { color: #7a5901 }
.hljs-deletion { color: #b3261e }
@media print { body { max-width: none; margin: 0 } }
`
