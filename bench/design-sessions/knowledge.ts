/** How fast the design session service searches a large library, and indexes it meanwhile. */
import { progress } from '@orrery/testkit/progress'
import { type Metric, percentile, type Row, rowsOf } from '@orrery/testkit/report'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { post, withDesignService } from './design-service.ts'
import { CHUNKS, writeLibrary } from './library.ts'

const SEED = 1
const SEARCHES = 450

/** Items in a text as long as a project's description. */
const ITEMS_PER_TEXT = 6

/** Pause between two requests of those that watch how long others wait. */
const PROBE_MS = 20

export async function knowledge(): Promise<Row[]> {
  let queries: string[] = []
  let root = ''
  return withDesignService(
    (library) => {
      root = library
      queries = writeLibrary(library, SEED)
    },
    async (url) => {
      // Loads the client itself, which is not the service's wait.
      await timed(() => fetch(`${url}/openapi.json`))
      progress.at('first index')
      const first = await indexed(url)
      progress.at('searches')
      const search = await searched(url, queries)
      const long = await searched(url, longTexts(queries))
      progress.at('reindex with force')
      await post(`${url}/knowledge/reindex`, { force: true })
      const again = await indexed(url, queries)
      progress.at('one new file')
      await writeFile(join(root, 'general', 'added.md'), '# Added\n\n- [Critical] Is it lit?\n')
      await post(`${url}/knowledge/reindex`, {})
      const added = await indexed(url)
      return [
        ...rowsOf(`first index of ${CHUNKS} chunks`, first),
        ...rowsOf('search', [
          ['latency_median', percentile(search.ms, 0.5), 'ms', { max: 30 }],
          ['latency_p99', percentile(search.ms, 0.99), 'ms'],
          ['verbatim_first', 100 * search.first, '%', { min: 99 }],
          ['long_text_median', percentile(long.ms, 0.5), 'ms'],
        ]),
        ...rowsOf('reindex with force, searched', again),
        ...rowsOf('reindex of one new file', added),
      ]
    },
  )
}

function longTexts(items: readonly string[]): string[] {
  return Array.from({ length: Math.floor(items.length / ITEMS_PER_TEXT) }, (_, i) =>
    items.slice(i * ITEMS_PER_TEXT, (i + 1) * ITEMS_PER_TEXT).join('. '),
  )
}

interface ReindexStatus {
  readonly reindexing: boolean
  readonly reindex_last_error: string | null
}

/** Waits for the end of a reindex, and measures how long other requests take meanwhile. */
async function indexed(url: string, queries: readonly string[] = []): Promise<Metric[]> {
  const begun = performance.now()
  const waits: number[] = []
  const searches: number[] = []
  for (let i = 0; ; i++) {
    waits.push(await timed(() => fetch(`${url}/clients`)))
    if (queries.length > 0) {
      const query = queries[i % queries.length]
      searches.push(await timed(() => post(`${url}/knowledge/search`, { query })))
    }
    const response = await fetch(`${url}/knowledge/reindex/status`)
    const status = (await response.json()) as ReindexStatus
    const { reindexing, reindex_last_error: error } = status
    if (error !== null) throw new Error(error)
    if (!reindexing) break
    await setTimeout(PROBE_MS)
  }
  return [
    ['duration', (performance.now() - begun) / 1000, 's', { max: 60 }],
    ...waiting('other_request', waits),
    ...(searches.length > 0 ? waiting('search', searches) : []),
  ]
}

function waiting(name: string, ms: readonly number[]): Metric[] {
  return [
    [`${name}_median`, percentile(ms, 0.5), 'ms'],
    [`${name}_p99`, percentile(ms, 0.99), 'ms', { max: 50 }],
    [`${name}_max`, Math.max(...ms), 'ms'],
  ]
}

/** Items typed word for word: how long each takes, and how many are found first. */
async function searched(
  url: string,
  queries: readonly string[],
): Promise<{ ms: number[]; first: number }> {
  const ms: number[] = []
  let first = 0
  for (let i = 0; i < SEARCHES; i++) {
    const query = queries[i % queries.length]
    const begun = performance.now()
    const response = await post(`${url}/knowledge/search`, { query })
    const { results } = (await response.json()) as { results: readonly { content: string }[] }
    ms.push(performance.now() - begun)
    if (results[0]?.content === query) first++
  }
  return { ms, first: first / SEARCHES }
}

async function timed(request: () => Promise<Response>): Promise<number> {
  const begun = performance.now()
  const response = await request()
  await response.arrayBuffer()
  return performance.now() - begun
}
