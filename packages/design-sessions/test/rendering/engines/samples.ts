// Goal: every engine draws its samples, as SVG and as PNG. Method: samples of each engine, several
// at once; those of D2, which takes longest, on one sheet, at night each by itself; of Mermaid by
// day the most common; the texts of the pictures are checked.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { IS_NIGHT, byTier } from '@orrery/testkit/tier'
import type { DiagramEngine } from '../../../src/engines/drawing.ts'
import { type RenderResult, sharedRenderer } from '../../renderer.ts'
import { d2Samples, d2Sheet } from './d2-samples.ts'
import { graphvizSamples } from './graphviz-samples.ts'
import { mermaidRefused, mermaidSamples, rareMermaidSamples } from './mermaid-samples.ts'
import { pythonSamples } from './python-samples.ts'

const renderer = sharedRenderer()

const pictures = new Map<string, Promise<string>>()

/** The picture of a source; drawn once for all tests. */
function picture(engine: DiagramEngine, source: string): Promise<string> {
  const key = `${engine} ${source}`
  const drawing = pictures.get(key) ?? drawn(engine, source)
  pictures.set(key, drawing)
  return drawing
}

async function drawn(engine: DiagramEngine, source: string): Promise<string> {
  const result = await renderer.render({ engine, source })
  if (!result.ok) throw new Error(result.error)
  return Buffer.from(result.outputs[0].bytes).toString()
}

async function fault(engine: DiagramEngine, source: string): Promise<string> {
  const result: RenderResult = await renderer.render({ engine, source })
  return result.ok ? 'drawn' : result.error
}

