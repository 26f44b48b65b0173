import colorNames from 'color-name'
import { withXmlEntities } from './character-codes.ts'
import { createHTMLWindow, type SvgNode } from 'svgdom'
import { installBoxes } from './element-boxes.ts'
import { type Font, INITIAL_STYLE, type WordsBox, wordsBox } from './font.ts'
import { StyleSheet } from './style-sheet.ts'

/** Room for four elements of C4 in a row [px], which is its number by default. */
const SCREEN_WIDTH = 1440

export interface PictureSize {
  readonly width: number
  readonly height: number
}

export interface BrowserOptions {
  readonly font: Font
  /** of a picture that is referred to [px] */
  readonly pictureSize?: (reference: string) => PictureSize
}

/**
 * Gives this thread a window and a document that measure, as far as Mermaid and its layouts use
 * them. A kind of diagram that uses more fails.
 *
 * @returns what removes them: other libraries would take this thread for a browser
 */
export function installBrowser({ font, pictureSize }: BrowserOptions): () => void {
  const measure = wordsBox(font)
  const { document, Element, HTMLElement, Node } = createHTMLWindow()
  installBoxes(measure)
  Object.defineProperties(document, {
    // Mermaid's sanitiser does nothing without a document of its own; here it would empty labels.
    implementation: { value: { ...document.implementation, createHTMLDocument: undefined } },
    defaultView: { value: globalThis },
  })
  Object.defineProperties(Node.prototype, NODE)
  readMarkup(Element.prototype)
  Object.defineProperties(HTMLElement.prototype, {
    ...HIDDEN,
    getContext: { configurable: true, value: () => new CanvasContext(measure) },
  })
  const globals: Readonly<Record<string, unknown>> = {
    window: globalThis,
    document,
    Element,
    CSSStyleSheet: StyleSheet,
    CSS: { supports: (_property: string, value: string) => isColor(value) },
    Image: class extends Picture {
      protected override readonly size = pictureSize
    },
    screen: { availWidth: SCREEN_WIDTH },
    addEventListener: () => undefined,
    getComputedStyle: () => ({ getPropertyValue: initialValue }),
    // Nothing is painted, so no frame ever comes.
    requestAnimationFrame: () => 0,
  }
  for (const [name, value] of Object.entries(globals)) {
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
  }
  const restoreZone = useUtc()
  return () => {
    restoreZone()
    for (const name of Object.keys(globals)) Reflect.deleteProperty(globalThis, name)
  }
}

/** Dates of charts are drawn in local time. */
function useUtc(): () => void {
  const { TZ: zone } = process.env
  process.env['TZ'] = 'UTC'
  return () => {
    if (zone === undefined) delete process.env['TZ']
    else process.env['TZ'] = zone
  }
}

const ELEMENT_NODE = 1
const FOLLOWING = 4
const PRECEDING = 2

/** Properties of nodes that svgdom lacks. */
const NODE: PropertyDescriptorMap & ThisType<SvgNode> = {
  parentElement: {
    configurable: true,
    get() {
      const { parentNode: parent } = this
      return parent?.nodeType === ELEMENT_NODE ? parent : null
    },
  },
  compareDocumentPosition: {
    configurable: true,
    /** of siblings only */
    value(this: SvgNode, other: SvgNode) {
      const siblings = this.parentNode?.childNodes ?? []
      return siblings.indexOf(this) < siblings.indexOf(other) ? FOLLOWING : PRECEDING
    },
  },
  // In a browser, nodes have no properties of their own, and so no cycles in JSON.
  toJSON: { configurable: true, value: () => ({}) },
}

let markup: PropertyDescriptor | undefined

/** Names of characters in HTML, which svgdom does not know. */
function readMarkup(prototype: object): void {
  markup ??= Object.getOwnPropertyDescriptor(prototype, 'innerHTML')
  Object.defineProperty(prototype, 'innerHTML', {
    ...markup,
    set(this: unknown, html: unknown) {
      markup?.set?.call(this, withXmlEntities(String(html)))
    },
  })
}

/** HTML is not laid out; the elements that are measured would be hidden. */
const HIDDEN: PropertyDescriptorMap = {
  clientWidth: { configurable: true, value: 0 },
  clientHeight: { configurable: true, value: 0 },
  getBoundingClientRect: {
    configurable: true,
    value: () => ({ left: 0, top: 0, width: 0, height: 0 }),
  },
}

function initialValue(property: string): string {
  return /^(?:padding|border)-/.test(property) ? '0px' : ''
}

function isColor(value: string): boolean {
  const name = value.toLowerCase()
  return /^#|^(?:rgb|hsl)a?\(|^transparent$/.test(name) || Object.hasOwn(colorNames, name)
}

/** A picture that is measured only. */
class Picture {
  protected readonly size: BrowserOptions['pictureSize']
  src = ''

  get naturalWidth(): number {
    return this.size?.(this.src).width ?? 100
  }

  get naturalHeight(): number {
    return this.size?.(this.src).height ?? 100
  }

  async decode(): Promise<void> {}
}

/** By which layouts measure labels. */
class CanvasContext {
  font = '10px sans-serif'
  readonly #measure: WordsBox

  constructor(measure: WordsBox) {
    this.#measure = measure
  }

  measureText(words: string): { readonly width: number } {
    const [, size] = /([\d.]+)px/.exec(this.font) ?? []
    const isBold = /\bbold\b|\b[6-9]00\b/.test(this.font)
    const { width } = this.#measure(words, { ...INITIAL_STYLE, size: Number(size), isBold })
    return { width }
  }
}
