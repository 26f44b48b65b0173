/** How well the search finds what is meant in the shipped library: by words, then by meaning. */
import { progress } from '@orrery/testkit/progress'
import { type Metric, percentile, type Row, rowsOf } from '@orrery/testkit/report'
import { cpSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { indexed, post, withDesignService } from './design-service.ts'

const PACKAGE = new URL('../../packages/design-sessions/', import.meta.url)

/** Files of queries with a section in each; only the held-out ones were never fitted to. */
const SETS = [
  ['known', 'queries.txt', 'paraphrases'],
  ['unseen', 'unseen-queries.txt', 'paraphrases'],
  ['everyday', 'everyday-queries.txt', 'paraphrases'],
  ['everyday, further', 'everyday-queries.txt', 'further'],
  ['held out, English', 'held-out-queries.txt', 'english'],
  ['held out, other languages and typos', 'held-out-queries.txt', 'others'],
] as const

/** Files with queries about other topics, in a section `foreign`. */
const FOREIGN = ['queries.txt', 'blind-queries.txt', 'unseen-queries.txt', 'everyday-queries.txt']

interface Judged {
  readonly text: string
  /** indented lines below it */
  readonly lines: readonly string[]
}

interface Hit {
  readonly source_file: string
  readonly content: string
  readonly score: number
}

export async function relevance(): Promise<Row[]> {
  const library = fileURLToPath(new URL('knowledge', PACKAGE))
  return withDesignService(
    (directory) => cpSync(library, directory, { recursive: true }),
    async (url) => {
      const begun = performance.now()
      progress.at('index of words')
      const since = (): number => (performance.now() - begun) / 1000
      await indexed(url, (status) => status.indexed)
      const rows = rowsOf('index', [['words_after', since(), 's']])
      progress.at('queries, by words')
      rows.push(...(await measured(url, 'words')))
      progress.at('vectors')
      await indexed(url, ({ vectors: { state } }) => state !== 'making')
      rows.push(...rowsOf('index', [['vectors_after', since(), 's']]))
      progress.at('queries, by meaning too')
      rows.push(...(await measured(url, 'meaning')))
      return rows
    },
  )
}

async function measured(url: string, by: string): Promise<Row[]> {
  const ms: number[] = []
  const search = async (query: string): Promise<readonly Hit[]> => {
    const startMs = performance.now()
    const answer = await post(`${url}/knowledge/search`, { query, top_k: 50, min_score: 0 })
    const { results } = (await answer.json()) as { results: readonly Hit[] }
    ms.push(performance.now() - startMs)
    return results
  }
  const rows: Row[] = []
  const verdicts = verdictsOf()
  const judged: boolean[] = []
  for (const [name, file, section] of SETS) {
    const found: { readonly hits: readonly Hit[]; readonly files: readonly string[] }[] = []
    for (const { text, lines } of sectionOf(file, section)) {
      const hits = await search(text)
      found.push({ hits, files: lines.flatMap((line) => line.split(' ')) })
      for (const { score, content } of hits) {
        const verdict = verdicts.get(`${text}\n${beginning(content)}`)
        if (score > 0.5 && verdict !== undefined) judged.push(verdict)
      }
    }
    rows.push(...rowsOf(`${name}, by ${by}`, metrics(found)))
  }
  const foreign = FOREIGN.flatMap((file) => sectionOf(file, 'foreign'))
  let relevantToForeign = 0
  for (const { text } of foreign) {
    const hits = await search(text)
    if (hits.some(({ score }) => score > 0.5)) relevantToForeign++
  }
  const relevant = judged.filter(Boolean).length
  return [
    ...rows,
    ...rowsOf(`all, by ${by}`, [
      ['judged_above_half', judged.length, ''],
      ['of_these_relevant', relevant / judged.length, ''],
      ['foreign_queries', foreign.length, ''],
      ['of_these_above_half', relevantToForeign, ''],
      ['latency_median', percentile(ms, 0.5), 'ms'],
    ]),
  ]
}

function metrics(
  found: readonly { readonly hits: readonly Hit[]; readonly files: readonly string[] }[],
): Metric[] {
  const ranks = found.map(({ hits, files }) => {
    const order = [...new Set(hits.map(({ source_file }) => source_file))]
    return order.findIndex((file) => files.includes(file)) + 1
  })
  const share = (isSo: (rank: number) => boolean): number =>
    ranks.filter((rank) => rank > 0 && isSo(rank)).length / ranks.length
  const reciprocal = ranks.reduce((sum, rank) => sum + (rank > 0 ? 1 / rank : 0), 0)
  const above = found.filter(({ hits }) => hits.some(({ score }) => score > 0.5)).length
  return [
    ['hit_5', share((rank) => rank <= 5), ''],
    ['hit_10', share((rank) => rank <= 10), ''],
    ['mrr', reciprocal / ranks.length, ''],
    ['queries_above_half', above / ranks.length, ''],
  ]
}

const BEGINNING = 80

function beginning(text: string): string {
  return text.replaceAll(/\s+/g, ' ').slice(0, BEGINNING).trim()
}

/** Whether chunks are relevant to queries, judged one by one: `+` or `-` before their beginning. */
function verdictsOf(): ReadonlyMap<string, boolean> {
  const queries = sectionOf('judged-chunks.txt', 'chunks')
  return new Map(
    queries.flatMap(({ text, lines }) =>
      lines.map((line) => [`${text}\n${line.slice(2)}`, line.startsWith('+')] as const),
    ),
  )
}

/** Texts of a section, each with the indented lines below it. */
function sectionOf(name: string, section: string): readonly Judged[] {
  const text = readFileSync(new URL(`test/indexing/${name}`, PACKAGE), 'utf8')
  const [, part = ''] = text.split(`# ${section}\n`)
  const [own] = part.split(/^# /m)
  return own
    .trim()
    .split(/\n(?! )/)
    .map((lines) => lines.split('\n'))
    .map(([query, ...below]) => ({ text: query, lines: below.map((line) => line.trim()) }))
}
