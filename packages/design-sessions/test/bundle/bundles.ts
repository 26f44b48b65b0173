// Exports, opens, changes and imports bundles.
import { createHash } from 'node:crypto'
import { type Place, type Answer, type Json, ask } from '../ask.ts'
import { fromBufferPromise } from 'yauzl'
import { type ZipEntry, zipOf } from './zip-of.ts'

/** Contents by name. */
export type Files = ReadonlyMap<string, Buffer>

export async function exported(place: Place, projectId: string): Promise<Buffer> {
  const response = await fetch(`${place.url}/api/v1/projects/${projectId}/bundle`)
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`)
  return Buffer.from(await response.arrayBuffer())
}

export function imported(
  place: Place,
  clientId: string,
  zip: Uint8Array,
  query = '',
): Promise<Answer> {
  return ask(place, 'POST', `/clients/${clientId}/projects/import${query}`, {
    raw: zip as Uint8Array<ArrayBuffer>,
    headers: { 'content-type': 'application/zip' },
  })
}

/** Unpacks with another library than the service's own code. */
export async function filesOf(zip: Buffer): Promise<Files> {
  const files = new Map<string, Buffer>()
  const opened = await fromBufferPromise(zip)
  for await (const entry of opened.eachEntry()) {
    const chunks = await (await opened.openReadStreamPromise(entry)).toArray()
    files.set(entry.fileName, Buffer.concat(chunks))
  }
  return files
}

export function json(files: Files, name: string): Json {
  return JSON.parse(String(files.get(name)))
}

/** Entries of a bundle whose manifest matches its files. */
export function bundled(files: Files, manifest: object = {}): ZipEntry[] {
  const contents = [...files].filter(([name]) => name !== 'bundle.json')
  const listed = contents.map(([path, bytes]) => ({
    path,
    size: bytes.byteLength,
    sha256: createHash('sha256').update(bytes).digest('hex'),
  }))
  const listing = { ...json(files, 'bundle.json'), files: listed, ...manifest }
  contents.push(['bundle.json', Buffer.from(JSON.stringify(listing))])
  return contents.map(([name, bytes]) => ({ name, bytes }))
}

/** A bundle with one file and its hash changed. */
export function changed(files: Files, name: string, text: string | Buffer): Buffer {
  return zipOf(bundled(new Map([...files, [name, Buffer.from(text)]])))
}
