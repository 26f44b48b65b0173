import { hash } from 'node:crypto'
import type { ArtifactEngine } from '../records/artifacts.ts'

type DiagramEngine = Exclude<ArtifactEngine, 'markdown' | 'weasyprint'>

/** A fenced code block whose language is that of a diagram. */
export interface Fence {
  readonly engine: DiagramEngine
  readonly source: string
}

/** Diagrams of fences by their keys: SVG, or the reason why it is missing. */
export interface FenceDrawings {
  readonly pictures: Readonly<Record<string, string>>
  readonly faults: Readonly<Record<string, string>>
}

const ENGINES: Readonly<Record<string, DiagramEngine>> = {
  d2: 'd2',
  mermaid: 'mermaid',
  dot: 'graphviz',
  graphviz: 'graphviz',
}

/** Identifies the drawing of a code block; undefined for other languages. */
export function fenceKey(language: string, source: string): string | undefined {
  const engine = engineOf(language)
  return engine && keyOf({ engine, source })
}

/** The engine of a code block's language. */
export function engineOf(language: string): DiagramEngine | undefined {
  return Object.hasOwn(ENGINES, language) ? ENGINES[language] : undefined
}

/** {@link fenceKey} of a known engine. */
export function keyOf({ engine, source }: Fence): string {
  return `fence-${hash('sha256', `${engine}\0${source.trimEnd()}`)}`
}
