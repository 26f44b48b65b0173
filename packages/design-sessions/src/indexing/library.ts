import { type Dirent, constants } from 'node:fs'
import { type FileHandle, open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { capitalised } from '../capitalised.ts'
import type { SourceText } from './chunk-index.ts'
import { type Conditions, conditionsOf } from './conditions.ts'
import type { KnowledgeFile } from './knowledge-items.ts'
import { parsedFile } from './markdown.ts'

const FILES_MAX = 10_000

const DEPTH_MAX = 8

/** A file beside those of the library. */
const CONDITIONS = 'conditions.txt'

const FILE_BYTES_MAX = 2_097_152

/** Files about the library itself. */
const ABOUT = new Set(['readme', 'contributing', 'workflow', 'references'])

/** The Markdown files below a directory; links are not followed. */
export class Library {
  readonly #root: string
  /** parsed files, each with the state of the file it was read from */
  readonly #parsed = new Map<string, { readonly state: string; readonly source: SourceText }>()

  constructor(root: string) {
    this.#root = root
  }

  /** Paths below the root, with `/`, ascending. */
  async paths(): Promise<readonly string[]> {
    const found: string[] = []
    await collect(this.#root, '', 1, found)
    return found.toSorted()
  }

  /**
   * The text of a listed path.
   *
   * @throws {Error} when it is unreadable, no regular file, or larger than 2 MiB
   */
  async text(path: string): Promise<string> {
    return this.#read(path, async (file) => file.readFile('utf8'))
  }

  /**
   * The title and the chunks of a listed path; unchanged files are parsed once.
   *
   * @throws {Error} as `text`
   */
  async source(path: string, { isFresh = false }: { isFresh?: boolean } = {}): Promise<SourceText> {
    return this.#read(path, async (file, state) => {
      const known = this.#parsed.get(path)
      if (known?.state === state && !isFresh) return known.source
      const { title, chunks } = parsedFile((await file.readFile('utf8')).replaceAll('\0', ' '))
      const source = { name: path, title: title ?? knowledgeFile(path).name, chunks }
      this.#parsed.set(path, { state, source })
      return source
    })
  }

  /**
   * When items are asked; without a file of conditions always.
   *
   * @throws {Error} as `text`
   */
  async conditions(): Promise<Conditions> {
    try {
      return conditionsOf(await this.text(CONDITIONS))
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
        return conditionsOf('')
      }
      throw error
    }
  }

  async #read<Result>(
    path: string,
    use: (file: FileHandle, state: string) => Promise<Result>,
  ): Promise<Result> {
    // It may have been replaced by a link since it was listed.
    const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0)
    await using file = await open(join(this.#root, path), flags)
    const { size, mtimeMs, ctimeMs, ino } = await file.stat()
    if (size > FILE_BYTES_MAX) throw new Error(`${path} has ${size} bytes, at most 2 MiB`)
    return await use(file, [size, mtimeMs, ctimeMs, ino].join(' '))
  }
}

async function collect(root: string, below: string, depth: number, found: string[]): Promise<void> {
  const entries = await readdir(join(root, below), { withFileTypes: true })
  for (const entry of entries) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`
    if (entry.isDirectory() && depth < DEPTH_MAX) await collect(root, path, depth + 1, found)
    else if (isKnowledge(entry)) found.push(path)
    if (found.length > FILES_MAX) throw new Error(`more than ${FILES_MAX} knowledge files`)
  }
}

function isKnowledge(entry: Dirent): boolean {
  const stem = /^([^.].*)\.md$/i.exec(entry.name)?.[1]
  return entry.isFile() && stem !== undefined && !ABOUT.has(stem.toLowerCase())
}

/** `providers/aws/vpc-networking.md` is Vpc Networking, of aws. */
export function knowledgeFile(path: string): KnowledgeFile {
  const parts = path.split('/')
  const stem = (parts.at(-1) ?? '').replace(/\.md$/i, '')
  const name = stem.split('-').map(capitalised).join(' ')
  const category = parts.length > 2 && parts[0] === 'providers' ? parts[1] : parts[0]
  return { path, name, category: parts.length === 1 ? 'general' : category }
}
