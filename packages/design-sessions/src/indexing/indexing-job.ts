import type { RemoteEmbeddingOptions } from './remote-embedding.ts'
import type { LibraryWords } from './stored-index.ts'
import type { UploadFile } from './upload-text.ts'

/** Uploads of a version that shall be indexed. */
export interface UploadScope {
  readonly versionId: string
  readonly files: readonly UploadFile[]
  /** of the index there is, if it was made with the present index of the library */
  readonly fingerprint: string | undefined
}

/** What is to be indexed. */
export interface IndexingJob {
  /** the library's root */
  readonly directory: string
  /** undefined is the library's own words */
  readonly remote: RemoteEmbeddingOptions | undefined
  /** makes everything anew */
  readonly force: boolean
  /** the present index */
  readonly library: {
    readonly fingerprint: string | undefined
    /** SHA-256 of its chunks */
    readonly hashes: readonly string[]
    /** its words, for uploads beside it */
    readonly words: LibraryWords | undefined
    /** directions of its chunks, which need not be asked for again */
    readonly vectors: Float32Array | undefined
  }
  readonly uploads: readonly UploadScope[]
}

/** What the indexing thread starts from. */
export interface ThreadJob extends IndexingJob {
  /** see {@link SIGNAL} and {@link TAKEN} */
  readonly flags: Int32Array<SharedArrayBuffer>
}

/** Flag by which the thread is told to go on, wait, or give up. */
export const SIGNAL = 0
/** Flag that counts the messages that have been dealt with; the thread waits for each. */
export const TAKEN = 1

export const GO = 0
export const PAUSE = 1
export const STOP = 2

export type Signal = typeof GO | typeof PAUSE | typeof STOP

/** What the indexing process is sent: a job, then signals, and a word for each report. */
export type IndexingOrder =
  | { readonly type: 'job'; readonly job: IndexingJob }
  | { readonly type: 'signal'; readonly signal: Signal }
  | { readonly type: 'taken' }

/** A chunk as it stands in the database. */
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

/** How far a run is. */
export interface Progress {
  readonly phase: Phase
  /** what is being done, in words */
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

/** Of a run that has not told anything yet. */
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

/** What a run did. */
export interface Tally {
  readonly files_processed: number
  /** new or changed ones */
  readonly checklist_items_indexed: number
  readonly vendor_docs_indexed: number
  readonly uploads_indexed: number
  readonly errors: readonly string[]
}

/** What the indexing thread tells; it goes on when the message has been dealt with. */
export type IndexingReport =
  | { readonly type: 'progress'; readonly progress: Progress }
  | {
      /** a new generation begins; rows and bytes that follow belong to it */
      readonly type: 'generation'
      /** null is the library */
      readonly versionId: string | null
      readonly fingerprint: string
      readonly chunks: number
      readonly sources: number
      /** of its encoded index */
      readonly bytes: number
    }
  | { readonly type: 'rows'; readonly rows: readonly ChunkRow[] }
  | { readonly type: 'bytes'; readonly bytes: Uint8Array }
  | {
      readonly type: 'done'
      readonly tally: Tally
      /** whether the present index stays: of the library, and of these versions */
      readonly kept: { readonly library: boolean; readonly versions: readonly string[] }
    }
  | { readonly type: 'stopped' }
  | { readonly type: 'failed'; readonly message: string }
