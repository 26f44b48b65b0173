/** Engines that make pictures of sources. */
export type DiagramEngine = 'd2' | 'graphviz' | 'mermaid' | 'diagrams_py'

export interface RenderRequest {
  readonly engine: DiagramEngine
  readonly source: string
  /** `svg` by default */
  readonly format?: 'svg' | 'png'
}

/** A file that an engine made. */
export interface RenderedFile {
  readonly filename: string
  readonly contentType: string
  readonly bytes: Uint8Array
}
