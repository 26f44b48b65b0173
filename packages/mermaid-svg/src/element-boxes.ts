import { createHTMLWindow, type SvgNode } from 'svgdom'
import { arcsAsLines } from './arcs.ts'
import type { WordsBox } from './font.ts'
import { type Box, transformed, union } from './geometry.ts'
import { looseElement, svgdomBox } from './svgdom-box.ts'
import { textBox } from './text-boxes.ts'

const CONTAINERS = new Set(['g', 'a', 'svg'])
const SHAPES = new Set('rect circle ellipse line polyline polygon image use'.split(' '))
const EMPTY: Box = { x: 0, y: 0, width: 0, height: 0 }

const { SVGGraphicsElement } = createHTMLWindow()
const probe = looseElement('path')

/**
 * Makes elements of svgdom measure as in a browser. By itself, svgdom takes `1em` for one pixel,
 * applies no style sheet, anchors each piece of a line alone, and takes a flat arc for a round one.
 */
export function installBoxes(wordsBox: WordsBox): void {
  Object.defineProperties(SVGGraphicsElement.prototype, {
    getBBox: {
      configurable: true,
      value(this: SvgNode) {
        return elementBox(this, wordsBox) ?? EMPTY
      },
    },
    getBoundingClientRect: {
      configurable: true,
      value(this: SvgNode) {
        return transformed(this.getBBox(), this.getScreenCTM())
      },
    },
  })
}

/** In the coordinates of the element's content; `undefined` for what is not drawn. */
function elementBox(element: SvgNode, wordsBox: WordsBox): Box | undefined {
  const { nodeName: name } = element
  if (name === 'text' || name === 'tspan') return textBox(element, wordsBox)
  if (name === 'path') return pathBox(element)
  if (SHAPES.has(name)) return svgdomBox(element)
  if (!CONTAINERS.has(name)) return undefined
  const boxes = element.childNodes.map((child) => {
    const box = viewport(child) ?? elementBox(child, wordsBox)
    return box && child.matrixify ? transformed(box, child.matrixify()) : undefined
  })
  return union(boxes.filter((box) => box !== undefined))
}

/** The place of a drawing inside of the drawing, such as an icon; its content is scaled to it. */
function viewport(child: SvgNode): Box | undefined {
  if (child.nodeName !== 'svg') return undefined
  const [x, y, width, height] = ['x', 'y', 'width', 'height'].map((name) =>
    Number(child.getAttribute(name)),
  )
  return width > 0 && height > 0 ? { x, y, width, height } : undefined
}

function pathBox(path: SvgNode): Box {
  const d = path.getAttribute('d') ?? ''
  if (!d.includes('a')) return svgdomBox(path)
  probe.setAttribute('d', arcsAsLines(d))
  return svgdomBox(probe)
}
