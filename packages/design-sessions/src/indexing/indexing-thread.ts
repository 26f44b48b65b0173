// The indexing thread: reads the library, trains, embeds, and sends the rows to be stored. It
// computes for up to a minute and checks for signals between steps.
import { parentPort, workerData } from 'node:worker_threads'
import type { SourcedChunk } from './chunk-index.ts'
import type { EmbeddingProvider } from './embedding.ts'
import {
  type ChunkRow,
  type IndexingReport,
  NO_PROGRESS,
  PAUSE,
  type Phase,
  type Progress,
  SIGNAL,
  STOP,
  TAKEN,
  type ThreadJob,
  type UploadScope,
} from './indexing-job.ts'
import { LIBRARY_EMBEDDING_ID, LibraryEmbedding } from './library-embedding.ts'
import { knowledgeFile, openLibrary } from './library.ts'
import { parsedFile } from './markdown.ts'
import { errorText } from '../plain-text.ts'
import {
  type Checkpoints,
  type StoredIndex,
  chunkHash,
  chunkId,
  encodedIndex,
  fingerprintOf,
  libraryIndex,
  libraryWords,
  uploadIndex,
} from './stored-index.ts'
import { UPLOAD_BYTES_MAX, uploadChunks } from './upload-text.ts'

const job: ThreadJob = workerData

/** Chunks that are counted and stored together. */
const BATCH = 64

/**
 * Bytes of an index that are stored together: the driver encodes them as text, which blocks others.
 */
const PART_BYTES = 131_072

/** Interval between reports of progress. */
const REPORT_MS = 200

/** Errors in a result. */
const ERRORS_MAX = 100

class Stopped extends Error {}

/** Blocks while the run is paused. */
function checkSignal(): void {
  while (Atomics.load(job.flags, SIGNAL) === PAUSE) Atomics.wait(job.flags, SIGNAL, PAUSE)
  if (Atomics.load(job.flags, SIGNAL) === STOP) throw new Stopped()
}

/** Sends a report and waits until it has been processed. */
function send(report: IndexingReport): void {
  const taken = Atomics.load(job.flags, TAKEN)
  parentPort?.postMessage(report)
  Atomics.wait(job.flags, TAKEN, taken)
  checkSignal()
}

let progress: Progress = {
  ...NO_PROGRESS,
  phase: 'parsing',
  step: 'reading files',
  uploads_total: job.uploads.reduce((sum, { files }) => sum + files.length, 0),
}
let reported = 0

/** Updates the progress; reports it at intervals, and at once when the phase changes. */
function advance(change: Partial<Progress>): void {
  checkSignal()
  const isNew = change.phase !== undefined && change.phase !== progress.phase
  progress = { ...progress, ...change }
  const now = performance.now()
  if (!isNew && now - reported < REPORT_MS) return
  reported = now
  send({ type: 'progress', progress })
}

const errors: string[] = []

function note(what: string, error: unknown): void {
  if (errors.length < ERRORS_MAX) errors.push(`${what}: ${errorText(error)}`)
}

function checkpoints(phase: Phase, total: number): Checkpoints {
  const total_batches = Math.ceil(total / BATCH)
  return {
    step: (step) => advance({ phase, step, total_chunks: total, total_batches }),
    chunks: (done) => {
      if (done % BATCH !== 0) return
      advance({
        phase,
        step: 'embedding',
        chunks_processed: done,
        total_chunks: total,
        current_batch: Math.floor(done / BATCH) + 1,
        total_batches,
      })
    },
  }
}

async function libraryChunks(): Promise<{ files: number; chunks: SourcedChunk[] }> {
  const library = openLibrary(job.directory)
  const chunks: SourcedChunk[] = []
  let files = 0
  for (const path of await library.paths()) {
    advance({ phase: 'parsing', step: 'reading files' })
    try {
      const parsed = parsedFile((await library.text(path)).replaceAll('\0', ' '))
      const title = parsed.title ?? knowledgeFile(path).name
      for (const chunk of parsed.chunks) chunks.push({ ...chunk, source: path, title })
      files++
    } catch (error) {
      note(path, error)
    }
  }
  return { files, chunks }
}

