import { isOnPrem, providersOf } from './applicable-files.ts'
import { type Gate, itemState } from './gate.ts'
import { patternCandidates } from './pattern-candidates.ts'
import type { Session } from './session.ts'

/** Something to do, and the request that does it where one does. */
export interface Todo {
  readonly what: string
  readonly request?: { readonly method: string; readonly path: string; readonly body?: object }
}

/** One rule of the workflow, as it stands in a session. */
export interface Step {
  readonly rule: number
  readonly title: string
  readonly applicable: boolean
  readonly done: boolean
  readonly todo: readonly Todo[]
}

/** Items, searches and the like that one step names at once. */
const NAMED_MAX = 5

/** What a step is made of: its title, and what is left to do; nothing left is done. */
type Rule = (session: Session, gate: Gate) => readonly Todo[]

const HOSTING_MODEL = /\bhosting[ -]model\b/i

const IAC = /\b(?:infrastructure[ -]as[ -]code|iac|terraform|opentofu|pulumi|bicep|cdk|ansible)\b/i

const DIAGRAMS = ['conceptual', 'logical', 'detailed', 'security-focused'] as const

const DOCUMENTS: readonly (readonly [string, RegExp])[] = [
  ['cost estimate', /\bcosts?\b/i],
  ['architecture document', /\barchitecture\b/i],
  ['design document', /\bdesign\b/i],
  ['coverage checklist', /\b(?:coverage|checklist)\b/i],
]

function asked({ questions, coverage }: Session): boolean {
  return questions.length > 0 || coverage.length > 0
}

const versionPath = ({ version }: Session): string => `/versions/${version.id}`

const index: Rule = ({ indexed }) =>
  indexed
    ? []
    : [
        { what: 'See how far indexing is', request: get('/knowledge/reindex/status') },
        { what: 'Start indexing', request: { method: 'POST', path: '/knowledge/reindex' } },
      ]

const read: Rule = ({ project }) => {
  const path = `/clients/${project.client_id}/projects/${project.id}`
  const missing = [
    ...(project.description?.trim() ? [] : ['description']),
    ...(project.cloud_providers.length > 0 ? [] : ['cloud_providers']),
  ]
  return missing.map((field) => ({
    what: `Note the project's ${field}`,
    request: { method: 'PATCH', path, body: { [field]: field === 'description' ? '' : [] } },
  }))
}

const pattern: Rule = ({ project }) => {
  if (project.architecture_pattern !== null) return []
  const path = `/clients/${project.client_id}/projects/${project.id}`
  const [likeliest, ...others] = patternCandidates(project)
  if (likeliest === undefined) return [{ what: 'Ask which architecture pattern fits' }]
  const besides = others.length > 0 ? ` (or ${others.join(', ')})` : ''
  const body = { architecture_pattern: likeliest }
  return [
    {
      what: `Confirm the architecture pattern: ${likeliest}${besides}`,
      request: { method: 'PATCH', path, body },
    },
  ]
}

const load: Rule = (session) =>
  asked(session)
    ? []
    : session.files.map(({ path }) => ({
        what: `Load ${path}`,
        request: get(`/knowledge/${path}`),
      }))

const discover: Rule = (session) => {
  if (asked(session)) return []
  const { project, files } = session
  const words = [project.description, ...providersOf(project), project.architecture_pattern]
  const body = {
    query: words.filter(Boolean).join(' '),
    top_k: 20,
    exclude_files: files.map(({ path }) => path),
  }
  return [
    {
      what: 'Search for what else matters; load files with several hits above 0.5',
      request: { method: 'POST', path: '/knowledge/search', body },
    },
  ]
}

const question: Rule = (session, gate) => {
  const path = `${versionPath(session)}/questions`
  const { project, questions } = session
  const todo: Todo[] = []
  if (isOnPrem(project) && !questions.some((one) => HOSTING_MODEL.test(one.question_text))) {
    const question_text = 'Which hosting model: own hardware, colocation, or hosted by a provider?'
    const body = { question_text, category: 'requirements' }
    todo.push({ what: 'Ask for the hosting model first', request: { method: 'POST', path, body } })
  }
  for (const { id, question_text } of questions.filter(({ status }) => status === 'open')) {
    const what = `Record the answer to: ${question_text}`
    const request = { method: 'PATCH', path: `${path}/${id}`, body: { status: 'answered' } }
    todo.push({ what, request })
  }
  for (const { knowledge_file, item_text } of gate.blockers) {
    todo.push({ what: `Ask, and record coverage (Critical, ${knowledge_file}): ${item_text}` })
  }
  return todo
}

