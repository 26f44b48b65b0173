/**
 * The main module of a render process: one job at a time, without environment, and without
 * network and files except its code. It may be killed at any time.
 */
import { Worker } from 'node:worker_threads'
import { errorText, plainText } from '../plain-text.ts'
import type { AnswerMessage, JobKind, JobMessage, Runner } from './jobs.ts'
import { RenderError } from '../render-error.ts'

/**
 * A busy main thread does not notice the end of its parent; a second thread does. The parent passes
 * its pid, because an orphan would read that of its adopter.
 */
const WATCH = `
  const parent = ${Number(process.argv[2])}
  setInterval(() => process.ppid === parent || process.kill(process.pid, 'SIGKILL'), 500)`

/** Pages can repeat pictures and exceed the limit of a single one. */
const RESULT_BYTES_MAX = 32 * 1_048_576

/** The code of each kind of job, loaded on demand. */
export const RUNNERS: { readonly [Kind in JobKind]: () => Promise<Runner<Kind>> } = {
  diagram: async () => (await import('../engines/diagram.ts')).diagram,
  png: async () => (await import('../pictures/png.ts')).png,
  page: async () => (await import('../typesetting/html-page.ts')).htmlPage,
  pdf: async () => (await import('../typesetting/pdf.ts')).pdf,
  pictures: async () => (await import('../pictures/pictures.ts')).shownPictures,
  warm: async () => (await import('../engines/d2.ts')).warm,
}

new Worker(WATCH, { eval: true, resourceLimits: { maxOldGenerationSizeMb: 16 } }).unref()

process.on('message', (message: JobMessage) => void answer(message))
process.on('disconnect', () => process.exit())
// Errors outside of promises end the process and its job.
process.on('uncaughtException', () => process.exit(1))

async function answer({ kind, input }: JobMessage): Promise<void> {
  process.send?.(await resultOf(kind, input))
}

async function resultOf(kind: JobMessage['kind'], input: unknown): Promise<AnswerMessage> {
  try {
    const run: (input: never) => Promise<unknown> = await RUNNERS[kind]()
    const output = await run(input as never)
    if (bytesOf(output) > RESULT_BYTES_MAX) throw tooLarge()
    return { ok: true, output }
  } catch (error) {
    if (error instanceof RenderError) return { ok: false, code: error.code, error: error.message }
    return { ok: false, code: 'ERR_RENDER_CRASH', error: plainText(errorText(error)) }
  }
}

function bytesOf(output: unknown): number {
  if (typeof output === 'string') return Buffer.byteLength(output)
  return output instanceof Uint8Array ? output.length : 0
}

function tooLarge(): RenderError {
  const text = `The result has more than ${RESULT_BYTES_MAX / 1_048_576} MiB`
  return new RenderError('ERR_RENDER_SOURCE', text)
}
