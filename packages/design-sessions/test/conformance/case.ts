// What a case of the contract's rows stands on.
import { setTimeout } from 'node:timers/promises'
import { expect } from 'vitest'
import { type Json, type Place, type Session, ask, created } from '../ask.ts'

/** A running service and the library it searches. */
export interface Stage extends Place {
  readonly library: string
}

/** Shows that a service keeps one row. */
export type Case = (stage: Stage) => Promise<void>

/** Cases by the rows they show: section, a space, the row's own name. */
export type Cases = Readonly<Record<string, Case>>

export const NOBODY = '00000000-0000-4000-8000-000000000000'

/** Any id, and the two times every record has. */
export const id: Json = expect.stringMatching(/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/)
const time: Json = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/)
export const stamps: Readonly<Record<'created_at' | 'updated_at', Json>> = {
  created_at: time,
  updated_at: time,
}

/** Whether a refusal is 422 for one place, such as `body name`. */
export function wrong(...loc: readonly string[]): Json {
  const issue = { type: expect.any(String), loc, msg: expect.any(String) }
  return { detail: expect.arrayContaining([expect.objectContaining(issue)]) }
}

export interface Expected {
  readonly status: number
  /** a text stands for `{"detail": text}`; absent is not looked at */
  readonly body?: unknown
}

/** Asks, expects exactly that, and gives the answer's body. */
export async function answers(
  stage: Place,
  request: readonly [method: string, path: string, json?: unknown],
  { status, ...rest }: Expected,
): Promise<Json> {
  const [method, path, json] = request
  const answer = await ask(stage, method, path, { json })
  const wanted = typeof rest.body === 'string' ? { detail: rest.body } : rest.body
  expect({ request: `${method} ${path}`, status: answer.status, body: answer.body }).toEqual({
    request: `${method} ${path}`,
    status,
    body: 'body' in rest ? wanted : answer.body,
  })
  return answer.body
}

/** 422 that names the field, for each value it must not have; the rest of the body is good. */
export async function refuses(
  stage: Place,
  [method, path, good = {}]: readonly [method: string, path: string, good?: object],
  bad: Readonly<Record<string, readonly unknown[]>>,
): Promise<void> {
  for (const [field, values] of Object.entries(bad)) {
    for (const value of values) {
      const sent = { ...good, [field]: value }
      const refused = await answers(stage, [method, path, sent], { status: 422 })
      const [place] = refused.detail.map(({ loc }: Json) => loc.slice(0, 2).join())
      expect([value, place]).toEqual([value, `body,${field}`])
    }
  }
}

/** A text one character longer than allowed. */
export function tooLong(length: number): string {
  return 'x'.repeat(length + 1)
}

/** 404 for a parent that is not there, under an id that nobody has. */
export async function needsParent(
  stage: Place,
  method: string,
  path: string,
  thing: string,
  json?: unknown,
): Promise<void> {
  await answers(stage, [method, path, json], { status: 404, body: `${thing} not found` })
  const malformed = path.replace(NOBODY, 'no-uuid')
  await answers(stage, [method, malformed, json], { status: 422 })
}

/** An artifact with its source, rendered as far as it can be. */
export async function rendered(stage: Place, session: Session, fields: object): Promise<Json> {
  const artifact = await created(stage, `${session.path}/artifacts`, {
    name: 'A',
    artifact_type: 'diagram',
    ...fields,
  })
  const path = `${session.path}/artifacts/${artifact.id}`
  return settled(stage, path, await answers(stage, ['POST', `${path}/render`], { status: 202 }))
}

/** An artifact once it is no longer `rendering`; that may take longer than an answer waits. */
export async function settled(stage: Place, path: string, answer: Json): Promise<Json> {
  let artifact = answer
  while (artifact.render_status === 'rendering') {
    await setTimeout(100)
    artifact = await answers(stage, ['GET', path], { status: 200 })
  }
  return artifact
}

/** Waits until the library is indexed and no reindex runs. */
export async function idleIndex(stage: Place): Promise<Json> {
  for (;;) {
    const { body } = await ask(stage, 'GET', '/knowledge/reindex/status')
    if (!body.reindexing && body.indexed) return body
    if (!body.reindexing) await ask(stage, 'POST', '/knowledge/reindex')
    await setTimeout(20)
  }
}
