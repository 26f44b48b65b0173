// Goal: icons of providers, uploads and data are inside of pictures, in every engine and format;
// what is missing has a stand-in and a note; what is hostile or too large is refused or cleaned.
// Method: one renderer, sources with icons, files as uploads bring them.
import { Resvg } from '@resvg/resvg-js'
import { byTier, IS_NIGHT } from '@orrery/testkit/tier'
import { expect, test } from 'vitest'
import type { DiagramEngine, Drawing, RenderRequest } from '../../../src/engines/drawing.ts'
import { sharedRenderer } from '../../renderer.ts'

const renderer = sharedRenderer()

const SQUARE =
  '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40">' +
  '<rect width="40" height="40" fill="#00ff00"/></svg>'
const HOSTILE = SQUARE.replace(
  '<rect',
  '<script>alert(1)</script><image href="https://evil.example/x.png"/><rect onload="alert(1)"',
)
const PNG = new Uint8Array(new Resvg(SQUARE).render().asPng())

/** The header of a PNG with any size. */
function pngHeader(width: number, height: number): Uint8Array {
  const bytes = Buffer.from(PNG)
  bytes.writeUInt32BE(width, 16)
  bytes.writeUInt32BE(height, 20)
  return new Uint8Array(bytes)
}

const FILES = { 'logo.png': PNG, 'logo.svg': new Uint8Array(Buffer.from(HOSTILE)) }

function drawn(
  engine: DiagramEngine,
  source: string,
  files: RenderRequest['files'] = FILES,
): Promise<Drawing> {
  return renderer.run('diagram', { engine, source, files })
}

function svgOf({ outputs }: Drawing): string {
  return Buffer.from(outputs[0].bytes).toString()
}

/** Number of pixels of pure green. */
function greenPixels(svg: string): number {
  const { pixels } = new Resvg(svg).render()
  let green = 0
  for (let i = 0; i < pixels.length; i += 4) {
    if (pixels[i] === 0 && pixels[i + 1] === 255 && pixels[i + 2] === 0) green++
  }
  return green
}

const PYTHON = (nodes: string): string => `from diagrams import Diagram
from diagrams.custom import Custom
from diagrams.k8s.compute import Pod
with Diagram("x"):
    ${nodes}`

const DATA = `data:image/svg+xml;base64,${Buffer.from(HOSTILE).toString('base64')}`

const UPLOADED: readonly (readonly [DiagramEngine, shown: number, source: string])[] = [
  ['d2', 3, `a: {icon: logo.png}\nb: {shape: image; icon: ./img/logo.svg}\nc: {icon: "${DATA}"}`],
  ['graphviz', 2, 'digraph { a [image="logo.png" shape=none label=""]; b [image="logo.svg"] }'],
  ['diagrams_py', 2, PYTHON('Custom("a", "./logo.png") >> Custom("b", "img/logo.svg")')],
]

test.each(UPLOADED)('%s shows its %i uploads and data: %s', async (engine, shown, source) => {
  const drawing = await drawn(engine, source)
  expect(drawing.notes).toEqual([])
  const svg = svgOf(drawing)
  expect(svg).not.toMatch(/<script|evil\.example|onload/)
  for (const [, data] of svg.matchAll(/href="data:image\/svg\+xml;base64,([^"]+)"/g)) {
    expect(Buffer.from(data, 'base64').toString()).not.toMatch(/<script|evil\.example|onload/)
  }
  expect(greenPixels(svg)).toBeGreaterThan(300 * shown)
})

const ICONS =
  'a: {icon: https://icons.terrastruct.com/aws%2FCompute%2FAmazon-EC2.svg}\n' +
  'b: {icon: "gcp:bigquery"}'
const POD = 'flowchart LR\n a@{ icon: "k8s:pod", label: "Pod" } --> b'

const COLLECTED: readonly (readonly [DiagramEngine, shown: number, source: string])[] = [
  ['mermaid', 2, 'architecture-beta\n service a(aws:lambda)[A]\n service b(logos:redis)[B]'],
  ...byTier({ gate: [], night: [['d2', 2, ICONS] as const, ['mermaid', 1, POD] as const] }),
]

const ICON = /<symbol id="picture-\w+"[^>]*><image href="data:image\/svg/g

test.each(COLLECTED)(
  '%s knows %i icons by names of collections: %s',
  async (engine, shown, source) => {
    const drawing = await drawn(engine, source)
    expect(drawing.notes).toEqual([])
    expect(svgOf(drawing).match(ICON)).toHaveLength(shown)
  },
)

test('an icon that is used often is in the file once', async () => {
  const source = PYTHON('[Pod(str(n)) for n in range(50)]')
  const svg = svgOf(await drawn('diagrams_py', source))
  expect(svg.match(/<image /g)).toHaveLength(1)
  expect(svg.match(/<use /g)).toHaveLength(50)
})

