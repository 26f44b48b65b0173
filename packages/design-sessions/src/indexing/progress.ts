export type Phase =
  | 'idle'
  | 'parsing'
  | 'fetching_vendor_docs'
  | 'indexing_uploads'
  | 'embedding'
  | 'done'

/** Of the contract; vendor documents are not fetched, and uploads are indexed on arrival. */
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

/** What a run has indexed. */
export interface Tally {
  readonly files_processed: number
  /** new or changed ones */
  readonly checklist_items_indexed: number
  readonly vendor_docs_indexed: number
  readonly uploads_indexed: number
  readonly errors: readonly string[]
}

export const NO_TALLY: Tally = {
  files_processed: 0,
  checklist_items_indexed: 0,
  vendor_docs_indexed: 0,
  uploads_indexed: 0,
  errors: [],
}

export interface RunResult extends Tally {
  readonly status: 'completed' | 'cancelled' | 'timed_out'
  readonly duration_seconds: number
}
