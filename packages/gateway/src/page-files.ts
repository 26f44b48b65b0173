import { hash } from 'node:crypto'
import { readFile, readdir } from 'node:fs/promises'
import { extname, join } from 'node:path'

/** A file of the pages, in memory. */
export interface PageFile {
  readonly type: string
  readonly bytes: Uint8Array<ArrayBuffer>
  /** the same, compressed by gzip, where that is smaller */
  readonly compressed: Uint8Array<ArrayBuffer> | undefined
  /** the content's own `ETag` */
  readonly tag: string
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
  '.json': 'application/json',
}

/** Below it names carry a hash of the content. */
const HASHED = 'assets'

/** The player's page and the operators' console. */
const PAGES = [
  ['/', 'index.html'],
  ['/admin', 'admin.html'],
] as const

/** Written last by a build: another digest is another page. */
const DIGEST = 'digest'

/** Between two looks for a page that has been built meanwhile. */
const LOOK_MS = 1000

/** The pages of a directory as they are built now, in memory; undefined before the first build. */
export type BuiltPage = () => Promise<PageFiles | undefined>

/** Reads the pages when they are asked for and their digest is another. */
export function builtPage(directory: string): BuiltPage {
  let files: PageFiles | undefined
  let readDigest = ''
  let lookedMs = -Infinity
  const look = async (): Promise<PageFiles | undefined> => {
    const digest = await digestOf(directory)
    // While a build replaces the directory, the former page stays.
    if (digest === '' || digest === readDigest) return files
    const read = await readPage(directory).catch(() => undefined)
    if (read && (await digestOf(directory)) === digest) [files, readDigest] = [read, digest]
    return files
  }
  let looking = Promise.resolve(files)
  return () => {
    if (performance.now() - lookedMs < LOOK_MS) return looking
    lookedMs = performance.now()
    looking = look()
    return looking
  }
}

/** Empty without a built page. */
function digestOf(directory: string): Promise<string> {
  return readFile(join(directory, DIGEST), 'utf8').catch(() => '')
}

/** Reads built pages; undefined when the directory has none. */
async function readPage(directory: string): Promise<PageFiles | undefined> {
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
  const bytes = Uint8Array.from(await readFile(path))
  return {
    type: CONTENT_TYPES[extname(path)],
    bytes,
    tag: `"${hash('sha256', bytes).slice(0, 32)}"`,
    compressed: await readFile(`${path}.gz`).then(
      (bytes) => Uint8Array.from(bytes),
      () => undefined,
    ),
  }
}
