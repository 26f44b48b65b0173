import type { Pictures } from '../pictures/pictures.ts'

/** A page of an engine's untrusted output. */
export interface Page {
  readonly svg: string
  /** file name without extension */
  readonly name: string
}

/** Draws a source as at least one page. */
export type Engine = (source: string, pictures: Pictures) => Promise<readonly Page[]>
