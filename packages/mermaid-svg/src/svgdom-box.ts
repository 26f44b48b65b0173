import { createHTMLWindow, type SvgNode } from 'svgdom'
import type { Box } from './geometry.ts'

const { document, SVGGraphicsElement } = createHTMLWindow()

// Taken before ours replaces it: all windows share the prototype.
const { getBBox } = SVGGraphicsElement.prototype

/** svgdom's own box of an element: right for shapes, and for words in one style. */
export function svgdomBox(element: SvgNode): Box {
  return getBBox.call(element)
}

/** An element outside of every document. */
export function looseElement(name: string): SvgNode {
  return document.createElementNS('http://www.w3.org/2000/svg', name)
}
