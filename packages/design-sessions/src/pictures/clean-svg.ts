import { createHash } from 'node:crypto'
import { type SaxesAttributeNS, SaxesParser, type SaxesTagNS } from 'saxes'
import { type PlacedLine, type TextBox, addText, openBox, textLines } from './foreign-text.ts'
import { type Embedded, embeddedRaster } from './raster.ts'
import { SANS } from './fonts.ts'
import { RenderError } from '../render-error.ts'
import {
  allowedAttributes,
  allowedElements,
  cleanStyle,
  isPicture,
  isSafeLink,
} from './svg-rules.ts'

const SVG = 'http://www.w3.org/2000/svg'
const XLINK = 'http://www.w3.org/1999/xlink'
const XML = 'http://www.w3.org/XML/1998/namespace'

type Embedding = (reference: string) => Embedded | undefined

/** Deeper pictures exhaust the stacks of renderers. */
const DEPTH_MAX = 256

/**
 * An SVG of shapes, text, styles and links only. Elements and attributes that are not on the list
 * are dropped with their content, references to other files are removed, and HTML inside becomes
 * plain lines of text.
 *
 * @param embedded  a safe picture for the reference of an image; by default only raster pictures
 * inside the file are kept
 * @throws {RenderError} for text that is not an SVG
 */
export function cleanSvg(svg: string, embedded: Embedding = embeddedOwn): string {
  const out: string[] = []
  // Repeated pictures are in the file once.
  const pictures = new Map<string, string>()
  const parser = new SaxesParser({ xmlns: true })
  // Number of open elements that are dropped.
  let dropped = 0
  let depth = 0
  let box: TextBox | undefined
  let boxDepth = 0
  let style: string | undefined
  parser.on('error', ({ message }) => {
    throw new RenderError('ERR_RENDER_CRASH', `The engine made no well-formed SVG: ${message}`)
  })
  parser.on('opentag', (tag) => {
    depth++
    if (depth > DEPTH_MAX) {
      throw new RenderError('ERR_RENDER_SOURCE', `The picture is nested deeper than ${DEPTH_MAX}`)
    }
    if (dropped > 0) dropped++
    else if (box) addText(box, { open: tag.local })
    else if (tag.uri !== SVG || style !== undefined) dropped = 1
    else if (tag.local === 'foreignObject') {
      box = openBox(tag.attributes)
      boxDepth = depth
    } else if (tag.local === 'image') {
      dropped = 1
      out.push(placedPicture(tag, pictures, embedded))
    } else if (!allowedElements.has(tag.local)) dropped = 1
    else if (tag.local === 'style') style = ''
    else out.push(opening(tag, depth === 1))
  })
  const addedText = (text: string): void => {
    if (dropped > 0) return
    if (box) addText(box, { text })
    else if (style === undefined) out.push(escapedText(text))
    else style += text
  }
  parser.on('text', addedText)
  parser.on('cdata', addedText)
  parser.on('closetag', (tag) => {
    if (dropped > 0) dropped--
    else if (box && depth === boxDepth) {
      out.push(...textLines(box).map(textElement))
      box = undefined
    } else if (box) addText(box, { close: tag.local })
    else if (style === undefined) {
      if (depth === 1) out.push(...pictures.values())
      out.push(`</${tag.local}>`)
    } else {
      out.push(`<style>${escapedText(cleanStyle(style))}</style>`)
      style = undefined
    }
    depth--
  })
  parser.write(svg).close()
  const clean = out.join('').trim()
  if (clean.startsWith('<svg')) return clean
  throw new RenderError('ERR_RENDER_CRASH', 'The engine made no SVG')
}

function opening({ local, attributes }: SaxesTagNS, isRoot: boolean): string {
  const kept = new Map<string, string>()
  for (const attribute of Object.values(attributes)) {
    const value = keptValue(local, attribute)
    const name = attribute.uri === XML ? `xml:${attribute.local}` : attribute.local
    // A link may be given as `href` and as `xlink:href`; browsers use the first of these.
    if (value !== undefined && (attribute.uri !== XLINK || !kept.has(name))) kept.set(name, value)
  }
  const namespaces = isRoot ? ` xmlns="${SVG}"` : ''
  const written = [...kept].map(([name, value]) => ` ${name}="${escaped(value)}"`)
  return `<${local}${namespaces}${written.join('')}>`
}

/** A reference to a picture at the end of the file; empty without one. */
function placedPicture(
  tag: SaxesTagNS,
  pictures: Map<string, string>,
  embedded: Embedding,
): string {
  const reference = Object.values(tag.attributes).find(({ local }) => local === 'href')
  const picture = reference && embedded(reference.value)
  if (!picture) return ''
  const { uri, width, height } = picture
  const id = `picture-${createHash('sha256').update(uri).digest('hex').slice(0, 12)}`
  pictures.set(
    id,
    `<symbol id="${id}" viewBox="0 0 ${width} ${height}">` +
      `<image href="${uri}" width="${width}" height="${height}"></image></symbol>`,
  )
  const { href: _, 'xlink:href': __, ...attributes } = tag.attributes
  return opening({ ...tag, local: 'use', attributes }, false).replace(/>$/, ` href="#${id}"></use>`)
}

/** The reference itself if it is a raster picture inside the file. */
function embeddedOwn(reference: string): Embedded | undefined {
  if (!isPicture(reference)) return undefined
  return embeddedRaster(
    Buffer.from(reference.slice(reference.indexOf(',') + 1), 'base64'),
    'A picture',
  )
}

/** Attributes that are not CSS: names, and words for screen readers. */
const WORDS = new Set(['id', 'class', 'role', 'lang', 'aria-label', 'aria-roledescription'])

function keptValue(element: string, { uri, local, value }: SaxesAttributeNS): string | undefined {
  if (local === 'href' && (uri === '' || uri === XLINK)) {
    if (element === 'a') return isSafeLink(value) ? value : undefined
    return value.startsWith('#') ? value : undefined
  }
  if (uri === XML) return local === 'space' ? value : undefined
  if (uri !== '' || !allowedAttributes.has(local)) return undefined
  // Browsers parse presentation attributes as CSS, with its escapes.
  return WORDS.has(local) || value === '' ? value : cleanStyle(value) || undefined
}

function textElement({ x, y, size, weight, text }: PlacedLine): string {
  const look = weight === undefined ? '' : ` font-weight="${weight}"`
  const place = `x="${x}" y="${y}" font-family="${SANS}, Arial, sans-serif" font-size="${size}"`
  return `<text ${place}${look}>${escapedText(text)}</text>`
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
}

function escaped(value: string): string {
  return value.replaceAll(/[&<>"]/g, (sign) => ESCAPES[sign])
}

/** Outside of attributes: style sheets keep their quotes. */
function escapedText(text: string): string {
  return text.replaceAll(/[&<>]/g, (sign) => ESCAPES[sign])
}
