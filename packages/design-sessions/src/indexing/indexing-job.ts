import type { RemoteEmbeddingOptions } from './remote-embedding.ts'
import type { LibraryWords } from './stored-index.ts'
import type { UploadFile } from './upload-text.ts'

/** Uploads of a version to be indexed. */
export interface UploadScope {
  readonly versionId: string
  readonly files: readonly UploadFile[]
  /** of the present index, if it belongs to the present index of the library */
  readonly fingerprint: string | undefined
}

export interface IndexingJob {
  readonly directory: string
  /** undefined embeds by the library's own words */
  readonly remote: RemoteEmbeddingOptions | undefined
  /** rebuilds everything */
  readonly force: boolean
  /** the present index */
  readonly library: {
    readonly fingerprint: string | undefined
    /** SHA-256 of its chunks */
    readonly hashes: readonly string[]
    /** for the index of uploads */
    readonly words: LibraryWords | undefined
    /** of its chunks, to be reused */
    readonly vectors: Float32Array | undefined
  }
  readonly uploads: readonly UploadScope[]
}

export interface ThreadJob extends IndexingJob {
  /** see {@link SIGNAL} and {@link TAKEN} */
  readonly flags: Int32Array<SharedArrayBuffer>
}

/** Flag: continue, pause or stop. */
export const SIGNAL = 0
/** Flag: number of processed messages; the thread waits for each. */
export const TAKEN = 1

export const GO = 0
export const PAUSE = 1
export const STOP = 2

export type Signal = typeof GO | typeof PAUSE | typeof STOP

/** Messages to the indexing process. */
export type IndexingOrder =
  | { readonly type: 'job'; readonly job: IndexingJob }
  | { readonly type: 'signal'; readonly signal: Signal }
  | { readonly type: 'taken' }

/** A row of the table of chunks. */
export interface ChunkRow {
  readonly ordinal: number
  readonly id: string
  readonly source_file: string
  readonly upload_id: string | null
  readonly section: string
  readonly checklist_item: string | null
  readonly priority: string | null
  readonly content: string
}

export type Phase =
  | 'idle'
  | 'parsing'
  | 'fetching_vendor_docs'
  | 'indexing_uploads'
  | 'embedding'
  | 'done'

export interface Progress {
  readonly phase: Phase
  /** the current step, in words */
  readonly step: string
  readonly chunks_processed: number
  readonly total_chunks: number
  readonly current_batch: number
  readonly total_batches: number
  readonly vendor_docs_fetched: number
  readonly vendor_docs_total: number
  readonly vendor_docs_failed: number
  readonly vendor_docs_failed_by_host: Readonly<Record<string, number>>
  readonly uploads_processed: number
  readonly uploads_total: number
}

export const NO_PROGRESS: Progress = {
  phase: 'idle',
  step: 'starting',
  chunks_processed: 0,
  total_chunks: 0,
  current_batch: 0,
  total_batches: 0,
  vendor_docs_fetched: 0,
  vendor_docs_total: 0,
  vendor_docs_failed: 0,
  vendor_docs_failed_by_host: {},
  uploads_processed: 0,
  uploads_total: 0,
}

/** The result of a run. */
export interface Tally {
  readonly files_processed: number
  /** new or changed ones */
  readonly checklist_items_indexed: number
  readonly vendor_docs_indexed: number
  readonly uploads_indexed: number
  readonly errors: readonly string[]
}

/** Messages of the indexing thread; it waits until each has been processed. */
export type IndexingReport =
  | { readonly type: 'progress'; readonly progress: Progress }
  | {
      /** a new generation begins; later rows and bytes belong to it */
      readonly type: 'generation'
      /** null for the library */
      readonly versionId: string | null
      readonly fingerprint: string
      readonly chunks: number
      readonly sources: number
      /** size of its encoded index */
      readonly bytes: number
    }
  | { readonly type: 'rows'; readonly rows: readonly ChunkRow[] }
  | { readonly type: 'bytes'; readonly bytes: Uint8Array }
  | {
      readonly type: 'done'
      readonly tally: Tally
      /** whether the present indexes stay */
      readonly kept: { readonly library: boolean; readonly versions: readonly string[] }
    }
  | { readonly type: 'stopped' }
  | { readonly type: 'failed'; readonly message: string }
