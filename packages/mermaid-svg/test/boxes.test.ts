// Goal: boxes are those of a browser. Method: a document of svgdom; boxes against what SVG
// specifies, and against each other.
import { createHTMLWindow } from 'svgdom'
import { expect, test } from 'vitest'
import { installBoxes } from '../src/element-boxes.ts'
import { wordsBox } from '../src/font.ts'
import { font } from './picture.ts'

type Parent = ReturnType<typeof element>

const { document } = createHTMLWindow()
installBoxes(wordsBox(font))
const svg = element(undefined, 'svg')
const sheet = element(svg, 'style')
sheet.textContent = `
  .centred text{text-anchor:middle;} .centred #left{text-anchor:start;}
  .large,.huge{font-size:32px;fill:red;}`

// The types of svgdom are ours, and cover what the sources use.
// oxlint-disable-next-line typescript/no-explicit-any
function element(parent: any, name: string, attributes: object = {}, words = ''): any {
  const made: ReturnType<typeof element> = document.createElementNS(
    'http://www.w3.org/2000/svg',
    name,
  )
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value))
  if (words !== '') made.textContent = words
  parent?.appendChild(made)
  return made
}

function box(node: Parent): readonly number[] {
  const { x, y, width, height } = node.getBBox()
  return [x, y, width, height].map((value: number) => Math.round(value * 10) / 10 + 0)
}

test('an arc is as flat as it is drawn, half, small, large or turned back', () => {
  const path = (d: string): readonly number[] => box(element(svg, 'path', { d }))
  expect(path('M0,10 a40,10 0,0,0 80,0 a40,10 0,0,0 -80,0 l0,50 a40,10 0,0,0 80,0 l0,-50')).toEqual(
    [0, 0, 80, 70],
  )
  expect(path('M0,0 a10 10 0 0 1 10 10')).toEqual([0, 0, 10, 10])
  const [x, y, width, height] = path('M10,0 a10,10 0 1 1 -10,10')
  expect([x, y]).toEqual([0, 0])
  expect(width).toBeGreaterThan(19.8)
  expect(height).toBeGreaterThan(19.8)
})

test('lines of a text stand below each other, each as far as its letters are high', () => {
  const lines = (count: number, size?: string): readonly number[] => {
    const text = element(svg, 'text', { y: '-10', ...(size && { class: size }) })
    for (let i = 0; i < count; i++) {
      const line = element(text, 'tspan', { x: 0, y: `${i * 1.1}em`, dy: '1em' })
      element(line, 'tspan', {}, 'some')
      element(line, 'tspan', {}, ' words')
    }
    return box(text)
  }
  const [one, three, large] = [lines(1), lines(3), lines(1, 'huge')]
  expect(three[2]).toBe(one[2])
  expect(three[3] - one[3]).toBeCloseTo(2 * 1.1 * 16, 0)
  expect(large[2] / one[2]).toBeCloseTo(2, 1)
})

test('parts of a line are anchored together, as style sheets say', () => {
  const outer = element(svg, 'g')
  const group = element(outer, 'g', { class: 'centred', transform: 'translate(100, 0)' })
  const text = element(group, 'text', { x: 0 })
  for (const words of ['one', ' two', ' three']) element(text, 'tspan', {}, words)
  const [x, , width] = box(text)
  expect(x).toBeCloseTo(-width / 2, 0)
  expect(box(outer)[0]).toBeCloseTo(100 + x, 0)
  expect(box(element(group, 'text', { x: 0, id: 'left' }, 'one two three'))[0]).toBe(0)
  expect(box(element(group, 'text', { x: 0, style: 'text-anchor: end' }, 'one'))[0]).toBeLessThan(
    -5,
  )
})

test('what is not drawn takes no room', () => {
  const group = element(svg, 'g')
  expect(box(group)).toEqual([0, 0, 0, 0])
  const marker = element(group, 'marker')
  element(marker, 'rect', { x: -50, width: 100, height: 100 })
  element(group, 'text')
  element(group, 'rect', { x: 5, y: 6, width: 7, height: 8 })
  expect(box(group)).toEqual([5, 6, 7, 8])
})
