import { type Dirent, constants } from 'node:fs'
import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { capitalised } from '../capitalised.ts'
import type { KnowledgeFile } from './knowledge-items.ts'

const FILES_MAX = 10_000

const DEPTH_MAX = 8

const FILE_BYTES_MAX = 2_097_152

/** Files about the library itself. */
const ABOUT = new Set(['readme', 'contributing', 'workflow', 'references'])

/** The Markdown files below a directory; links are not followed. */
export interface Library {
  /** below the root, with `/`, ascending */
  paths(): Promise<readonly string[]>
  /**
   * The text of a listed path.
   *
   * @throws {Error} when it is unreadable, no regular file, or larger than 2 MiB
   */
  text(path: string): Promise<string>
}

export function openLibrary(root: string): Library {
  return {
    async paths() {
      const found: string[] = []
      await collect(root, '', 1, found)
      return found.toSorted()
    },
    async text(path) {
      // It may have been replaced by a link since it was listed.
      const file = await open(join(root, path), constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0))
      try {
        const { size } = await file.stat()
        if (size > FILE_BYTES_MAX) throw new Error(`${path} has ${size} bytes, at most 2 MiB`)
        return await file.readFile('utf8')
      } finally {
        await file.close()
      }
    },
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
