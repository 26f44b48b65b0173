import { FACT_NAMES } from '../records/facts.ts'
import { PATTERNS } from '../records/projects.ts'
import { QUERY_BYTES_MAX } from '../indexing/knowledge-items.ts'
import { isOnPrem, providersOf } from '../indexing/applicable-files.ts'
import { diagramTodos, documentTodos } from './artifact-rules.ts'
import { type Gate, itemState } from './gate.ts'
import { type Todo, itemTodo, todo } from './todo.ts'
import type { Session } from './session.ts'

/** A rule of the workflow and its state. */
export interface Step {
  readonly rule: number
  readonly title: string
  readonly applicable: boolean
  readonly done: boolean
  readonly todo: readonly Todo[]
}

/** Items that one step names at once. */
const NAMED_MAX = 5

/** What is left to do; nothing means done. */
type Rule = (session: Session, gate: Gate) => readonly Todo[]

const HOSTING_MODEL = /\bhosting[ -]model\b/i

const MISSING = /\bwhat (?:else )?is missing\b/i

const versionPath = ({ version }: Session): string => `/versions/${version.id}`

/** Of the record that says what the version is for. */
const scopePath = ({ project, version, isCurrent }: Session): string =>
  isCurrent
    ? `/clients/${project.client_id}/projects/${project.id}`
    : `/projects/${project.id}/versions/${version.id}`

const index: Rule = ({ isIndexing, indexed, version }) => {
  if (indexed) return []
  return isIndexing
    ? [todo('Wait until the library is indexed', 'GET', `/versions/${version.id}/workflow`)]
    : [todo('Start indexing', 'POST', '/knowledge/reindex')]
}

const read: Rule = (session) => {
  const { description, cloud_providers: providers } = session.project
  const missing = [
    ...(description?.trim() ? [] : ['description']),
    ...(providers.length > 0 ? [] : ['cloud_providers']),
  ]
  return missing.map((field) =>
    todo(`Note the project's ${field}`, 'PATCH', scopePath(session), { needs: [field] }),
  )
}

const pattern: Rule = (session) => {
  if (session.project.architecture_pattern !== null) return []
  const path = scopePath(session)
  const candidates = session.patterns
  if (candidates.length === 0) {
    const what = `Ask which architecture pattern fits: ${PATTERNS.join(', ')}`
    return [todo(what, 'PATCH', path, { needs: ['architecture_pattern'] })]
  }
  return candidates.map((architecture_pattern, i) => {
    const others = i === 0 && candidates.length > 1 ? ` (or ${candidates.slice(1).join(', ')})` : ''
    const what = `Confirm the architecture pattern: ${architecture_pattern}${others}`
    return todo(what, 'PATCH', path, { body: { architecture_pattern } })
  })
}

const change: Rule = (session) => {
  const { adrs, artifacts, version, previous } = session
  if (!previous) return []
  const todos: Todo[] = []
  if (!version.notes?.trim()) {
    const path = `/projects/${version.project_id}/versions/${version.id}`
    const what = "Identify the change, and note it; change the project's record where it differs"
    todos.push(todo(what, 'PATCH', path, { needs: ['notes'] }))
  }
  if (artifacts.length === 0 && previous.artifacts > 0) {
    const body = { target_version_id: version.id, include_coverage: true }
    const path = `/versions/${previous.id}/artifacts/clone`
    todos.push(todo('Clone the earlier version, then update what changes', 'POST', path, { body }))
  }
  const isOwn = (title: string): boolean => !previous.decisionTitles.includes(title)
  if (!adrs.some(({ title }) => /\b(?:version|change)\b/i.test(title) && isOwn(title))) {
    const needs = ['title', 'context', 'decision', 'consequences']
    const what = `Record the change as a decision with "version change" in its title: \
GET /api/v1${versionPath(session)}/diff?format=markdown has it`
    todos.push(todo(what, 'POST', `${versionPath(session)}/adrs`, { needs }))
  }
  return todos
}

/**
 * Files without questions yet. Reading is not recorded: in a first version any question or coverage
 * means that all were read; a later version needs coverage of each file that has items to be asked.
 */
function unread(session: Session): Session['files'] {
  const { files, items, questions, coverage, previous } = session
  if (!previous) return questions.length > 0 || coverage.length > 0 ? [] : files
  const covered = new Set(coverage.map(({ knowledge_file: file }) => file))
  const open = items.map(itemState(session)).filter(({ state }) => state === 'unrecorded')
  const asked = new Set(open.map(({ file }) => file))
  return files.filter(({ path }) => asked.has(path) && !covered.has(path))
}

const load: Rule = (session) =>
  unread(session).map(({ path }) =>
    todo(`Load ${path}, then ask about its items`, 'GET', `/knowledge/${path}`),
  )

/** A text as a query, without what exceeds the limit. */
function queryOf(text: string): string {
  // As a stream, a decoder leaves out half a letter at the end.
  return new TextDecoder().decode(Buffer.from(text).subarray(0, QUERY_BYTES_MAX), { stream: true })
}

