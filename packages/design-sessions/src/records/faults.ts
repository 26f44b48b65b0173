import { isAway, reasonOf } from '@orrery/database'
import type { HttpError } from '@orrery/http'
import postgres from 'postgres'
import { badField, busy, conflict, notFound } from '../errors.ts'

export const FOREIGN_QUESTION = 'must be a question of this version'

/** Errors by violated constraint; a concurrent request can lose at any of them. */
const CONSTRAINTS: ReadonlyMap<string, () => HttpError> = new Map([
  ['client_slug', () => conflict('Client with this name already exists')],
  ['project_slug', () => conflict('Project with this name already exists for this client')],
  ['version_number', () => conflict('Version with this number already exists for this project')],
  ['adr_number', () => conflict('ADR with this number already exists for this version')],
  ['coverage_question', () => badField('question_id', FOREIGN_QUESTION)],
  ['project_client', () => notFound('Client')],
  ['version_project', () => notFound('Project')],
  ...['question', 'adr', 'artifact', 'coverage', 'inventory', 'upload'].map(
    (name) => [`${name}_version`, () => notFound('Version')] as const,
  ),
])

/** Codes of transient errors of a server that is there: deadlock and time-out. */
const PASSING = new Set(['40P01', '40001', '55P03', '57014'])

/** The answer to a database error; undefined for an unexpected one. */
export function databaseFault(error: Error): HttpError | undefined {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (error instanceof postgres.PostgresError && code.startsWith('23')) {
    return CONSTRAINTS.get(error.constraint_name ?? '')?.()
  }
  const isPassing = PASSING.has(code)
  if (!isPassing && !isAway(error)) return undefined
  const reason = isPassing ? 'is busy' : `is away: ${reasonOf(error)}`
  return busy(`The database ${reason}; try again`, 1)
}