const coverageGate: Rule = (session, { blockers }) =>
  blockers.length === 0
    ? []
    : [
        {
          what: `Cover ${blockers.length} critical items before diagrams`,
          request: get(`${versionPath(session)}/coverage/gate`),
        },
      ]

const gaps: Rule = (session) => {
  const stateOf = itemState(session.coverage)
  const open = session.items.filter(
    (item) =>
      item.priority === 'recommended' && ['unrecorded', 'pending'].includes(stateOf(item).state),
  )
  if (open.length === 0) return []
  const searches = session.adrs
    .filter(({ status }) => status === 'accepted' || status === 'proposed')
    .map(({ title, decision }) => ({
      what: `Search once more for: ${title}`,
      request: {
        method: 'POST',
        path: '/knowledge/search',
        body: { query: `${title} ${decision}`, top_k: 10 },
      },
    }))
  return [
    ...open.map(({ file, text }) => ({
      what: `Ask, and record coverage (Recommended, ${file}): ${text}`,
    })),
    { what: 'Ask what is missing' },
    { what: 'Read the coverage', request: get(`${versionPath(session)}/coverage/summary`) },
    ...searches,
  ]
}

const diagrams: Rule = (session) => {
  const path = `${versionPath(session)}/artifacts`
  return DIAGRAMS.flatMap((level, sort_order): Todo[] => {
    const drawn = session.artifacts.filter(
      (artifact) => artifact.artifact_type === 'diagram' && artifact.sort_order === sort_order,
    )
    if (drawn.length === 0) {
      const body = { name: `${level} diagram`, artifact_type: 'diagram', sort_order }
      return [{ what: `Draw the ${level} diagram`, request: { method: 'POST', path, body } }]
    }
    return drawn
      .filter(({ render_status }) => render_status !== 'success')
      .map(({ id, name, render_status }) =>
        render_status === 'error'
          ? {
              what: `Fix the source of ${name}`,
              request: { method: 'PATCH', path: `${path}/${id}` },
            }
          : {
              what: `Render ${name}`,
              request: { method: 'POST', path: `${path}/${id}/render` },
            },
      )
  })
}

const documents: Rule = (session) => {
  const { adrs, artifacts, items, coverage } = session
  const path = `${versionPath(session)}/artifacts`
  const todo: Todo[] = []
  if (!adrs.some(({ title, decision }) => IAC.test(`${title} ${decision}`))) {
    todo.push({
      what: 'Let the user choose the infrastructure-as-code tool, and record it as a decision',
      request: { method: 'POST', path: `${versionPath(session)}/adrs` },
    })
  }
  const written = artifacts.filter(({ artifact_type }) => artifact_type !== 'diagram')
  for (const [name, words] of DOCUMENTS) {
    if (written.some((artifact) => words.test(artifact.name))) continue
    const body = { name, artifact_type: 'document' }
    todo.push({ what: `Write the ${name}`, request: { method: 'POST', path, body } })
  }
  const stateOf = itemState(coverage)
  const unreviewed = items.filter(
    (item) => item.file.startsWith('frameworks/') && stateOf(item).state === 'unrecorded',
  )
  if (unreviewed.length > 0) {
    todo.push({ what: `Review against the well-architected items (${unreviewed.length} left)` })
  }
  return todo
}

const change: Rule = (session) => {
  const { adrs, artifacts, version } = session
  const todo: Todo[] = []
  if (artifacts.length === 0) {
    const path = '/versions/{earlier version}/artifacts/clone'
    const body = { target_version_id: version.id }
    todo.push({ what: 'Clone the earlier version', request: { method: 'POST', path, body } })
  }
  if (!adrs.some(({ title }) => /\b(?:version|change)\b/i.test(title))) {
    todo.push({
      what: 'Identify the change, and record it as the version change decision',
      request: { method: 'POST', path: `${versionPath(session)}/adrs` },
    })
  }
  return todo
}

/** The rules in the order they are worked through: a later version starts with what changes. */
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
  [9, 'Diagrams', diagrams],
  [10, 'Infrastructure as code, documents, review', documents],
]

/** Where a session stands: each rule of the workflow in its order, with what is left of it. */
export function stepsOf(session: Session, gate: Gate): readonly Step[] {
  return RULES.map(([rule, title, remaining]) => {
    const applicable = rule !== 11 || session.earlierVersions > 0
    const todo = applicable ? remaining(session, gate) : []
    // Files are all to be loaded; of long lists only the head is told.
    const told = rule === 4 ? todo : todo.slice(0, NAMED_MAX)
    return { rule, title, applicable, done: applicable && todo.length === 0, todo: told }
  })
}

function get(path: string): { readonly method: 'GET'; readonly path: string } {
  return { method: 'GET', path }
}
