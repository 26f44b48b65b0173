import type { Mermaid } from 'mermaid'
import { installBrowser, type PictureSize } from './browser-globals.ts'
import { withCharacters, withDrawnCodes } from './character-codes.ts'
import { type Font, wordsBox } from './font.ts'
import { readableGantt, sectionsWidth } from './gantt-chart.ts'
import { messageOf, parseFault, yamlFault } from './parse-fault.ts'
import { portableSvg } from './portable-styles.ts'
import { type Parted, partedSource, sourceSettings } from './source-settings.ts'

export interface MermaidOptions {
  /** that every text is measured and set in */
  readonly font: Font
  /** numbers in [0, 1) for names and layouts; equal ones make equal pictures */
  readonly random: () => number
  /** the reference of a square picture for an icon such as `logos:redis` */
  readonly icon?: (name: string) => string | undefined
  /** the sentence about a name that `icon` does not know */
  readonly unknownIcon?: (name: string) => string
  /** of a picture that a source refers to [px]; 100 by 100 by default */
  readonly pictureSize?: (reference: string) => PictureSize
  /** receives sentences about what is not drawn as the source says */
  readonly note?: (sentence: string) => void
}

/** The source is at fault; the message is Mermaid's own, with its lines. */
export class MermaidSourceError extends Error {
  override readonly name = 'MermaidSourceError'
}

let previous: Promise<unknown> = Promise.resolve()

/**
 * A picture of a Mermaid source. It is not sanitised. Calls in one thread run one after another,
 * because each changes the thread's globals.
 *
 * @throws {MermaidSourceError}
 */
export function mermaidSvg(source: string, options: MermaidOptions): Promise<string> {
  const drawing = previous.then(() => drawAlone(source, options))
  previous = drawing.catch(() => undefined)
  return drawing
}

async function drawAlone(source: string, options: MermaidOptions): Promise<string> {
  const { font, random, note } = options
  const removeBrowser = installBrowser(options)
  const { random: builtIn } = Math
  try {
    // Mermaid reads globals as soon as it is loaded.
    const { default: engine } = await import('mermaid/dist/mermaid.esm.min.mjs')
    const boxOf = wordsBox(font)
    // As wide as a page, not as a screen: its letters have a fixed size.
    const gantt = { useWidth: 800, leftPadding: sectionsWidth(source, boxOf) }
    engine.initialize({ ...SETTINGS, gantt, fontFamily: font.family })
    engine.registerIconPacks(iconPacks(source, options))
    const { unknownIcon = (name: string) => `The icon ${name} is unknown` } = options
    for (const name of unknownIcons(source, options)) note?.(unknownIcon(name))
    const parted = partedSource(withCharacters(withPlainFormulas(source, note)))
    const safe = await withSafeSettings(engine, parted, note)
    const kind = await parsedKind(engine, safe, parted.body)
    // Not earlier: parsing loads the code of a kind, which may take random numbers only once.
    Math.random = random
    const svg = await drawn(engine, safe, kind)
    const shown = kind === 'gantt' ? readableGantt(svg, parted.body, boxOf) : svg
    return portableSvg(withDrawnCodes(shown), font.family)
  } finally {
    Math.random = builtIn
    removeBrowser()
  }
}

/** More edges exceed any time limit. */
const EDGES_MAX = 500

const SETTINGS = {
  startOnLoad: false,
  // Mermaid's own sanitiser needs a browser.
  securityLevel: 'loose',
  htmlLabels: false,
  flowchart: { htmlLabels: false },
  // In wider boxes, labels would stand at the left edge.
  state: { minNodeWidth: 0 },
  journey: { textPlacement: 'tspan' },
  c4: { diagramMarginX: 10 },
  // Outlines are drawn in strokes, which vary with the seed.
  handDrawnSeed: 1,
  deterministicIds: true,
  suppressErrorRendering: true,
  maxTextSize: 262_144,
  maxEdges: EDGES_MAX,
} as const

/** Names of icons in a source. */
const ICON = /([a-z][\w-]*):([\w-]+)/g

type IconPacks = Parameters<Mermaid['registerIconPacks']>[0]

