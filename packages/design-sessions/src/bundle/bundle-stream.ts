import { type Hash, createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { makeZip } from 'client-zip'
import type { Listed } from './archive.ts'
import { FORMAT, FORMAT_VERSION, MANIFEST, jsonText } from './layout.ts'
import type { Snapshot } from './snapshot.ts'

/** The earliest time in a ZIP: equal records give equal bytes. */
const NO_TIME = new Date(1980, 0, 1)

const MODE = 0o644

/**
 * Streams a snapshot as an uncompressed ZIP, the manifest last. Closes the snapshot at the end or
 * when it is cancelled.
 */
export function bundleStream(snapshot: Snapshot): ReadableStream<Uint8Array> {
  const files = new Files(snapshot)
  const reader = makeZip(files).getReader()
  const close = async (): Promise<void> => {
    files.stop()
    await snapshot.close()
  }
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read()
        if (!done) {
          controller.enqueue(value)
          return
        }
      } catch (error) {
        await close()
        throw error
      }
      await close()
      controller.close()
    },
    cancel: close,
  })
}

interface ZipFile {
  readonly name: string
  readonly input: AsyncIterable<Uint8Array> | Uint8Array
  readonly lastModified: Date
  readonly mode: number
}

/** The files of a bundle, one open at a time. */
class Files implements AsyncIterable<ZipFile> {
  readonly #snapshot: Snapshot
  readonly #listed: Listed[] = []
  #open: Readable | undefined
  #isStopped = false

  constructor(snapshot: Snapshot) {
    this.#snapshot = snapshot
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<ZipFile> {
    const { client, project, versions, files } = this.#snapshot
    for (const { path, bytes } of files) {
      const open = await bytes()
      if (!open) continue
      // The reader receives the error; an earlier one would end the process.
      open.on('error', () => {})
      this.#open = open
      // The stream was cancelled while this file was being opened.
      if (this.#isStopped) this.stop()
      yield zipFile(path, this.#hashed(path, open))
    }
    const manifest = {
      format: FORMAT,
      format_version: FORMAT_VERSION,
      client,
      project,
      versions,
      files: this.#listed,
    }
    yield zipFile(MANIFEST, Buffer.from(jsonText(manifest)))
  }

  stop(): void {
    this.#isStopped = true
    this.#open?.destroy()
  }

  async *#hashed(path: string, bytes: Readable): AsyncGenerator<Uint8Array> {
    const hash: Hash = createHash('sha256')
    let size = 0
    for await (const chunk of bytes as AsyncIterable<Uint8Array>) {
      hash.update(chunk)
      size += chunk.byteLength
      yield chunk
    }
    this.#listed.push({ path, size, sha256: hash.digest('hex') })
  }
}

function zipFile(name: string, input: ZipFile['input']): ZipFile {
  return { name, input, lastModified: NO_TIME, mode: MODE }
}
