import { HttpError } from '@orrery/http'
import postgres from 'postgres'
import { badField, conflict, notFound } from '../errors.ts'

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

/** Codes of transient errors: deadlock, time-out, a restarting or full server. */
const PASSING = new Set([
  '40P01',
  '40001',
  '55P03',
  '57014',
  '57P01',
  '57P03',
  '53300',
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECT_TIMEOUT',
  'ECONNREFUSED',
  'ERR_DATABASE_LOST',
])

/** The answer to a database error; undefined for an unexpected one. */
export function databaseFault(error: Error): HttpError | undefined {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (error instanceof postgres.PostgresError && code.startsWith('23')) {
    return CONSTRAINTS.get(error.constraint_name ?? '')?.()
  }
  if (!PASSING.has(code)) return undefined
  return new HttpError(503, 'busy', 'The database is busy; try again', {
    headers: { 'Retry-After': '1' },
  })
}
