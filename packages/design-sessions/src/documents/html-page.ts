import type { Element, ElementContent, Root } from 'hast'
import rehypeHighlight from 'rehype-highlight'
import rehypeStringify from 'rehype-stringify'
import { unified } from 'unified'
import { type Heading, artifactOf, markdownTree, textOf } from './markdown-tree.ts'
import { PAGE_STYLE } from './page-style.ts'

/** A Markdown document, and the SVGs of the artifacts that it shows, by id. */
export interface PageInput {
  readonly title: string
  readonly source: string
  readonly pictures: Readonly<Record<string, string>>
}

const WRITER = unified().use(rehypeHighlight, { detect: false }).use(rehypeStringify)

/** A whole HTML page that needs nothing from anywhere. */
export async function htmlPage({ title, source, pictures }: PageInput): Promise<string> {
  const { root, headings } = markdownTree(source)
  place(root, headings, pictures)
  const body = WRITER.stringify(WRITER.runSync(root) as Root)
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

/** Puts pictures and lists of contents where the text wants them. */
function place(
  parent: Root | Element,
  headings: readonly Heading[],
  pictures: PageInput['pictures'],
): void {
  for (const [i, child] of parent.children.entries()) {
    if (child.type !== 'element') continue
    if (child.tagName === 'img') parent.children[i] = picture(child, pictures)
    else if (isContentsMark(child)) parent.children[i] = contents(headings)
    else place(child, headings, pictures)
  }
}

/** Whether a paragraph stands for the list of contents. */
export function isContentsMark(paragraph: Element): boolean {
  return paragraph.tagName === 'p' && textOf(paragraph).trim().toUpperCase() === '[TOC]'
}

/**
 * As an image of its own: whatever an SVG holds stays within it, ids and styles included, and a
 * browser runs nothing of it.
 */
function picture(image: Element, pictures: PageInput['pictures']): Element {
  const alt = image.properties.alt ?? ''
  const svg = pictures[artifactOf(image) ?? '']
  if (svg !== undefined) {
    const src = `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`
    return element('img', { src, alt }, [])
  }
  return element('span', { className: ['placeholder'] }, [
    { type: 'text', value: `[${missingPicture(image)}]` },
  ])
}

/** What stands in the place of a picture that is not there. */
export function missingPicture(image: Element): string {
  const alt = (image.properties.alt ?? '').trim()
  const what = artifactOf(image) === undefined ? 'picture' : 'artifact not rendered'
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