/** Icons as collections of pictures that the SVG refers to. */
function iconPacks(source: string, { icon }: MermaidOptions): IconPacks {
  const names = Map.groupBy(source.matchAll(ICON), ([, prefix]) => prefix)
  return [...names].map(([prefix, all]) => {
    const icons = all.flatMap(([name, , own]) => {
      const reference = icon?.(name)
      const body = `<image href="${reference}" width="80" height="80"/>`
      return reference === undefined ? [] : [[own, { body }] as const]
    })
    return {
      name: prefix,
      icons: { prefix, width: 80, height: 80, icons: Object.fromEntries(icons) },
    }
  })
}

/** Icons that are shown: of services and groups, of nodes, and of Font Awesome in texts. */
const SHOWN_ICONS = [
  /\b(?:service|group)\s+[\w-]+\s*\(([a-z][\w-]*:[\w-]+)\)/g,
  /\bicon:\s*"([a-z][\w-]*:[\w-]+)"/g,
  /\b(fa[bklrs]?:fa-[\w-]+)/g,
]

function unknownIcons(source: string, { icon }: MermaidOptions): ReadonlySet<string> {
  const names = SHOWN_ICONS.flatMap((pattern) => [...source.matchAll(pattern)])
  return new Set(names.map(([, name]) => name).filter((name) => icon?.(name) === undefined))
}

const FORMULA = /\$\$(.*?)\$\$/g

/** A source without formulas, which only a browser lays out. */
function withPlainFormulas(source: string, note: MermaidOptions['note']): string {
  const plain = source.replaceAll(FORMULA, (_, formula: string) => `$${formula}$`)
  if (plain !== source) note?.('Formulas between $$ are drawn as their text')
  return plain
}

/** A source whose settings are those that are taken, with the lines of the original. */
async function withSafeSettings(
  engine: Mermaid,
  parted: Parted,
  note: MermaidOptions['note'],
): Promise<string> {
  if (parted.frontMatter === '' && parted.directives === '') return parted.body
  const { taken, dropped } = await sourceSettings(engine, parted).catch((error: unknown) => {
    throw new MermaidSourceError(`The settings up front: ${yamlFault(parted.firstLine, error)}`)
  })
  if (dropped.length > 0) note?.(`These settings of Mermaid are not taken: ${dropped.join(', ')}`)
  return `---\n${parted.title}\nconfig: ${JSON.stringify(taken)}\n---\n${parted.body}`
}

/** @param body  the source with its lines, and without settings */
async function parsedKind(engine: Mermaid, source: string, body: string): Promise<string> {
  try {
    const { diagramType } = await engine.parse(source)
    return diagramType
  } catch (error) {
    const isUnknown = error instanceof Error && error.name === 'UnknownDiagramError'
    const message = messageOf(error)
    if (message.startsWith('Edge limit')) throw new MermaidSourceError(TOO_MANY_EDGES)
    throw new MermaidSourceError(isUnknown ? UNKNOWN_KIND : parseFault(body, error))
  }
}

async function drawn(engine: Mermaid, source: string, kind: string): Promise<string> {
  try {
    const { svg } = await engine.render('diagram', withEscapedSigns(source, kind))
    return svg
  } catch (error) {
    throw new MermaidSourceError(`Mermaid cannot draw this ${kind}: ${messageOf(error)}`)
  }
}

/** Kinds that take `<` and what follows for HTML, and drop it. */
const LOSES_SIGNS = /^(?:flowchart|swimlane|block|c4)/

/** Escapes, in Mermaid's way, signs that are part of neither a tag nor an arrow. */
function withEscapedSigns(source: string, kind: string): string {
  if (!LOSES_SIGNS.test(kind)) return source
  return source.replaceAll(/<(?=[\s\d]|=[^=])/g, '#lt;').replaceAll(/(?<=\s)>(?=[\s\d=])/g, '#gt;')
}

const TOO_MANY_EDGES = `The source has more than ${EDGES_MAX} edges: draw it as several diagrams`

const UNKNOWN_KIND =
  'The source begins with no kind of diagram that Mermaid draws here: flowchart, sequenceDiagram,' +
  ' classDiagram, stateDiagram, erDiagram, C4Context, C4Container, C4Component, C4Dynamic,' +
  ' C4Deployment, architecture, block, gantt, mindmap, timeline, gitGraph, pie, kanban, journey,' +
  ' requirementDiagram, quadrantChart, xychart, sankey, packet, radar-beta, treemap and others'
