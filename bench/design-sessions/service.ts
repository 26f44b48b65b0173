/** How long short reads of the design session service wait beside renders, bundles and searches. */
import { progress } from '@orrery/testkit/progress'
import { setTimeout } from 'node:timers/promises'
import { indexed, made, newVersion, post, withDesignService } from './design-service.ts'
import { writeLibrary } from './library.ts'
import { type Row, percentile, rowsOf } from '@orrery/testkit/report'

const SEED = 1

const RENDERS = 40
const BUNDLES = 50
const SEARCHES = 200

/** Characters of a long search. */
const QUERY_LENGTH = 8000

const QUESTIONS = 200

/** Pause between two short reads. */
const PROBE_MS = 10

export async function service(): Promise<Row[]> {
  let items: string[] = []
  return withDesignService(
    (library) => {
      items = writeLibrary(library, SEED)
    },
    async (url) => {
      progress.at('first index')
      await indexed(url, (status) => status.indexed)
      progress.at('a version')
      const session = await filled(url)
      // Renderers and searches are warm: their start is another bench.
      await post(`${session.version}/artifacts/${session.artifacts[0]}/render`, {})
      progress.at('reads alone')
      const alone = await probed(session.record, setTimeout(2000))
      const query = items.join(' ').slice(0, QUERY_LENGTH)
      progress.at('reads beside others')
      const begun = performance.now()
      const answers = Promise.all([
        ...session.artifacts.map((id) => post(`${session.version}/artifacts/${id}/render`, {})),
        ...Array.from({ length: BUNDLES }, () => fetch(session.bundle)),
        ...Array.from({ length: SEARCHES }, () => post(`${url}/knowledge/search`, { query })),
      ]).then(async (all) => {
        await Promise.all(all.map((answer) => answer.arrayBuffer()))
        return all.filter(({ ok }) => !ok).length
      })
      const beside = await probed(session.record, answers)
      const seconds = (performance.now() - begun) / 1000
      return [
        ...rowsOf('read of a record, alone', waits(alone)),
        ...rowsOf(`beside ${RENDERS} renders, ${BUNDLES} bundles, ${SEARCHES} searches`, [
          ['read_median', percentile(beside, 0.5), 'ms'],
          ['read_p99', percentile(beside, 0.99), 'ms', { max: 100 }],
          ['read_max', Math.max(...beside), 'ms', { max: 500 }],
          ['all_done', seconds, 's'],
          ['refused', await answers, 'requests', { max: 0 }],
        ]),
      ]
    },
  )
}

function waits(ms: readonly number[]): Parameters<typeof rowsOf>[1] {
  return [
    ['read_median', percentile(ms, 0.5), 'ms'],
    ['read_p99', percentile(ms, 0.99), 'ms'],
  ]
}

interface Session {
  readonly version: string
  readonly record: string
  readonly bundle: string
  readonly artifacts: readonly string[]
}

/** A version with questions, diagrams and an upload. */
async function filled(url: string): Promise<Session> {
  const { project, version } = await newVersion(url)
  const questions: string[] = []
  for (let i = 0; i < QUESTIONS; i++) {
    questions.push(await made(`${version}/questions`, { question_text: `Question ${i}?` }))
  }
  const artifacts: string[] = []
  for (let i = 0; i < RENDERS; i++) {
    artifacts.push(
      await made(`${version}/artifacts`, {
        name: `Diagram ${i}`,
        artifact_type: 'diagram',
        source_code: `web${i} -> shop -> orders -> store\nshop -> payments`,
      }),
    )
  }
  const form = new FormData()
  form.set('file', new Blob([Buffer.alloc(2_000_000, 'row;of;a;list\n')]), 'list.csv')
  await fetch(`${version}/uploads`, { method: 'POST', body: form })
  const record = `${version}/questions/${questions[0]}`
  return { version, record, bundle: `${project}/bundle`, artifacts }
}

/** Waits of one read after the other until the end of something [ms]. */
async function probed(record: string, until: Promise<unknown>): Promise<number[]> {
  const ms: number[] = []
  const over = new AbortController()
  void until.finally(() => over.abort())
  while (!over.signal.aborted) {
    const begun = performance.now()
    await (await fetch(record)).arrayBuffer()
    ms.push(performance.now() - begun)
    await setTimeout(PROBE_MS)
  }
  return ms
}