const discover: Rule = (session) => {
  if (unread(session).length === 0) return []
  const { project, files } = session
  const words = [project.description, ...providersOf(project), project.architecture_pattern]
  const query = queryOf(words.filter(Boolean).join(' '))
  const exclude_files = files.map(({ path }) => path)
  const body = { query, top_k: 20, exclude_files, version_id: session.version.id }
  const what = 'Search for what else matters; load files with several hits above 0.5'
  return [todo(what, 'POST', '/knowledge/search', { body })]
}

const question: Rule = (session, gate) => {
  const path = `${versionPath(session)}/questions`
  const { project, version, questions, coverage } = session
  const todos: Todo[] = []
  const others = questions.filter((one) => !HOSTING_MODEL.test(one.question_text))
  if (isOnPrem(project) && others.length === questions.length) {
    const question_text = 'Which hosting model: own hardware, colocation, or hosted by a provider?'
    const body = { question_text, category: 'requirements' }
    todos.push(todo('Ask for the hosting model first', 'POST', path, { body }))
  }
  for (const { id, question_text, answer_text, status } of questions) {
    if (status !== 'open' && (status !== 'answered' || answer_text?.trim())) continue
    const asked = { body: { status: 'answered' }, needs: ['answer_text'] }
    todos.push(todo(`Record the answer to: ${question_text}`, 'PATCH', `${path}/${id}`, asked))
  }
  // Only at the start: sessions go on without it.
  if (Object.keys(version.facts).length + others.length + coverage.length === 0) {
    const what = 'Say which facts hold, so that only items that apply are asked'
    const needs = FACT_NAMES.filter((name) => name !== 'stage')
    const facts = { body: { stage: 'first' }, needs }
    todos.push(todo(what, 'PUT', `${versionPath(session)}/facts`, facts))
  }
  const todoOf = itemTodo(session)
  for (const { knowledge_file: file, item_text: text, coverage_id: coverageId } of gate.blockers) {
    todos.push(todoOf({ file, text, coverageId }, 'critical'))
  }
  return todos.slice(0, NAMED_MAX)
}

const coverageGate: Rule = (session, { blockers }) => {
  if (blockers.length === 0) return []
  const path = `${versionPath(session)}/coverage`
  const what = `Cover ${blockers.length} critical items before diagrams, those that fit the \
project first; the others by POST /api/v1${path}/batch, deferred or na with a reason`
  return [todo(what, 'GET', `${path}/gate`)]
}

const gaps: Rule = (session) => {
  const { project, adrs, items, questions } = session
  const path = versionPath(session)
  const stateOf = itemState(session)
  const todoOf = itemTodo(session)
  const open = items
    .filter(({ priority }) => priority === 'recommended')
    .map(stateOf)
    .filter(({ state }) => state === 'unrecorded' || state === 'pending')
  const isAsked = questions.some(({ question_text }) => MISSING.test(question_text))
  if (open.length === 0 && isAsked) return []
  const valid = adrs.filter(({ status }) => status === 'accepted' || status === 'proposed')
  const search = (what: string, text: string): Todo => {
    const body = { query: queryOf(text), top_k: 10 }
    return todo(`Search once more for ${what}`, 'POST', '/knowledge/search', { body })
  }
  const whole = [project.description, ...valid.map(({ title }) => title)]
  const asked = { body: { question_text: 'What is missing?', category: 'requirements' } }
  return [
    ...open.slice(0, NAMED_MAX).map((item) => todoOf(item, 'recommended')),
    ...(isAsked ? [] : [todo('Ask what is missing', 'POST', `${path}/questions`, asked)]),
    todo(`Read the coverage: ${open.length} recommended items are open`, 'GET', `${path}/coverage`),
    ...valid.map(({ title, decision }) => search(title, `${title} ${decision}`)),
    search('the whole', whole.filter(Boolean).join('. ')),
  ]
}

/** In the order of work: a later version starts with its change. */
const RULES: readonly (readonly [number, string, Rule])[] = [
  [1, 'The knowledge index is ready', index],
  [2, 'The project is read', read],
  [3, 'The architecture pattern is confirmed', pattern],
  [11, 'The change of this version is known', change],
  [4, 'Files are loaded', load],
  [5, 'Discovery search', discover],
  [6, 'Questions', question],
  [7, 'Coverage gate', coverageGate],
  [8, 'Gap analysis', gaps],
  [9, 'Diagrams', diagramTodos],
  [10, 'Infrastructure as code, documents, review', documentTodos],
]

/** The state of all rules of the workflow, in order. */
export function stepsOf(session: Session, gate: Gate): readonly Step[] {
  return RULES.map(([rule, title, remaining]) => {
    const applicable = rule !== 11 || session.previous !== undefined
    const todos = applicable ? remaining(session, gate) : []
    return { rule, title, applicable, done: applicable && todos.length === 0, todo: todos }
  })
}
