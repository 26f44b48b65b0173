/** How long the design session service takes for diagrams and for the report of a version. */
import { progress } from '@orrery/testkit/progress'
import { type Metric, type Row, rowsOf } from '@orrery/testkit/report'
import { mkdirSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { made, newVersion, post, withDesignService } from './design-service.ts'

const DECISIONS = 20
const QUESTIONS = 60
const REPORTS = 10
const AT_ONCE = 10

/** Until a process of the service is ready to draw. */
const WARM_MS = 10_000

const PROSE = 'The service keeps its state in two zones, and a third one holds the votes. '.repeat(
  6,
)

/** One per engine that draws, and a second for the commonest. */
const DIAGRAMS = [
  ['d2', 'shop: { web -> app: calls; app -> db }\nuser -> shop.web: visits'],
  ['graphviz', 'digraph { rankdir=LR; a -> b -> c -> d -> e; b -> e }'],
  ['graphviz', 'graph { subgraph cluster_0 { label="Zone A"; x -- y } y -- z }'],
  ['mermaid', 'flowchart LR\n  web --> app --> db'],
] as const

export function documents(): Promise<Row[]> {
  return withDesignService(
    (library) => mkdirSync(library),
    async (api) => {
      const { version } = await newVersion(api)
      progress.at('diagrams')
      const rendered = await diagrams(version)
      progress.at('records')
      await records(version)
      progress.at('reports')
      const reports = await reportTimes(version)
      return [
        ...rowsOf(`diagrams, then ${AT_ONCE} at once`, rendered),
        ...rowsOf(`report of 4 diagrams, ${DECISIONS} ADRs, ${QUESTIONS} questions`, [
          ['first', reports[0], 's', { max: 3 }],
          ['slowest_after', Math.max(...reports.slice(1)), 's', { max: 3 }],
        ]),
      ]
    },
  )
}

/** The four of the version, then ten other sources at once. */
async function diagrams(version: string): Promise<Metric[]> {
  const draw = async (engine: string, source: string, i: number): Promise<string> => {
    const id = await made(`${version}/artifacts`, {
      name: `Diagram ${i}`,
      artifact_type: 'diagram',
      engine,
      source_code: source,
    })
    const response = await post(`${version}/artifacts/${id}/render`, {})
    const { render_status: status } = (await response.json()) as { render_status: string }
    return status
  }
  await setTimeout(WARM_MS)
  const seconds: number[] = []
  for (const [i, [engine, source]] of DIAGRAMS.entries()) {
    const startMs = performance.now()
    await draw(engine, source, i)
    seconds.push((performance.now() - startMs) / 1000)
  }
  const begun = performance.now()
  const statuses = await Promise.all(
    Array.from({ length: AT_ONCE }, (_, i) => draw('d2', `a${i} -> b: ${i}`, 10 + i)),
  )
  return [
    ['first_d2', seconds[0], 's', { max: 1.5 }],
    ['rendered', statuses.filter((status) => status === 'success').length, '', { min: AT_ONCE }],
    ['all_after', (performance.now() - begun) / 1000, 's'],
  ]
}

async function records(version: string): Promise<void> {
  for (let i = 0; i < DECISIONS; i++) {
    await made(`${version}/adrs`, {
      title: `Decide matter ${i}`,
      context: PROSE,
      decision: PROSE,
      consequences: PROSE,
    })
  }
  for (let i = 0; i < QUESTIONS; i++) {
    await made(`${version}/questions`, { question_text: `How much of thing ${i}? ${PROSE}` })
  }
}

/** Seconds per report, each made from nothing. */
async function reportTimes(version: string): Promise<number[]> {
  const id = await made(`${version}/artifacts`, {
    name: 'Report',
    artifact_type: 'pdf_report',
    engine: 'weasyprint',
  })
  const times: number[] = []
  for (let i = 0; i < REPORTS; i++) {
    const begun = performance.now()
    const response = await fetch(`${version}/artifacts/${id}/export-pdf`)
    const pdf = Buffer.from(await response.arrayBuffer())
    if (!pdf.subarray(0, 5).equals(Buffer.from('%PDF-'))) throw new Error('No report came.')
    times.push((performance.now() - begun) / 1000)
  }
  return times
}
