import type { Mermaid } from 'mermaid'
import { config as domConfig, createHTMLWindow } from 'svgdom'
import { dirname, relative } from 'node:path'
import { plainText } from '../plain-text.ts'
import { BOLD_SUFFIX, installBoxes } from './dom-boxes.ts'
import { SANS, fontFile } from './fonts.ts'
import { sourceError } from './render-error.ts'

/** Settings in a source could lift restrictions, load things, or change every label. */
const DIRECTIVE = /%%\{/
const FRONT_MATTER = /^\s*---[ \t]*\n([^]*?)\n[ \t]*---/
const TITLE_ONLY = /^(?:\s*title[ \t]*:[^\n]*)?\s*$/

/** Every family is measured as the one that pictures are set in. */
const FAMILIES = [SANS, 'sans-serif', 'serif', 'monospace', 'arial', 'Arial']

const directory = dirname(fontFile('regular'))
const faces = FAMILIES.flatMap((family) => [
  [family, relative(directory, fontFile('regular'))],
  [family + BOLD_SUFFIX, relative(directory, fontFile('bold'))],
])
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
  fontFamily: SANS,
  deterministicIds: true,
  suppressErrorRendering: true,
  maxTextSize: 262_144,
} as const

/**
 * A picture of a Mermaid source, drawn without a browser: kinds that need one are refused.
 */
export async function mermaid(source: string): Promise<string> {
  const [, frontMatter = ''] = FRONT_MATTER.exec(source) ?? []
  if (DIRECTIVE.test(source) || !TITLE_ONLY.test(frontMatter)) {
    throw sourceError('Mermaid settings (%%{init}%%, or more than a title up front) are not taken')
  }
  const removeBrowser = pretendBrowser()
  try {
    // It looks for a window as soon as it is loaded.
    const { default: engine } = await import('mermaid')
    engine.initialize(SETUP)
    return await drawn(engine, source, await parsedKind(engine, source))
  } finally {
    removeBrowser()
  }
}

async function parsedKind(engine: Mermaid, source: string): Promise<string> {
  try {
    const { diagramType } = await engine.parse(source)
    return diagramType
  } catch (error) {
    throw sourceError(plainText(error instanceof Error ? error.message : String(error)))
  }
}

async function drawn(engine: Mermaid, source: string, kind: string): Promise<string> {
  try {
    const { svg } = await engine.render('diagram', source)
    return withPlainStyles(svg)
  } catch {
    // What is missing differs from kind to kind: canvas, layout, styles.
    throw sourceError(
      `Mermaid's ${kind} needs a browser and is not drawn here (beta). Drawn are: flowchart,` +
        ' sequence, class, state, ER, pie, git, requirement, journey, timeline, quadrant, XY,' +
        ' kanban, packet, radar.',
    )
  }
}

/** Lines are not to show through the labels that lie on them. */
const LABELS = '#diagram .edgeLabel rect{opacity:1!important;fill:#ffffff!important;}'

const BY_ID_END = /([^,{}]*)\[id\$=(?:"|&quot;)([\w-]+)(?:"|&quot;)\]([^,{}]*)/g

/** Styles that are chosen by the end of an id, which only browsers do, are chosen by whole ids. */
function withPlainStyles(svg: string): string {
  const ids = [...new Set([...svg.matchAll(/\bid="([\w-]+)"/g)].map(([, id]) => id))]
  const plain = (sheet: string): string =>
    sheet.replaceAll(BY_ID_END, (_, before, end, after) => {
      const found = ids.filter((id) => id.endsWith(end))
      return found.map((id) => `${before}#${id}${after}`).join(',') || `${before}none${after}`
    })
  return svg.replace(
    /(<style[^>]*>)([^]*?)<\/style>/,
    (_, opening, sheet) => `${opening}${plain(sheet)}${LABELS}</style>`,
  )
}

/** Gives this thread a document; other engines must not find it, as they would try to use it. */
function pretendBrowser(): () => void {
  const { document, Element, Node, SVGElement } = createHTMLWindow()
  installBoxes(document, SANS)
  // Without it, the sanitiser that Mermaid brings lets labels through; here it would empty them.
  const implementation = { ...document.implementation, createHTMLDocument: undefined }
  Object.defineProperty(document, 'implementation', { value: implementation })
  const globals: Readonly<Record<string, unknown>> = {
    window: globalThis,
    document,
    Element,
    Node,
    SVGElement,
    CSSStyleSheet: StyleSheet,
    addEventListener: () => undefined,
    getComputedStyle: () => ({ getPropertyValue: () => '' }),
  }
  for (const [name, value] of Object.entries(globals)) {
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
  }
  return () => {
    for (const name of Object.keys(globals)) Reflect.deleteProperty(globalThis, name)
  }
}

/** Where Mermaid collects the styles that a source defines, to write them into the picture. */
class StyleSheet {
  readonly cssRules: { readonly cssText: string }[] = []
  replaceSync(cssText: string): void {
    this.cssRules.splice(0, this.cssRules.length, { cssText })
  }
  insertRule(cssText: string, index: number = 0): number {
    this.cssRules.splice(index, 0, { cssText })
    return index
  }
}
