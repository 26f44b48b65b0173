import type { Mermaid } from 'mermaid'
import { config as domConfig } from 'svgdom'
import { dirname, relative } from 'node:path'
import { errorText, plainText } from '../plain-text.ts'
import { randomNumbers } from '../random.ts'
import { BOLD_SUFFIX } from './dom-boxes.ts'
import { pretendBrowser } from './dom-window.ts'
import { SANS, fontFile } from './fonts.ts'
import { withPlainStyles } from './plain-styles.ts'
import { sourceError } from './render-error.ts'

/** Settings in a source could lift restrictions, load things, or change every label. */
const DIRECTIVE = /%%\{/
const FRONT_MATTER = /^\s*---[ \t]*\n([^]*?)\n[ \t]*---/
const TITLE_ONLY = /^(?:\s*title[ \t]*:[^\n]*)?\s*$/

const directory = dirname(fontFile('regular'))
const faces = [
  [SANS, relative(directory, fontFile('regular'))],
  [SANS + BOLD_SUFFIX, relative(directory, fontFile('bold'))],
]
domConfig
  .setFontDir(`${directory}/`)
  .setFontFamilyMappings(Object.fromEntries(faces))
  .preloadFonts()

/** The part of a browser that Mermaid looks for; our sanitiser makes up for its own. */
const SETUP = {
  startOnLoad: false,
  securityLevel: 'loose',
  htmlLabels: false,
  flowchart: { htmlLabels: false },
  // Narrower ones would have their labels at their left edge.
  state: { minNodeWidth: 0 },
  journey: { textPlacement: 'tspan' },
  // Outlines are drawn in pieces, which are the same each time.
  handDrawnSeed: 1,
  fontFamily: SANS,
  deterministicIds: true,
  suppressErrorRendering: true,
  maxTextSize: 262_144,
} as const

/** A picture of a Mermaid source, drawn without a browser. */
export async function mermaid(source: string): Promise<string> {
  const [, frontMatter = ''] = FRONT_MATTER.exec(source) ?? []
  if (DIRECTIVE.test(source) || !TITLE_ONLY.test(frontMatter)) {
    throw sourceError('Mermaid settings (%%{init}%%, or more than a title up front) are not taken')
  }
  const removeBrowser = pretendBrowser(SANS)
  const chance = Math.random
  // Commits without a name of their own get one by chance, and equal sources make equal pictures.
  Math.random = sameNumbers()
  try {
    // It looks for a window as soon as it is loaded.
    const { default: engine } = await import('mermaid/dist/mermaid.esm.min.mjs')
    engine.initialize(SETUP)
    const kind = await parsedKind(engine, source)
    return await drawn(engine, LOSES_SIGNS.test(kind) ? withSigns(source) : source, kind)
  } finally {
    Math.random = chance
    removeBrowser()
  }
}

/** Numbers in [0, 1), the same for each picture. */
function sameNumbers(): () => number {
  const next = randomNumbers(SETUP.handDrawnSeed)
  return () => (next() + 1) / 2
}

/** Kinds that take what stands beside such signs for HTML, and drop it. */
const LOSES_SIGNS = /^(?:flowchart|swimlane|block|c4)/

/** Escapes, in Mermaid's way, signs that are part of neither a tag nor an arrow. */
function withSigns(source: string): string {
  return source.replaceAll(/<(?=[\s\d]|=[^=])/g, '#lt;').replaceAll(/(?<=\s)>(?=[\s\d=])/g, '#gt;')
}

async function parsedKind(engine: Mermaid, source: string): Promise<string> {
  try {
    const { diagramType } = await engine.parse(source)
    return diagramType
  } catch (error) {
    const isUnknown = error instanceof Error && error.name === 'UnknownDiagramError'
    throw sourceError(isUnknown ? UNKNOWN_KIND : reason(error))
  }
}

async function drawn(engine: Mermaid, source: string, kind: string): Promise<string> {
  try {
    const { svg } = await engine.render('diagram', source)
    return withPlainStyles(svg)
  } catch (error) {
    throw sourceError(`Mermaid cannot draw this ${kind}: ${reason(error)}`)
  }
}

const UNKNOWN_KIND =
  'The source begins with no kind of diagram that Mermaid draws here: flowchart, sequenceDiagram,' +
  ' classDiagram, stateDiagram, erDiagram, C4Context, C4Container, C4Component, C4Dynamic,' +
  ' C4Deployment, architecture, block, gantt, mindmap, timeline, gitGraph, pie, kanban, journey,' +
  ' requirementDiagram, quadrantChart, xychart, sankey, packet, radar-beta, treemap and others'

function reason(error: unknown): string {
  return plainText(errorText(error))
}