async function remoteEmbedding(): Promise<EmbeddingProvider | undefined> {
  if (!job.remote) return undefined
  // Loaded on demand: its dependencies take longer to load than the rest.
  const { RemoteEmbedding } = await import('./remote-embedding.ts')
  const { hashes, vectors } = job.library
  const places = new Map(vectors ? hashes.map((hash, i) => [hash, i]) : [])
  const size = (vectors?.length ?? 0) / hashes.length
  const known = (chunk: SourcedChunk): Float32Array | undefined => {
    const place = places.get(chunkHash(chunk))
    return place === undefined ? undefined : vectors?.subarray(place * size, (place + 1) * size)
  }
  return new RemoteEmbedding(job.remote, { known })
}

function sendIndex(
  versionId: string | null,
  stored: StoredIndex,
  chunks: readonly SourcedChunk[],
): void {
  const fingerprint = fingerprintOf(stored.provider, stored.hashes)
  const sources = stored.index.sources.length
  const bytes = encodedIndex(stored)
  const counts = { chunks: chunks.length, sources, bytes: bytes.length }
  send({ type: 'generation', versionId, fingerprint, ...counts })
  const seen = new Map<string, number>()
  for (let start = 0; start < chunks.length; start += BATCH) {
    const rows = chunks.slice(start, start + BATCH).map((chunk, i): ChunkRow => {
      const hash = `${versionId ?? ''}${stored.hashes[start + i]}`
      const repetition = seen.get(hash) ?? 0
      seen.set(hash, repetition + 1)
      return {
        ordinal: start + i,
        id: chunkId(hash, repetition),
        source_file: chunk.source,
        upload_id: versionId === null ? null : chunk.source.split(':')[1],
        section: chunk.section,
        checklist_item: chunk.item,
        priority: chunk.priority,
        content: chunk.content,
      }
    })
    send({ type: 'rows', rows })
    advance({ step: 'storing' })
  }
  for (let start = 0; start < bytes.length; start += PART_BYTES) {
    send({ type: 'bytes', bytes: bytes.slice(start, start + PART_BYTES) })
  }
}

async function versionChunks({ files }: UploadScope): Promise<SourcedChunk[]> {
  const chunks: SourcedChunk[] = []
  for (const file of files) {
    advance({ phase: 'indexing_uploads', step: 'reading uploads' })
    try {
      const source = `upload:${file.id}:${file.name}`
      for (const chunk of await uploadChunks(file)) {
        chunks.push({ ...chunk, source, title: file.name })
      }
      if (file.bytes > UPLOAD_BYTES_MAX) note(source, 'only its first MiB is indexed')
    } catch (error) {
      note(`upload:${file.id}`, error)
    }
    advance({ uploads_processed: progress.uploads_processed + 1 })
  }
  return chunks
}

async function run(): Promise<void> {
  const { files, chunks } = await libraryChunks()
  const hashes = chunks.map(chunkHash)
  const remote = await remoteEmbedding()
  const providerId = remote?.id ?? LIBRARY_EMBEDDING_ID
  const isKept = !job.force && fingerprintOf(providerId, hashes) === job.library.fingerprint
  let words = isKept ? job.library.words : undefined
  const provider = remote ?? new LibraryEmbedding(words)
  if (!isKept) {
    const points = checkpoints('embedding', chunks.length)
    const library = await libraryIndex(chunks, provider, points)
    words = libraryWords(library)
    sendIndex(null, library, chunks)
  }
  const versions: string[] = []
  let uploads = 0
  for (const scope of job.uploads) {
    const chunks = await versionChunks(scope)
    uploads += new Set(chunks.map(({ source }) => source)).size
    const fingerprint = fingerprintOf(providerId, chunks.map(chunkHash))
    if (isKept && fingerprint === scope.fingerprint) versions.push(scope.versionId)
    else if (chunks.length > 0 && words) {
      const points = checkpoints('indexing_uploads', chunks.length)
      const index = await uploadIndex(chunks, provider, words, points)
      sendIndex(scope.versionId, index, chunks)
    }
  }
  const before = new Set(job.force ? [] : job.library.hashes)
  const isNew = ({ item }: SourcedChunk, i: number): boolean =>
    item !== null && !before.has(hashes[i])
  const tally = {
    files_processed: files,
    checklist_items_indexed: chunks.filter(isNew).length,
    vendor_docs_indexed: 0,
    uploads_indexed: uploads,
    errors,
  }
  send({ type: 'done', tally, kept: { library: isKept, versions } })
}

try {
  await run()
} catch (error) {
  if (error instanceof Stopped) parentPort?.postMessage({ type: 'stopped' })
  else parentPort?.postMessage({ type: 'failed', message: errorText(error) })
}
