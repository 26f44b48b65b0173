// A version as large as a real one, created through the API; by day it has a third of the texts, of
// all kinds.
import { byTier } from '@orrery/testkit/tier'
import {
  type Json,
  type Place,
  type Session,
  ask,
  created,
  newSession,
  renderedAt,
} from '../ask.ts'

/** The records of the version; a report must show their titles. */
export interface FullVersion extends Session {
  readonly diagrams: readonly Json[]
  readonly document: Json
  readonly adrs: readonly Json[]
  readonly questions: readonly Json[]
  readonly files: readonly string[]
  readonly report: Json
}

const COUNTS = byTier({
  gate: { adrs: 6, questions: 18, files: 3, items: 8 },
  night: { adrs: 20, questions: 60, files: 5, items: 8 },
})

const CATEGORIES = ['requirements', 'security', 'scaling', 'cost', 'operations', 'dr']
const STATUSES = ['addressed', 'deferred', 'pending', 'na']

/** Text of a few lines. */
const PROSE = 'The service keeps its state in two zones, and a third one holds the votes. '
  .repeat(6)
  .trim()

const EDGES = Array.from({ length: 40 }, (_, i) => `n${i} -> n${(i * 7) % 40}`)

const WIDE = Array.from({ length: 40 }, (_, i) => `w${i % 12} -> w${(i * 5 + 3) % 12}`).join(';')
const TALL = Array.from({ length: 30 }, (_, i) => `t${i} -> t${i + 1}`).join(';')

/** A diagram each of three languages, and one that cannot be drawn. */
const FENCES = [
  byTier({
    gate: '```dot\ndigraph { "fence one" -> "fence two" }\n```',
    night: '```d2\nfence one -> fence two\n```',
  }),
  '- in a list\n\n  ```dot\n  digraph { "fence three" -> four }\n  ```',
  '```mermaid\nflowchart LR\n  five[fence five] --> six\n```',
  '```dot\ndigraph { *** }\n```',
].join('\n\n')

const SOURCES = [
  // D2 takes longest to load; at night its pictures stand in a report, too.
  byTier({
    gate: ['graphviz', 'digraph { web -> app [label=calls]; user -> web [label=visits] }'],
    night: ['d2', 'shop: { web -> app: calls; app -> db }\nuser -> shop.web: visits'],
  } as const),
  ['graphviz', 'digraph { rankdir=LR; a -> b -> c -> d -> e; b -> e }'],
  ['graphviz', 'graph { subgraph cluster_0 { label="Zone A"; x -- y } y -- z }'],
  ['graphviz', `digraph { ${EDGES.join(';')} }`],
  ['graphviz', `digraph { rankdir=LR; ${WIDE} }`],
  ['graphviz', `digraph { ${TALL} }`],
] as const

const LISTS = {
  date: '2026-05-31',
  decision_makers: ['Ann Ox', 'Bob Elk'],
  drivers: ['driven by cost'],
  options: [
    { title: 'Option one', description: 'Known.', pros: ['it is here'], cons: ['it is old'] },
  ],
}

/** 6 diagrams, a document, at night 20 decisions, 60 questions, 40 coverage items, and a report. */
export async function fullVersion(place: Place): Promise<FullVersion> {
  const session = await newSession(place, {
    description: 'A shop that stays open when a zone is lost.',
    cloud_providers: ['aws', 'vmware'],
    architecture_pattern: 'three-tier-web',
  })
  const { path } = session
  const many = async (count: number, make: (i: number) => Promise<Json>): Promise<Json[]> => {
    const made: Json[] = []
    for (let i = 0; i < count; i++) made.push(await make(i))
    return made
  }
  const diagrams = await many(SOURCES.length, async (i) => {
    const [engine, source] = SOURCES[i]
    const diagram = await created(place, `${path}/artifacts`, {
      name: `Diagram ${i} of the system`,
      artifact_type: 'diagram',
      engine,
      source_code: source,
      sort_order: i,
    })
    return renderedAt(place, `${path}/artifacts/${diagram.id}`)
  })
  const picture = `![System](artifact:${diagrams[0].id})`
  const document = await created(place, `${path}/artifacts`, {
    name: 'Handbook',
    artifact_type: 'document',
    source_code: `# Handbook\n\n## First steps\n\n${PROSE}\n\n${picture}\n\n${FENCES}\n`,
    sort_order: 9,
  })
  const adrs = await many(COUNTS.adrs, (i) =>
    created(place, `${path}/adrs`, {
      title: `Decide matter ${i} by measure ${i * 3}`,
      ...(i === 0 && LISTS),
      context: `${PROSE}\n\n- one\n- two`,
      decision: `**${PROSE}**`,
      consequences: PROSE,
    }),
  )
  const questions = await many(COUNTS.questions, async (i) => {
    const question = await created(place, `${path}/questions`, {
      question_text: `How much of thing ${i} is needed in year ${2030 + i}?`,
      category: CATEGORIES[i % CATEGORIES.length],
    })
    if (i % 4 === 3) return question
    const answer = { answer_text: `About ${i * 17} of it. ${PROSE}`, status: 'answered' }
    return (await ask(place, 'PATCH', `${path}/questions/${question.id}`, { json: answer })).body
  })
  const files = Array.from({ length: COUNTS.files }, (_, i) => `general/file-${i}.md`)
  await many(COUNTS.files * COUNTS.items, (i) =>
    created(place, `${path}/coverage`, {
      knowledge_file: files[i % files.length],
      item_text: `Is point ${i} of the checklist settled, and who decides?`,
      priority: ['Critical', 'Recommended', 'Optional'][i % 3],
      status: STATUSES[i % STATUSES.length],
      reason: i % 2 === 0 ? 'As decided in the session' : null,
    }),
  )
  const report = await created(place, `${path}/artifacts`, {
    name: 'Design report',
    artifact_type: 'pdf_report',
  })
  return { ...session, diagrams, document, adrs, questions, files, report }
}
