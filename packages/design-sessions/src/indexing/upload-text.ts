import { open } from 'node:fs/promises'
import type postgres from 'postgres'
import { type Chunk, parsedFile, passages } from './markdown.ts'

/** Bytes of an upload that are indexed. */
export const UPLOAD_BYTES_MAX = 1_048_576

export interface UploadFile {
  readonly name: string
  readonly type: string
  readonly path: string
}

const EXTENSIONS = new Set(
  `md txt csv json xml yaml yml html htm log cfg conf ini toml py js ts sh tf hcl`.split(' '),
)
const TYPES = new Set([
  'application/json',
  'application/xml',
  'application/yaml',
  'application/x-yaml',
])

/** Whether an upload is text, by its name and type. */
export function isIndexable({ name, type }: Pick<UploadFile, 'name' | 'type'>): boolean {
  const [media] = type.toLowerCase().split(';')
  return media.startsWith('text/') || TYPES.has(media.trim()) || EXTENSIONS.has(extension(name))
}

/**
 * The passages of an upload's beginning; of Markdown also its items.
 *
 * @throws {Error} when it is not text, or cannot be read
 */
export async function uploadChunks({ path, name, type }: UploadFile): Promise<readonly Chunk[]> {
  await using file = await open(path)
  const buffer = Buffer.alloc(UPLOAD_BYTES_MAX)
  const { bytesRead: length } = await file.read(buffer, 0, UPLOAD_BYTES_MAX, 0)
  const text = buffer.toString('utf8', 0, length)
  if (text.includes('\0')) throw new Error('it holds bytes that no text has')
  const ending = extension(name)
  if (ending === 'md') return parsedFile(text).chunks
  const isMarkup = ['html', 'htm', 'xml'].includes(ending) || /html|xml/.test(type)
  // Stopping at the next `<` keeps it linear.
  const bare = isMarkup ? text.replaceAll(/<[^<>]*>/g, ' ') : text
  return passages(bare).map((content) => ({ section: '', item: null, priority: null, content }))
}

/** Number of all uploads that are text. */
export async function indexableUploads(sql: postgres.Sql): Promise<number> {
  const rows = await sql<{ name: string; type: string; count: number }[]>`
    select substring(original_filename from '\\.\\w+$') as name, content_type as type,
      count(*)::int as count
    from upload group by 1, 2`
  const found = rows.filter(({ name, type }) => isIndexable({ name: name ?? '', type }))
  return found.reduce((sum, { count }) => sum + count, 0)
}

function extension(name: string): string {
  return /\.(\w+)$/.exec(name)?.[1].toLowerCase() ?? ''
}