const FAMILIES = ['Arial', 'Helvetica, sans-serif', 'Georgia', 'Nobody&apos;s Own', 'monospace', '']

/** The pictures that a diagram of them embeds. */
async function embeddedLogos(files: RenderRequest['files']): Promise<string[]> {
  const names = Object.keys(files ?? {})
  const source = names.map((name, i) => `a${i}: {shape: image; icon: ${name}}`).join('\n')
  const svg = svgOf(await drawn('d2', source, files))
  expect(svg.match(/<use /g)).toHaveLength(names.length)
  expect(greenPixels(svg)).toBeGreaterThan(500 * names.length)
  // Pictures with equal letters are in the file once.
  const embedded = [...svg.matchAll(/href="data:image\/svg\+xml;base64,([^"]+)"/g)]
  return embedded.map(([, data]) => Buffer.from(data, 'base64').toString())
}

test('the text of an uploaded SVG is drawn, whatever its font', async () => {
  const logos = FAMILIES.map((family) => {
    const letters = `<text y="36" font-size="40" font-family="${family}" fill="#00ff00">MMM</text>`
    return SQUARE.replace('width="40"', 'width="120"').replace(/<rect[^>]*>/, letters)
  })
  const named = logos.map(
    (logo, i) => [`logo-${i}.svg`, new Uint8Array(Buffer.from(logo))] as const,
  )
  const files = Object.fromEntries(named)
  const names = Object.keys(files)
  const inDiagram = IS_NIGHT ? await embeddedLogos(files) : []
  const shown = await renderer.run('pictures', { references: names, files })
  expect(Object.keys(shown)).toEqual(names)
  for (const picture of [...inDiagram, ...Object.values(shown)]) {
    expect(greenPixels(picture)).toBeGreaterThan(500)
  }
})

test('what is missing has a stand-in and a note beside what is there', async () => {
  const source =
    'a: {icon: none.png}\nb: {icon: https://evil.example/x.png}\nc: {icon: ../../etc/passwd}\n' +
    'd: {icon: "gcp:bigquery"}'
  const { notes, ...drawing } = await drawn('d2', source)
  expect(notes).toEqual([
    'none.png is not drawn: this version has no such upload',
    'https://evil.example/x.png is not fetched: upload the picture and use its name',
    '../../etc/passwd is not drawn: this version has no such upload',
  ])
  const svg = svgOf({ notes, ...drawing })
  expect(svg).not.toMatch(/evil|passwd/)
  // That of the collection, and one stand-in.
  expect(svg.match(ICON)).toHaveLength(2)
})

/** Unknown icons, and what is said of the nearest one. */
const UNKNOWN: Readonly<Record<string, string>> = {
  'azure:key-vault': '; the nearest is azure:key-vaults',
  'azure:virtual-machines': '; the nearest is azure:virtual-machine',
  'k8s:pods': '; the nearest is k8s:pod',
  'logos:postgres': '; the nearest is logos:postgresql',
  'gcp:big-queri': '; the nearest is gcp:bigquery',
  'unknown:zzzzzzzzzz': '',
}

test('of an unknown icon the nearest is named, where one is similar', async () => {
  const names = Object.keys(UNKNOWN)
  const notes = Object.entries(UNKNOWN).map(([name, near]) => `The icon ${name} is unknown${near}`)
  const boxes = names.map((name, i) => `a${i}: {icon: "${name}"}`)
  const services = names.map((name, i) => ` service a${i}(${name})[A]`)
  const sources = [
    ['mermaid', `architecture-beta\n${services.join('\n')}`] as const,
    ...byTier({ gate: [], night: [['d2', boxes.join('\n')] as const] }),
  ]
  for (const [engine, source] of sources) {
    expect((await drawn(engine, source)).notes).toEqual(notes)
  }
})

const TOO_MUCH: readonly (readonly [name: string, bytes: Uint8Array, reason: RegExp])[] = [
  ['huge.png', pngHeader(10_000, 10_000), /^huge\.png has 100 million pixels, at most 25$/],
  ['text.png', new Uint8Array(Buffer.from('no picture')), /^text\.png is no picture: PNG/],
]

test.each(byTier({ gate: TOO_MUCH.slice(0, 1), night: TOO_MUCH }))(
  '%s is refused before it is decoded',
  async (name, bytes, reason) => {
    const bad = { [name]: bytes }
    const source = `digraph { a [image="${name}"] }`
    await expect(drawn('graphviz', source, bad)).rejects.toThrow(reason)
    const data = `data:image/png;base64,${Buffer.from(bytes).toString('base64')}`
    // D2 takes longer.
    const [engine, own] = byTier({
      gate: ['graphviz', `digraph { a [image="${data}"] }`] as const,
      night: ['d2', `a: {icon: "${data}"}`] as const,
    })
    await expect(drawn(engine, own)).rejects.toThrow(/^A picture in the source/)
  },
)
