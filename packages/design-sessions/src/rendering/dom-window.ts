import { createHTMLWindow } from 'svgdom'
import { type DomNode, type TextMeasure, installBoxes } from './dom-boxes.ts'

/** Of a usual screen [px]; C4 begins a new row where the next element would not fit. */
const SCREEN_WIDTH = 1280

/**
 * Gives this thread a window and a document that measures, as far as Mermaid and its layouts ask
 * for them; what is not here is not pretended, so that a kind that needs it fails.
 *
 * @param family  that every text is set in
 * @returns what takes them away again: other engines would try to use them
 */
export function pretendBrowser(family: string): () => void {
  const { document, Element, HTMLElement, Node, SVGElement } = createHTMLWindow()
  const { widthOf } = installBoxes(document, family)
  // Without it, the sanitiser that Mermaid brings lets labels through; here it would empty them.
  const implementation = { ...document.implementation, createHTMLDocument: undefined }
  Object.defineProperty(document, 'implementation', { value: implementation })
  Object.defineProperty(document, 'defaultView', { value: globalThis })
  Object.defineProperties(Node.prototype, NODE)
  Object.defineProperties(HTMLElement.prototype, {
    ...UNLAID,
    getContext: { configurable: true, value: context },
  })
  function context(): CanvasContext {
    return new CanvasContext(widthOf)
  }
  const globals: Readonly<Record<string, unknown>> = {
    window: globalThis,
    document,
    Element,
    HTMLElement,
    Node,
    SVGElement,
    CSSStyleSheet: StyleSheet,
    screen: { availWidth: SCREEN_WIDTH },
    addEventListener: () => undefined,
    getComputedStyle: () => ({ getPropertyValue: (name: string) => initialStyle(name) }),
    // Nobody looks at this document, so that it is never painted.
    requestAnimationFrame: () => 0,
  }
  for (const [name, value] of Object.entries(globals)) {
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
  }
  return () => {
    for (const name of Object.keys(globals)) Reflect.deleteProperty(globalThis, name)
  }
}

const ELEMENT_NODE = 1
const FOLLOWING = 4
const PRECEDING = 2

/** What every node has in a browser, but not in svgdom. */
const NODE: PropertyDescriptorMap & ThisType<DomNode> = {
  parentElement: {
    configurable: true,
    get() {
      const { parentNode: parent } = this
      return parent?.nodeType === ELEMENT_NODE ? parent : null
    },
  },
  compareDocumentPosition: {
    configurable: true,
    /** of siblings only, which are all that is compared */
    value(this: DomNode, other: DomNode) {
      const siblings = this.parentNode?.childNodes ?? []
      return siblings.indexOf(this) < siblings.indexOf(other) ? FOLLOWING : PRECEDING
    },
  },
  // Properties of a browser's nodes are not their own.
  toJSON: { configurable: true, value: () => ({}) },
}

/** HTML is not laid out; where it is asked for its size, it is hidden anyway. */
const UNLAID: PropertyDescriptorMap = {
  clientWidth: { configurable: true, value: 0 },
  clientHeight: { configurable: true, value: 0 },
  getBoundingClientRect: {
    configurable: true,
    value: () => ({ left: 0, top: 0, width: 0, height: 0 }),
  },
}

/** What holds unless somebody says otherwise, which nobody does of the boxes that are asked. */
function initialStyle(property: string): string {
  return /^(?:padding|border)-/.test(property) ? '0px' : ''
}

/** By which layouts measure labels; nothing can be painted on it. */
class CanvasContext {
  font = '10px sans-serif'
  readonly #widthOf: TextMeasure['widthOf']
  constructor(widthOf: TextMeasure['widthOf']) {
    this.#widthOf = widthOf
  }
  measureText(words: string): { readonly width: number } {
    const [, size] = /([\d.]+)px/.exec(this.font) ?? []
    return { width: this.#widthOf(words, Number(size), /\bbold\b|\b[6-9]00\b/.test(this.font)) }
  }
}

/** Where Mermaid collects the styles that a source defines, to write them into the picture. */
class StyleSheet {
  readonly cssRules: StyleRule[] = []
  replaceSync(cssText: string): void {
    this.cssRules.splice(0, this.cssRules.length, new StyleRule(cssText))
  }
  insertRule(cssText: string, index: number = 0): number {
    this.cssRules.splice(index, 0, new StyleRule(cssText))
    return index
  }
}

class StyleRule {
  readonly #text: string
  readonly #added: string[] = []
  readonly style: { readonly length: number; setProperty(name: string, value: string): void }
  constructor(text: string) {
    this.#text = text
    const added = this.#added
    this.style = {
      get length() {
        return added.length
      },
      setProperty: (name, value) => void added.push(`${name}: ${value};`),
    }
  }
  get cssText(): string {
    return this.#text.replace(/\}\s*$/, () => `${this.#added.join(' ')}}`)
  }
}