/** Words of a picture, without its markup. */
function textOf(svg: string): string {
  return svg
    .replaceAll(/<style[^]*?<\/style>/g, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
}

function width(png: Uint8Array): number {
  return Buffer.from(png).readUInt32BE(16)
}

test('a process is warmed by a drawing of what takes longest to load', async () => {
  expect(await renderer.run('warm', null)).toBeNull()
})

/** Where the pictures of all samples are written, to be looked at. */
const PICTURES = process.env['PICTURES']

async function kept(name: string, svg: string): Promise<void> {
  const path = join(PICTURES ?? '', name.replaceAll(/\W+/g, '-'))
  await writeFile(`${path}.svg`, svg)
  if (svg.startsWith('<svg')) await writeFile(`${path}.png`, await renderer.run('png', svg))
}

/** By day those with most of the language, and no large graph. */
const programs = ['card payments', 'containers of C4'] as const
const { large: _large, ...smallGraphs } = graphvizSamples
const dayPrograms = Object.fromEntries(programs.map((name) => [name, pythonSamples[name]]))

const samples: readonly (readonly [DiagramEngine, Readonly<Record<string, string>>])[] = [
  ['d2', byTier({ gate: { sheet: d2Sheet }, night: d2Samples })],
  ['graphviz', byTier({ gate: smallGraphs, night: graphvizSamples })],
  ['mermaid', { ...mermaidSamples, ...byTier({ gate: {}, night: rareMermaidSamples }) }],
  ['diagrams_py', byTier({ gate: dayPrograms, night: pythonSamples })],
]

test.each(samples)('%s draws its samples, all at once', async (engine, sources) => {
  const refused = await Promise.all(
    Object.entries(sources).map(async ([name, source]) => {
      const svg = await picture(engine, source).catch((error: unknown) => String(error))
      if (PICTURES) await kept(`${engine}-${name}`, svg)
      return svg.startsWith('<svg xmlns="http://www.w3.org/2000/svg"') ? '' : `${name}: ${svg}`
    }),
  )
  expect(refused.filter(Boolean)).toEqual([])
})

test('the words of a source are in its picture', async () => {
  const d2 = (name: string): Promise<string> =>
    picture('d2', byTier({ gate: d2Sheet, night: d2Samples[name] }))
  expect(textOf(await d2('nested'))).toMatch(/Frankfurt.*replicates/)
  expect(textOf(await d2('markdown'))).toMatch(
    /Why two regions Because one fails: • power • network/,
  )
  expect(textOf(await picture('graphviz', graphvizSamples['other scripts']))).toMatch(/Zürich Süd/)
  expect(textOf(await picture('mermaid', mermaidSamples['sequence']))).toContain('asks for a page')
})

// By day kinds.test.ts and portable-styles.test.ts of mermaid-svg notice a look that is lost.
test.runIf(IS_NIGHT)(
  'mermaid keeps lines, styles and looks of edges that only browsers understand',
  async () => {
    const flow = await picture(
      'mermaid',
      `flowchart LR
      classDef hot fill:#fde8e8
      a["first<br/>second"]:::hot --> b["${'long text '.repeat(15)}"]`,
    )
    expect(textOf(flow)).toMatch(/first second/)
    expect(flow).toMatch(/\.hot[^{}]*\{fill:#fde8e8/)
    const boxes = [...flow.matchAll(/class="basic label-container"[^>]*height="([\d.]+)"/g)]
    const [two, many] = boxes.map(([, height]) => Number(height))
    // Lines of 16 px and more.
    expect([two > 32, many > two + 48]).toEqual([true, true])
    const inheritance = await picture('mermaid', mermaidSamples['class'])
    expect(inheritance).toMatch(/#diagram_\w+-extensionStart,.*\.extension\{fill:transparent/)
    expect(inheritance).not.toContain('[id$=')
  },
)

test('PNG has twice the pixels of SVG, and less where that would be too many', async () => {
  const { outputs: small } = await renderer.run('diagram', {
    engine: 'graphviz',
    source: 'graph { a [width=1 height=1 fixedsize=true]; pad=0 }',
    format: 'png',
  })
  expect(small.map(({ filename, contentType }) => [filename, contentType])).toEqual([
    ['diagram.png', 'image/png'],
  ])
  // One inch of 96 pixels, twice.
  expect(width(small[0].bytes)).toBeGreaterThan(190)
  // The first is readable at one to one, which takes as long to draw as the second.
  const inches = byTier({ gate: [400], night: [40, 400] })
  for (const inch of inches) {
    const { outputs } = await renderer.run('diagram', {
      engine: 'graphviz',
      source: `graph { a [width=${inch} height=${inch} fixedsize=true style=filled] }`,
      format: 'png',
    })
    expect(width(outputs[0].bytes)).toBeGreaterThan(3800)
    expect(width(outputs[0].bytes)).toBeLessThan(4100)
  }
  const line = '<svg xmlns="http://www.w3.org/2000/svg" width="1e9" height="1"></svg>'
  await expect(renderer.run('png', line)).rejects.toThrow(/million pixels, at most 64/)
})

test('errors contain the line', async () => {
  // By day a row of the contract reads a fault of D2.
  const [engine, source, line] = byTier<readonly [DiagramEngine, string, RegExp]>({
    gate: ['graphviz', 'digraph {\n\n a -> ;\n}', /line 3/],
    night: ['d2', 'a -> b\nc -> {', /2:\d+: /],
  })
  expect(await fault(engine, source)).toMatch(line)
  expect(await fault('graphviz', 'digraph {\n a -> ;\n}')).toMatch(/line 2/)
  expect(await fault('mermaid', 'flowchart TD\n a --> ')).toMatch(/line 2|line 3/)
  expect(await fault('mermaid', 'no such kind\n a')).not.toBe('drawn')
  expect(await fault('d2', 'x: @/etc/passwd')).not.toMatch(/root:|drawn/)
})

/** Merged edges with ports, which spoil the memory of Graphviz; every part in the same job. */
const SPOILING = `from diagrams import Cluster, Diagram, Edge, Node
for name in ["one", "two", "three", "four", "five", "six"]:
    title = "\\n\\nA service with merged edges, part " + name
    with Diagram(title, graph_attr={"concentrate": "true"}):
        with Cluster("Sessions"):
            Node("replica", shape="none")
        Node("hub") >> Edge(headport="w") >> Node("session")
        Node("x") >> Edge(headport="w") >> Node("y")`

test.runIf(IS_NIGHT)(
  'a graph that meets a spoilt engine of Graphviz is drawn by a new one',
  async () => {
    const { outputs } = await renderer.run('diagram', { engine: 'diagrams_py', source: SPOILING })
    expect(outputs.filter(({ contentType }) => contentType === 'image/svg+xml')).toHaveLength(6)
  },
)

/** Sources that are not drawn as most expect, or are, and the notes beside the picture. */
const NOTED: readonly (readonly [DiagramEngine, source: string, notes: readonly RegExp[]])[] = [
  ['mermaid', 'flowchart TD\n api---ops', [/`---o` is an edge with a circle/]],
  ['mermaid', 'graph LR\n users---xray & a["x---ops"]', [/`---x` is an edge with a cross/]],
  ['mermaid', 'flowchart TD\n a-->b\n o-->p', [/`o--` is an edge with a circle/]],
  ['mermaid', 'flowchart TD\n a--- ops\n b--o c\n d-->|"a---ops"| e[x---old]', []],
  ['mermaid', 'sequenceDiagram\n a->>b: x---old', []],
  [
    'mermaid',
    'architecture-beta\n service a(aws:no-such)[A]\n service b(server)[B]\n service c(aws:ec2)[C]',
    [/^The icon aws:no-such is unknown$/],
  ],
  [
    'mermaid',
    'flowchart LR\n a@{ icon: "k8s:pod" }\n b@{ icon: "x:y" }\n c[fa:fa-car Car]',
    [/^The icon x:y /, /^The icon fa:fa-car /],
  ],
  ['mermaid', 'sequenceDiagram\n a->>b: $$x^2$$', [/^Formulas .* are drawn as their text$/]],
  [
    'mermaid',
    '%%{init: {"securityLevel": "loose", "theme": "dark"}}%%\nflowchart TD\n a --> b',
    [/not taken: securityLevel$/],
  ],
  [
    'graphviz',
    'graph { redis:6379 -- api:8080; redis:6380 -- api }',
    [
      /`redis:6379` is the node redis, without a port 6379/,
      /`api:8080` is the node api, without a port 8080/,
      /`redis:6380` is the node redis/,
    ],
  ],
  ['graphviz', 'digraph { a [shape=record label="<p> x"]; a:p:n -> b:s /* c:9 */ }', []],
  ['graphviz', 'digraph { "db:80" -> x [label="to y:90" href="http://z:1"] }', []],
  ['graphviz', 'digraph { b [label=<x & y>] }', [/warns of a fault in label of node b/]],
]

test.each(NOTED)('%s: %s has its notes', async (engine, source, notes) => {
  const result = await renderer.render({ engine, source })
  const found = result.ok ? result.notes : [result.error]
  expect(found).toEqual(notes.map((note): unknown => expect.stringMatching(note)))
})

// By day mermaid-svg.test.ts notices one that is not refused.
test.runIf(IS_NIGHT).each(Object.entries(mermaidRefused))(
  'mermaid refuses %s',
  async (_, [source, reason]) => {
    expect(await fault('mermaid', source)).toMatch(reason)
  },
)
