// What the cases of the contract's rows share.
import { expect } from 'vitest'
import {
  type Json,
  NO_ID,
  type Place,
  ask,
  created,
  renderedAt,
  settled,
  type Session,
} from '../ask.ts'
import { until } from '../until.ts'

/** A running service, the library it searches, and the directory of its uploads. */
export interface Stage extends Place {
  readonly library: string
  readonly files: () => string
}

/** Asserts that a service keeps one row. */
export type Case = (stage: Stage) => Promise<void>

/** Cases by row: section, a space, the row's name. */
export type Cases = Readonly<Record<string, Case>>

/** Any id, and the two times of every record. */
export const id: Json = expect.stringMatching(/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/)
const time: Json = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
export const stamps: Readonly<Record<'created_at' | 'updated_at', Json>> = {
  created_at: time,
  updated_at: time,
}

export interface Expected {
  readonly status: number
  /** a text means `{"detail": text}`; absent means any body */
  readonly body?: unknown
}

type Request = readonly [method: string, path: string, json?: unknown]

/** Sends a request, expects exactly that answer, and returns its body. */
export async function answers(
  stage: Place,
  [method, path, json]: Request,
  { status, ...rest }: Expected,
): Promise<Json> {
  const answer = await ask(stage, method, path, { json })
  const wanted = typeof rest.body === 'string' ? { detail: rest.body } : rest.body
  expect({ request: `${method} ${path}`, status: answer.status, body: answer.body }).toEqual({
    request: `${method} ${path}`,
    status,
    body: 'body' in rest ? wanted : answer.body,
  })
  return answer.body
}

/** The body of a GET that succeeds. */
export function read(stage: Place, path: string): Promise<Json> {
  return answers(stage, ['GET', path], { status: 200 })
}

/** The body of a PATCH that succeeds. */
export function change(stage: Place, path: string, json: unknown): Promise<Json> {
  return answers(stage, ['PATCH', path, json], { status: 200 })
}

/** Expects 404 with the name of what is missing. */
export async function missing(stage: Place, request: Request, thing: string): Promise<void> {
  await answers(stage, request, { status: 404, body: `${thing} not found` })
}

/** Expects 422 for one place, such as `body name`. */
export async function rejects(
  stage: Place,
  request: Request,
  ...loc: readonly string[]
): Promise<void> {
  const issue = { type: expect.any(String), loc, msg: expect.any(String) }
  const detail = expect.arrayContaining([expect.objectContaining(issue)])
  await answers(stage, request, { status: 422, body: { detail } })
}

/** Expects 422 that names the field, for each bad value of it in a body that is good otherwise. */
export async function refuses(
  stage: Place,
  [method, path, good = {}]: readonly [method: string, path: string, good?: object],
  bad: Readonly<Record<string, readonly unknown[]>>,
): Promise<void> {
  for (const [field, values] of Object.entries(bad)) {
    for (const value of values) {
      const sent = { ...good, [field]: value }
      const { detail } = await answers(stage, [method, path, sent], { status: 422 })
      const shown = JSON.stringify(value)?.slice(0, 60)
      expect([shown, detail[0].loc.slice(0, 2)]).toEqual([shown, ['body', field]])
      expect(JSON.stringify(detail).length).toBeLessThan(5000)
    }
  }
}

/** A diagram that renders, and its source. */
export const DIAGRAM = { name: 'A', artifact_type: 'diagram', engine: 'graphviz' } as const
export const SOURCE = 'digraph { web -> store }'

/** A text one character longer than allowed. */
export function tooLong(length: number): string {
  return 'x'.repeat(length + 1)
}

/** Texts that no required field may have. */
export const BLANK: readonly unknown[] = [null, '', ' ', ' \t\n', 1, '\0']

/** Expects 404 for a parent that does not exist, and 422 for a malformed id of it. */
export async function needsParent(
  stage: Place,
  method: string,
  path: string,
  thing: string,
  json?: unknown,
): Promise<void> {
  await missing(stage, [method, path, json], thing)
  await answers(stage, [method, path.replace(NO_ID, 'no-uuid'), json], { status: 422 })
}

/** An artifact with its source, rendered to the end. */
export async function rendered(stage: Place, session: Session, fields: object): Promise<Json> {
  const artifact = await created(stage, `${session.path}/artifacts`, {
    name: 'A',
    artifact_type: 'diagram',
    ...fields,
  })
  return renderedAt(stage, `${session.path}/artifacts/${artifact.id}`)
}

/** A change that renders again, once that has ended. */
export async function changedAndRendered(
  stage: Place,
  path: string,
  changes: object,
): Promise<Json> {
  const answer = await change(stage, path, changes)
  const done = await settled(stage, path)
  expect(['rendering', done.render_status]).toContain(answer.render_status)
  return done
}

/** Waits until the library is indexed and no reindex runs. */
export async function idleIndex(stage: Place): Promise<Json> {
  const status = async (): Promise<Json> => {
    const { body } = await ask(stage, 'GET', '/knowledge/reindex/status')
    if (!body.reindexing && !body.indexed) await ask(stage, 'POST', '/knowledge/reindex')
    return body
  }
  return until(status, ({ reindexing, indexed }) => !reindexing && indexed)
}

/** A decision and a version with only what is required. */
export const NO_LISTS = { date: null, decision_makers: [], drivers: [], options: [] }
export const NO_SCOPE = {
  description: null,
  cloud_providers: [],
  architecture_pattern: null,
  compliance_frameworks: [],
}
