import { capitalised } from '../capitalised.ts'
import { choicesOf } from '../records/facts.ts'
import { itemState } from './gate.ts'
import { type Todo, itemTodo, todo } from './todo.ts'
import type { Session } from './session.ts'

const DIAGRAMS = [
  ['conceptual', 'conceptual'],
  ['logical', 'logical'],
  ['detailed', 'detailed'],
  ['security-focused', 'detailed'],
] as const

/** A document's name, words that identify such an artifact, and its template. */
type Document = readonly [name: string, words: RegExp, template: string]

/** Written before the review. */
const PLANS: readonly Document[] = [
  ['infrastructure as code plan', /\b(?:infrastructure|iac)\b/i, 'iac-plan'],
  ['cost estimate', /\bcosts?\b/i, 'cost-estimate'],
  ['architecture document', /\barchitecture\b/i, 'architecture'],
]

/** Written after the review. */
const RESULTS: readonly Document[] = [
  ['design document', /\bdesign\b/i, 'design-document'],
  ['coverage checklist', /\b(?:coverage|checklist)\b/i, 'coverage-checklist'],
]

const IAC = /\b(?:infrastructure[ -]as[ -]code|iac|terraform|opentofu|pulumi|bicep|cdk|ansible)\b/i

/** Rule 9: a rendered diagram for each level of detail. */
export function diagramTodos(session: Session): readonly Todo[] {
  const path = `/versions/${session.version.id}/artifacts`
  return DIAGRAMS.flatMap(([level, detail_level], sort_order): Todo[] => {
    const drawn = session.artifacts.filter(
      (artifact) => artifact.artifact_type === 'diagram' && artifact.sort_order === sort_order,
    )
    if (drawn.length > 0) return drawn.flatMap((artifact) => renderTodo(session, artifact))
    const name = `${capitalised(level)} diagram`
    const body = { name, artifact_type: 'diagram', detail_level, sort_order }
    const needs = ['source_code']
    return [todo(`Draw the ${level} diagram`, 'POST', `${path}?require_gate=true`, { body, needs })]
  })
}

/** Rule 10: the tool for infrastructure as code, documents, review, results. */
export function documentTodos(session: Session): readonly Todo[] {
  const place = `/versions/${session.version.id}`
  const path = `${place}/artifacts`
  const written = session.artifacts.filter(({ artifact_type }) => artifact_type !== 'diagram')
  const documents = ([name, words, template]: Document): Todo[] => {
    const found = written.filter((artifact) => words.test(artifact.name))
    if (found.length > 0) return found.flatMap((artifact) => renderTodo(session, artifact))
    const what = `Write the ${name}: POST /api/v1/templates/render gives the source to start \
from, for template_name ${template} and version_id ${session.version.id}`
    const body = { name: capitalised(name), artifact_type: 'document', sort_order: 10 }
    return [todo(what, 'POST', path, { body, needs: ['source_code'] })]
  }
  const chosen = session.adrs.some(({ title, decision }) => IAC.test(`${title} ${decision}`))
  const choice = todo(
    'Let the user choose the infrastructure-as-code tool, and record it as a decision',
    'POST',
    `${place}/adrs`,
    { needs: ['title', 'context', 'decision', 'consequences'] },
  )
  const stateOf = itemState(session)
  const todoOf = itemTodo(session)
  const review = session.items
    .filter(({ file }) => file.startsWith('frameworks/'))
    .map((item) => [stateOf(item), item.priority] as const)
    .filter(([{ state }]) => state === 'unrecorded')
    .map((item) => todoOf(...item))
  return [
    ...(chosen ? [] : [choice]),
    ...PLANS.flatMap(documents),
    ...review,
    ...RESULTS.flatMap(documents),
    ...stageTodo(session),
  ]
}

/** What was put off is asked in the next stage. */
function stageTodo({ version: { id, facts } }: Session): readonly Todo[] {
  const stages = Object.keys(choicesOf('stage'))
  const stage = facts.stage && stages[stages.indexOf(facts.stage) + 1]
  if (stage === undefined) return []
  const what = `Go on with the stage ${stage}, which asks what was put off`
  return [todo(what, 'PUT', `/versions/${id}/facts`, { body: { ...facts, stage } })]
}

/** The next request for an artifact until it is rendered. */
function renderTodo(
  { version, unwritten }: Session,
  artifact: Session['artifacts'][number],
): readonly Todo[] {
  const { id, name, artifact_type, render_status, render_error } = artifact
  const path = `/versions/${version.id}/artifacts`
  const needs = ['source_code']
  if (artifact_type !== 'pdf_report' && unwritten.has(id)) {
    return [todo(`Write the source of ${name}`, 'PATCH', `${path}/${id}`, { needs })]
  }
  if (render_status === 'success') return []
  if (render_status === 'rendering') {
    return [todo(`Wait until ${name} is rendered`, 'GET', path)]
  }
  if (render_status === 'error') {
    const what = `Fix the source of ${name}, which renders it again: ${render_error}`
    return [todo(what, 'PATCH', `${path}/${id}`, { needs })]
  }
  return [todo(`Render ${name}`, 'POST', `${path}/${id}/render`)]
}
