import * as v from 'valibot'

const phase = v.picklist([
  'idle',
  'parsing',
  'fetching_vendor_docs',
  'indexing_uploads',
  'embedding',
  'done',
])

/** Of the contract; vendor documents are not fetched, and uploads are indexed on arrival. */
const progress = v.object({
  phase,
  /** in words */
  step: v.string(),
  chunks_processed: v.number(),
  total_chunks: v.number(),
  current_batch: v.number(),
  total_batches: v.number(),
  vendor_docs_fetched: v.number(),
  vendor_docs_total: v.number(),
  vendor_docs_failed: v.number(),
  vendor_docs_failed_by_host: v.record(v.string(), v.number()),
  uploads_processed: v.number(),
  uploads_total: v.number(),
})

const lastResult = v.object({
  status: v.picklist(['completed', 'cancelled', 'timed_out']),
  files_processed: v.number(),
  /** new or changed ones */
  checklist_items_indexed: v.number(),
  vendor_docs_indexed: v.number(),
  uploads_indexed: v.number(),
  duration_seconds: v.number(),
  errors: v.array(v.string()),
})

/** Vectors of meaning beside the words; made in the background. */
const vectors = v.object({
  /** `unavailable`: the search goes by words alone */
  state: v.picklist(['ready', 'making', 'unavailable']),
  /** of all texts of the library, and of those about other topics */
  made: v.number(),
  /** why they are unavailable */
  error: v.nullable(v.string()),
})

export const NO_VECTORS = { state: 'unavailable', made: 0, error: 'no model was set up' } as const

/** The state of the index and of a reindex. */
export const indexStatus = v.object({
  indexed: v.boolean(),
  total_embeddings: v.number(),
  knowledge_file_count: v.number(),
  vendor_doc_count: v.number(),
  upload_count: v.number(),
  last_indexed_at: v.nullable(v.date()),
  reindexing: v.boolean(),
  paused: v.boolean(),
  /** [s since 1970] */
  reindex_started_at: v.nullable(v.number()),
  /** [s] */
  reindex_timeout: v.nullable(v.number()),
  reindex_last_result: v.nullable(lastResult),
  reindex_last_error: v.nullable(v.string()),
  /** null when no reindex runs */
  progress: v.nullable(progress),
  vectors,
})

export type IndexStatus = v.InferOutput<typeof indexStatus>
export type Progress = v.InferOutput<typeof progress>
export type RunResult = v.InferOutput<typeof lastResult>

/** What a run has indexed. */
export type Tally = Omit<RunResult, 'status' | 'duration_seconds'>

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

export const NO_TALLY: Tally = {
  files_processed: 0,
  checklist_items_indexed: 0,
  vendor_docs_indexed: 0,
  uploads_indexed: 0,
  errors: [],
}
