import { readFile, readdir } from 'node:fs/promises'
import { extname, join } from 'node:path'

/** A file of the pages, in memory. */
export interface PageFile {
  readonly type: string
  readonly bytes: Uint8Array<ArrayBuffer>
  /** the same, compressed by gzip, where that is smaller */
  readonly compressed: Uint8Array<ArrayBuffer> | undefined
}

/** Files by their paths, such as `/assets/index-DtXMPfGN.js`; the pages are `/` and `/admin`. */
export type PageFiles = ReadonlyMap<string, PageFile>

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.jpg': 'image/jpeg',
  '.png': 'image/png',
  '.bin': 'application/octet-stream',
}

/** Below it names carry a hash of the content. */
const HASHED = 'assets'

/** The player's page and the operators' console. */
const PAGES = [
  ['/', 'index.html'],
  ['/admin', 'admin.html'],
] as const

/** Reads built pages; undefined when the directory has none. */
export async function readPage(directory: string): Promise<PageFiles | undefined> {
  const files = new Map<string, PageFile>()
  for (const [path, name] of PAGES) {
    const page = await pageFile(join(directory, name)).catch(() => undefined)
    if (page === undefined) return undefined
    files.set(path, page)
  }
  for (const name of await readdir(join(directory, HASHED))) {
    if (extname(name) in CONTENT_TYPES) {
      files.set(`/${HASHED}/${name}`, await pageFile(join(directory, HASHED, name)))
    }
  }
  return files
}

async function pageFile(path: string): Promise<PageFile> {
  return {
    type: CONTENT_TYPES[extname(path)],
    bytes: Uint8Array.from(await readFile(path)),
    compressed: await readFile(`${path}.gz`).then(
      (bytes) => Uint8Array.from(bytes),
      () => undefined,
    ),
  }
}
