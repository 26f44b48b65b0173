// Goal: an SVG carries the fonts it was measured with, so that its text is as wide on a machine
// without them. Method: pictures, at night of each engine, in Chromium, which has none of them; the
// width of each text against that in the whole font.
import { CHROMIUM_RUNS_HERE, sharedBrowser } from '@orrery/testkit/browser'
import { byTier } from '@orrery/testkit/tier'
import { expect, test } from 'vitest'
import type { DiagramEngine } from '../../src/engines/drawing.ts'
import { type FontFace, fontBytes } from '../../src/pictures/fonts.ts'
import { sharedRenderer } from '../renderer.ts'

const WORDS = 'Ämter fi Łódź Ж7'

type Source = readonly [DiagramEngine, face: FontFace, source: string]

/** They take longest to load. */
const SLOW: readonly Source[] = [
  ['mermaid', 'regular', `flowchart LR\n a["${WORDS}"]`],
  ['d2', 'regular', `a: |md ${WORDS} |`],
]

const SOURCES: readonly Source[] = [
  ...byTier({ gate: [], night: SLOW }),
  ['graphviz', 'regular', `digraph { a [label="${WORDS}"] }`],
  ['graphviz', 'mono', `digraph { a [label="${WORDS}" fontname="Courier New"] }`],
  ['graphviz', 'regular', `digraph { a [label="${WORDS}" fontname=Helvetica] }`],
  ['graphviz', 'bold', `digraph { a [label=<<b>${WORDS}</b>>] }`],
  [
    'diagrams_py',
    'regular',
    `from diagrams import Diagram, Node\nwith Diagram("x"): Node("${WORDS}")`,
  ],
]

test.runIf(CHROMIUM_RUNS_HERE)('texts are as wide as in the whole fonts', async () => {
  const page = await (await sharedBrowser()).newPage()
  try {
    const faces = ['regular', 'bold', 'mono'] as const
    const fonts = faces.map((face) => [face, fontBytes(face).toString('base64')] as const)
    const rules = fonts.map(
      ([face, bytes]) => `@font-face{font-family:${face};src:url(data:font/ttf;base64,${bytes})}`,
    )
    await page.setContent(`<style>${rules.join('')}</style><div id="picture"></div>`)
    for (const [engine, face, source] of SOURCES) {
      const { outputs } = await sharedRenderer().run('diagram', { engine, source })
      const svg = Buffer.from(outputs[0].bytes).toString()
      const widths = await page.evaluate(
        async ([words, family, picture]) => {
          document.querySelector('#picture')!.innerHTML = picture
          await Promise.all([...document.fonts].map((font) => font.load()))
          const text = [...document.querySelectorAll('text')].find((one) =>
            one.textContent.includes(words),
          )
          if (!text) return []
          // Subsets have no kerning, neither has what was measured.
          text.style.fontKerning = 'none'
          text.style.fontVariantLigatures = 'none'
          const own = text.getComputedTextLength()
          text.style.setProperty('font-family', family, 'important')
          text.style.setProperty('font-weight', 'normal', 'important')
          for (const part of text.querySelectorAll('tspan')) part.style.fontFamily = family
          return [own, text.getComputedTextLength()]
        },
        [WORDS, face, svg] as const,
      )
      expect([source, ...widths]).toEqual([
        source,
        expect.any(Number),
        expect.closeTo(widths[0], 1),
      ])
    }
  } finally {
    await page.close()
  }
})
