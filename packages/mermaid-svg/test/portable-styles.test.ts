// Goal: what only browsers support of a style sheet is written out, in time linear in its length.
// Method: small sheets, and long ones that make careless patterns take minutes.
import { expect, test } from 'vitest'
import { portableSvg } from '../src/portable-styles.ts'
import { styleRules } from '../src/style-rules.ts'

const LONG = 262_000

function portable(svg: string): string {
  return portableSvg(svg, 'Arimo')
}

test('a rule for a class without another is one for a class of its own', () => {
  const svg = portable(
    '<svg><style>.a:not(.b){fill:red}</style><g class="a"/><g class="a b"/></svg>',
  )
  expect(svg).toContain('.a.a-not-b{fill:red}')
  expect(svg).toContain('<g class="a-not-b a"/><g class="a b"/>')
})

test('colours become numbers, and the radius of a style one of the shape', () => {
  const sheet = 'a{fill:hsl(0, 100%, 50%);stroke:hsl(-240, 100%, 25%)}'
  const svg = portable(
    `<svg><style>${sheet}</style><rect rx="1" ry="1" style="rx: 5px;ry: 5px"/></svg>`,
  )
  expect(svg).toContain('a{fill:#ff0000;stroke:#008000}')
  expect(svg).toContain('<rect rx="5" ry="5" style')
})

test.each(['a', 'a{', 'a,', '[id$="a'])('a style sheet of nothing but %s is no rule', (part) => {
  const sheet = part.repeat(LONG / part.length)
  const rules = styleRules(sheet, new Set(['fill']))
  const nothing = { nodeName: 'g', parentNode: null, getAttribute: () => null, matches: () => true }
  expect(rules.of(nothing)).toEqual(new Map())
  expect(portable(`<svg><style>${sheet}</style></svg>`)).toContain(sheet)
})

test.each(['<style', '<style>', '<g ', ' id="a'])('a picture of nothing but %s', (part) => {
  const svg = part.repeat(LONG / part.length)
  expect(portable(svg)).toBe(svg)
})
