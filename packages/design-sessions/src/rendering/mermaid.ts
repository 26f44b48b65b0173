import type { Mermaid } from 'mermaid'
import { dirname } from 'node:path'
import { config as domConfig, createHTMLWindow } from 'svgdom'
import { plainText } from '../plain-text.ts'
import { SANS, fontFile } from './fonts.ts'
import { sourceError } from './render-error.ts'

/** Settings in a source could lift restrictions, load things, or change every label. */
const DIRECTIVE = /%%\{/
const FRONT_MATTER = /^\s*---[ \t]*\n([^]*?)\n[ \t]*---/
const TITLE_ONLY = /^(?:\s*title[ \t]*:[^\n]*)?\s*$/

/** Every family is measured as the one that pictures are set in. */
const FAMILIES = [SANS, 'sans-serif', 'serif', 'monospace', 'arial', 'Arial']

const file = fontFile('regular')
domConfig
  .setFontDir(`${dirname(file)}/`)
  .setFontFamilyMappings(
    Object.fromEntries(FAMILIES.map((family) => [family, file.slice(dirname(file).length + 1)])),
  )
  .preloadFonts()

/** The part of a browser that Mermaid looks for; our sanitiser makes up for its own. */
const SETUP = {
  startOnLoad: false,
  securityLevel: 'loose',
  htmlLabels: false,
  flowchart: { htmlLabels: false },
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
    return svg
  } catch {
    // What is missing differs from kind to kind: canvas, layout, styles.
    throw sourceError(
      `Mermaid's ${kind} needs a browser and is not drawn here (beta). Drawn are: flowchart,` +
        ' sequence, class, state, ER, pie, git, requirement, journey, timeline, quadrant, XY,' +
        ' kanban, packet, radar.',
    )
  }
}

/** Gives this thread a document; other engines must not find it, as they would try to use it. */
function pretendBrowser(): () => void {
  const { document, Element, Node, SVGElement } = createHTMLWindow()
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

/** Mermaid asks for one and writes its styles into the picture all the same. */
class StyleSheet {
  readonly cssRules: readonly object[] = []
  replaceSync(): void {
    // Nothing is shown.
  }
  insertRule(): number {
    return 0
  }
}
