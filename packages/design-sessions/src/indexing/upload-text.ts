import { open } from 'node:fs/promises'
import { type Chunk, parsedFile, passages } from './markdown.ts'

/** Bytes of an upload that are indexed. */
export const UPLOAD_BYTES_MAX = 1_048_576

export interface UploadFile {
  readonly id: string
  readonly name: string
  readonly type: string
  readonly bytes: number
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
  const file = await open(path)
  const buffer = Buffer.alloc(UPLOAD_BYTES_MAX)
  let length = 0
  try {
    length = (await file.read(buffer, 0, UPLOAD_BYTES_MAX, 0)).bytesRead
  } finally {
    await file.close()
  }
  const text = buffer.toString('utf8', 0, length)
  if (text.includes('\0')) throw new Error('it holds bytes that no text has')
  const ending = extension(name)
  if (ending === 'md') return parsedFile(text).chunks
  const isMarkup = ['html', 'htm', 'xml'].includes(ending) || /html|xml/.test(type)
  // Stopping at the next `<` keeps it linear.
  const bare = isMarkup ? text.replaceAll(/<[^<>]*>/g, ' ') : text
  return passages(bare).map((content) => ({ section: '', item: null, priority: null, content }))
}

function extension(name: string): string {
  return /\.(\w+)$/.exec(name)?.[1].toLowerCase() ?? ''
}
