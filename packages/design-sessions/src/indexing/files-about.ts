import type { ChunkIndex } from './chunk-index.ts'
import type { SearchRequest, SearchResult } from './knowledge-items.ts'
import type { LibraryIndex } from './library-index.ts'

/** Hits that show what a text is about. */
const RELATED = { topK: 50, minScore: 0.4 }

const LENGTH_MAX = 8192

/** Texts whose files are kept in memory. */
const TEXTS_MAX = 2000

type Files = Promise<ReadonlySet<string>>

type Search = (request: SearchRequest) => Promise<readonly SearchResult[] | undefined>

/** The files that texts belong to, searched once for each index. */
export function filesAbout(index: LibraryIndex, search: Search): (text: string) => Files {
  const known = new Map<string, Files>()
  let of: ChunkIndex | undefined
  return async (text) => {
    const current = await index.current()
    if (current !== of) known.clear()
    of = current
    const query = text.slice(0, LENGTH_MAX)
    // A search that another client's request has begun may be refused for that client only.
    const begun = known.get(query)?.catch(() => searched(search, query))
    const found = begun ?? searched(search, query)
    known.set(query, found)
    const [oldest] = known.keys()
    if (known.size > TEXTS_MAX) known.delete(oldest)
    // A failure is not kept.
    found.catch(() => known.delete(query))
    return found
  }
}

async function searched(search: Search, query: string): Files {
  const found = await search({ query, ...RELATED, isFast: true })
  return new Set(found?.map(({ source_file }) => source_file))
}
