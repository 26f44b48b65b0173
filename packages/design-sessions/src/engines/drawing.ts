import type { PictureFiles, Pictures } from '../pictures/pictures.ts'

/** Engines of diagrams. */
export type DiagramEngine = 'd2' | 'graphviz' | 'mermaid' | 'diagrams_py'

export interface RenderRequest {
  readonly engine: DiagramEngine
  readonly source: string
  /** `svg` by default */
  readonly format?: 'svg' | 'png'
  /** pictures that the source names */
  readonly files?: PictureFiles
}

/** A file from an engine. */
export interface RenderedFile {
  readonly filename: string
  readonly contentType: string
  readonly bytes: Uint8Array
}

/** A rendered diagram. */
export interface Drawing {
  /** the first page first */
  readonly outputs: readonly RenderedFile[]
  /** sentences about what is not drawn */
  readonly notes: readonly string[]
}

/** A page of an engine's untrusted output. */
export interface Page {
  readonly svg: string
  /** file name without extension */
  readonly name: string
}

/** Draws a source as at least one page. */
export type Engine = (source: string, pictures: Pictures) => Promise<readonly Page[]>
