// Goal: codes of characters are drawn as these characters, and take their room. Method: kinds that
// decode early, late or never; the words of the picture and its width.
import { byTier } from '@orrery/testkit/tier'
import { expect, test } from 'vitest'
import { mermaidSvg } from '../src/index.ts'
import { font, picture, words } from './picture.ts'

const CODES = '#quot;hi#quot; #9829; #infin; &Omega; #59; #amp; #lt;b#gt; #nothing;'
const DRAWN = '&quot;hi&quot; ♥ ∞ Ω &#59; &amp; &lt;b&gt; &amp;nothing;'

const SOURCES: Readonly<Record<string, string>> = {
  flowchart: `flowchart LR\n a["${CODES}"]\n style a fill:#123;`,
  sequence: `sequenceDiagram\n a->>b: ${CODES}`,
  class: `classDiagram\n class a["${CODES}"]`,
  entities: `erDiagram\n A ||--o{ B : "${CODES}"`,
  mindmap: `mindmap\n root["${CODES}"]`,
  gantt: `gantt\n title ${CODES}\n section s\n t :a1, 2026-01-01, 3d`,
  pie: `pie title ${CODES}\n "a" : 3`,
  c4: `C4Context\n Person(a, "A", "${CODES}")`,
}

/** By day four of the kinds. */
const KINDS = byTier({
  gate: ['flowchart', 'sequence', 'gantt', 'c4'],
  night: Object.keys(SOURCES),
})

test.each(KINDS)('codes in a %s are characters', async (kind) => {
  expect(words(await picture(SOURCES[kind]))).toContain(DRAWN)
})

test('a code is as wide as its character', async () => {
  const width = async (text: string): Promise<number> => {
    const svg = await picture(`sequenceDiagram\n a->>b: ${text.repeat(20)}`)
    return Number(/viewBox="\S+ \S+ (\S+)/.exec(svg)?.[1])
  }
  expect(await width('#lt;')).toBe(await width('<'))
  expect(await width('#infin;')).toBe(await width('∞'))
})

test('colours such as #123; are no codes', async () => {
  expect(await picture('flowchart LR\n a --> b\n style a fill:#123;')).toContain('fill:#123')
  expect(await picture('flowchart LR\n a --> b')).toMatch(/\.flowchart-link\{stroke:#000000/)
})

test('data of an event are drawn', async () => {
  const svg = await picture('eventmodeling\n\ntf 01 ui Cart\ntf 02 cmd Add { item: string }\n')
  expect(words(svg)).toMatch(/item:\s+string/)
})

test('a node with a picture has the proportions of that picture', async () => {
  const svg = await mermaidSvg('flowchart LR\n a@{ img: "logo.png", h: 50, constraint: "on" }', {
    font,
    random: () => 0.5,
    pictureSize: () => ({ width: 300, height: 100 }),
  })
  expect(svg).toMatch(/<image [^>]*href="logo\.png"[^>]* width="150" height="50"/)
})
