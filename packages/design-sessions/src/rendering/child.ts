/**
 * A process that does one job at a time and knows nothing else: no environment, no network, no
 * files but its own code. Whoever started it may kill it at any moment.
 */
import { Worker } from 'node:worker_threads'
import { errorText, plainText } from '../plain-text.ts'
import type { AnswerMessage, JobKind, JobMessage, Runner } from './jobs.ts'
import { RenderError } from './render-error.ts'

/**
 * A main thread that computes does not see its parent die; a second thread does. Who the parent is
 * comes from the parent: asked here, it might already be the process that adopts orphans.
 */
const WATCH = `
  const parent = ${Number(process.argv[2])}
  setInterval(() => process.ppid === parent || process.kill(process.pid, 'SIGKILL'), 500)`

/** A page with as many pictures as it may have; one that repeats them can be much more. */
const RESULT_BYTES_MAX = 32 * 1_048_576

/** The code of each kind, loaded in the child when it is first needed. */
export const RUNNERS: { readonly [Kind in JobKind]: () => Promise<Runner<Kind>> } = {
  diagram: async () => (await import('./diagram.ts')).diagram,
  png: async () => (await import('./png.ts')).png,
  page: async () => (await import('../documents/html-page.ts')).htmlPage,
  pdf: async () => (await import('../documents/pdf.ts')).pdf,
}

new Worker(WATCH, { eval: true, resourceLimits: { maxOldGenerationSizeMb: 16 } }).unref()

process.on('message', (message: JobMessage) => void attend(message))
process.on('disconnect', () => process.exit())
// What a library throws outside its promises ends the child, and with it the job.
process.on('uncaughtException', () => process.exit(1))

async function attend({ kind, input }: JobMessage): Promise<void> {
  process.send?.(await answerTo(kind, input))
}

async function answerTo(kind: JobMessage['kind'], input: unknown): Promise<AnswerMessage> {
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
