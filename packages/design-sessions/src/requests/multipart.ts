import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy'
import { HttpError, drainBody } from '@orrery/http'
import type { Context } from 'hono'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { badRequest, unprocessable } from '../errors.ts'
import { UPLOAD_BYTES_MAX } from '../records/uploads.ts'

/** Bytes of a body: the file, boundaries, headers, fields. */
const BODY_BYTES_MAX = UPLOAD_BYTES_MAX + 65_536

const NAME_MAX = 255

type Reader = ReadableStreamDefaultReader<Uint8Array>

/** Valid content types of a file; others become octet-stream. */
const TYPE = /^[\w.+-]{1,100}\/[\w.+-]{1,100}$/

const UNKNOWN_TYPE = 'application/octet-stream'

export interface ReceivedFile {
  /** without directories */
  readonly name: string
  readonly type: string
  readonly bytes: number
}

/**
 * Streams the file of a multipart body.
 *
 * @param field  name of its part; other parts are dropped
 * @param keep  stores its bytes; called at most once
 * @throws {HttpError} 413 at the first excess byte; 415 for another content type; 422 without such
 *   a part; 400 for an empty file, one without a name, and a broken body
 */
export async function receivedFile(
  context: Context,
  field: string,
  keep: (bytes: Readable) => Promise<void>,
): Promise<ReceivedFile> {
  const contentType = context.req.header('content-type') ?? ''
  if (!/^multipart\/form-data\s*;/i.test(contentType)) {
    throw new HttpError(415, 'unsupported_media_type', 'Content type must be multipart/form-data')
  }
  const length = Number(context.req.header('content-length') ?? 0)
  if (length > BODY_BYTES_MAX) throw tooLarge()
  const missing = { type: 'missing', loc: ['body', field], msg: 'Field required' }
  const { body } = context.req.raw
  if (body === null) throw unprocessable([missing])
  const file = await parsed(body, { contentType, field, keep })
  if (!file) throw unprocessable([missing])
  return file
}

interface Receiver {
  readonly contentType: string
  readonly field: string
  readonly keep: (bytes: Readable) => Promise<void>
}

async function parsed(
  body: ReadableStream<Uint8Array>,
  { contentType, field, keep }: Receiver,
): Promise<ReceivedFile | undefined> {
  const parser = parserOf(contentType)
  const reader = body.getReader()
  const stop = new AbortController()
  let file: Promise<ReceivedFile> | undefined
  parser.on('file', (name, bytes, filename, _, type) => {
    // The reader receives the error; without a listener it would end the process.
    bytes.on('error', () => {})
    if (name !== field || file) {
      bytes.resume()
      return
    }
    bytes.once('limit', () => stop.abort(tooLarge()))
    // A truncated file has no end that its reader could wait for.
    stop.signal.addEventListener('abort', () => bytes.destroy(tooLarge()))
    file = received(bytes, { filename, type, keep })
    // A full disk stops the reading too.
    file.catch((error: unknown) => stop.abort(error))
  })
  try {
    const chunks = limitedChunks(reader, BODY_BYTES_MAX, tooLarge)
    await pipeline(chunks, parser, { signal: stop.signal })
    return await file
  } catch (error) {
    // The file of an incomplete body has no end either.
    stop.abort(error)
    await file?.catch(() => {})
    const reason: unknown = stop.signal.reason
    const broken = badRequest('Body is not multipart/form-data')
    throw await afterBody(reader, reason, broken)
  }
}

/**
 * The error to answer after the rest of a refused body has been read or given up.
 *
 * @param broken  the answer for an incomplete body
 */
export async function afterBody(
  reader: Reader,
  reason: unknown,
  broken: HttpError,
): Promise<unknown> {
  const isDrained = await drainBody(reader)
  if (isOfSystem(reason)) return reason
  const refusal = reason instanceof HttpError ? reason : broken
  // The unread rest would be parsed as the connection's next request.
  return isDrained ? refusal : closing(refusal)
}

function parserOf(contentType: string): BusboyInstance {
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      limits: {
        fileSize: UPLOAD_BYTES_MAX,
        files: 4,
        fields: 16,
        fieldSize: 4096,
        headerPairs: 32,
      },
    })
  } catch {
    throw badRequest('Body is not multipart/form-data')
  }
}

async function received(
  bytes: BusboyFileStream,
  { filename, type, keep }: { filename: string; type: string } & Pick<Receiver, 'keep'>,
): Promise<ReceivedFile> {
  const name = plainName(filename)
  if (name === '') {
    bytes.resume()
    throw badRequest('File has no name')
  }
  let total = 0
  bytes.on('data', (chunk: Buffer) => {
    total += chunk.byteLength
  })
  await keep(bytes)
  if (bytes.truncated) throw tooLarge()
  if (total === 0) throw badRequest('File is empty')
  return { name, type: TYPE.test(type) ? type.toLowerCase() : UNKNOWN_TYPE, bytes: total }
}

/** Control characters, and direction marks that disguise names: `gpj.exe` as `exe.jpg`. */
const UNSEEN = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

/** The file name of a path, without control characters and lone surrogates. */
function plainName(filename: string): string {
  // Browsers encode a quotation mark so, as the HTML standard requires.
  const [last = ''] = filename.replaceAll('%22', '"').split(/[/\\]/).slice(-1)
  const name = last.toWellFormed().replaceAll(UNSEEN, '')
  const plain = Array.from(name).slice(0, NAME_MAX).join('').trim()
  return /^\.*$/.test(plain) ? '' : plain
}

// Cancelling the stream would reset the connection before the answer is read.
export async function* limitedChunks(
  reader: Reader,
  bytesMax: number,
  tooLarge: () => HttpError,
): AsyncGenerator<Uint8Array> {
  for (let total = 0; ;) {
    const { done, value } = await reader.read()
    if (done) return
    total += value.byteLength
    if (total > bytesMax) throw tooLarge()
    yield value
  }
}

function closing({ fault }: HttpError): HttpError {
  const headers = { ...fault.headers, Connection: 'close' }
  return new HttpError(fault.status, fault.code, fault.message, { ...fault, headers })
}

function tooLarge(): HttpError {
  const message = `File must have at most ${UPLOAD_BYTES_MAX / 1_048_576} MiB`
  return new HttpError(413, 'body_too_large', message)
}

/** Disk errors are not caused by the client. */
function isOfSystem(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && error.syscall !== 'read'
}
