import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy'
import { HttpError, drainBody } from '@orrery/http'
import type { Context } from 'hono'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { badRequest, unprocessable } from '../errors.ts'

/** Bytes of one uploaded file. */
export const FILE_BYTES_MAX = 104_857_600

/** Bytes of a body beside its file: boundaries, headers, fields. */
const OVERHEAD_BYTES_MAX = 65_536

const NAME_MAX = 255

type Reader = ReadableStreamDefaultReader<Uint8Array>

/** Types that a file may claim; anything else is only bytes. */
const TYPE = /^[\w.+-]{1,100}\/[\w.+-]{1,100}$/

const UNKNOWN_TYPE = 'application/octet-stream'

/** A file as it came. */
export interface ReceivedFile {
  /** its last part: what comes before a slash is dropped */
  readonly name: string
  readonly type: string
  readonly bytes: number
}

/**
 * Streams the file of a multipart body away, without ever holding it.
 *
 * @param field  name of the part that holds it; other parts are dropped
 * @param keep  takes its bytes; called once at most
 * @throws {HttpError} 413 as soon as it has too many bytes; 415 for another content type; 422
 *   without such a part; 400 for an empty file, one without name, and a broken body
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
  if (length > FILE_BYTES_MAX + OVERHEAD_BYTES_MAX) throw tooLarge()
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
    // Whoever reads it hears of it; unread, its error would end the process.
    bytes.on('error', () => {})
    if (name !== field || file) {
      bytes.resume()
      return
    }
    bytes.once('limit', () => stop.abort(tooLarge()))
    // What is cut off has no end that its keeper could wait for.
    stop.signal.addEventListener('abort', () => bytes.destroy(tooLarge()))
    file = received(bytes, { filename, type, keep })
    // A disk that is full ends the reading, too.
    file.catch((error: unknown) => stop.abort(error))
  })
  try {
    await pipeline(chunks(reader), parser, { signal: stop.signal })
    return await file
  } catch (error) {
    // A body that broke off leaves its file without end, too.
    stop.abort(error)
    await file?.catch(() => {})
    const reason: unknown = stop.signal.reason
    const broken = badRequest('Body is not multipart/form-data')
    throw await afterBody(reader, reason, broken)
  }
}

/**
 * What a request whose body was not taken is answered, once the rest of it is read or given up.
 *
 * @param broken  the answer when the body itself broke off
 */
export async function afterBody(
  reader: Reader,
  reason: unknown,
  broken: HttpError,
): Promise<unknown> {
  const isDrained = await drainBody(reader)
  if (isOfSystem(reason)) return reason
  const refusal = reason instanceof HttpError ? reason : broken
  // What is still on its way would be taken for the connection's next request.
  return isDrained ? refusal : closing(refusal)
}

function parserOf(contentType: string): BusboyInstance {
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      limits: { fileSize: FILE_BYTES_MAX, files: 4, fields: 16, fieldSize: 4096, headerPairs: 32 },
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

/** Control characters, and those that turn what follows around: `gpj.exe` would read `exe.jpg`. */
const UNSEEN = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

/** The last part of a path, without control characters and broken ones. */
function plainName(filename: string): string {
  // Browsers write a quotation mark so, as the HTML standard says.
  const [last = ''] = filename.replaceAll('%22', '"').split(/[/\\]/).slice(-1)
  const name = last.toWellFormed().replaceAll(UNSEEN, '')
  const plain = Array.from(name).slice(0, NAME_MAX).join('').trim()
  return /^\.*$/.test(plain) ? '' : plain
}

// A stream that is cancelled resets its connection before the answer is read: it is left instead.
async function* chunks(reader: Reader): AsyncGenerator<Uint8Array> {
  for (let total = 0; ;) {
    const { done, value } = await reader.read()
    if (done) return
    total += value.byteLength
    if (total > FILE_BYTES_MAX + OVERHEAD_BYTES_MAX) throw tooLarge()
    yield value
  }
}

function closing({ fault }: HttpError): HttpError {
  const headers = { ...fault.headers, Connection: 'close' }
  return new HttpError(fault.status, fault.code, fault.message, { ...fault, headers })
}

function tooLarge(): HttpError {
  const message = `File must have at most ${FILE_BYTES_MAX / 1_048_576} MiB`
  return new HttpError(413, 'body_too_large', message)
}

/** Errors of disks and the like are no fault of the client. */
function isOfSystem(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && error.syscall !== 'read'
}
