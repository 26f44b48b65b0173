// Section 1.11: decisions where the contract's service is silent.
import { expect } from 'vitest'
import { type Json, ask, created, newName, newSession, settled } from '../ask.ts'
import { type Cases, type Stage, change, read, rejects, rendered } from './case.ts'

/** A list, page after page. */
async function pages(stage: Stage, first: string): Promise<Json[][]> {
  const found: Json[][] = []
  let next: string | undefined = first
  while (next !== undefined) {
    const { body, headers } = await ask(stage, 'GET', next)
    found.push(body)
    next = /^<\/api\/v1(.*)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1]
  }
  return found
}

const idsOf = (rows: readonly Json[]): string[] => rows.map((one) => one.id)

export const decisions: Cases = {
  '1.11 pages': async (stage) => {
    const { path } = await newSession(stage)
    const questions: Json[] = []
    for (let i = 0; i < 5; i++) {
      questions.push(await created(stage, `${path}/questions`, { question_text: `${i}` }))
    }
    const ids = idsOf(questions)
    const some = await pages(stage, `${path}/questions?limit=2&status=open&category=`)
    expect(some.map(idsOf)).toEqual([ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)])
    const word = newName('page')
    for (const letter of ['c', 'a', 'd', 'b']) {
      await created(stage, '/clients', { name: `${word} ${letter}` })
    }
    const clients = await pages(stage, '/clients?limit=7')
    expect(Math.max(...clients.map(({ length }) => length))).toBe(7)
    expect(clients.flat()).toEqual(await read(stage, '/clients'))
    for (const [list, query] of [
      [`${path}/questions`, 'limit=0'],
      [`${path}/questions`, 'limit=1001'],
      [`${path}/questions`, 'limit=two'],
      [`${path}/questions`, 'cursor=none'],
      ['/clients', 'limit=0'],
      // A cursor of too few parts.
      ['/clients', 'cursor=WyJhIl0'],
    ]) {
      await rejects(stage, ['GET', `${list}?${query}`], 'query', query.split('=')[0])
    }
  },
  '1.11 state': async (stage) => {
    const { client } = await newSession(stage)
    const path = `/clients/${client.id}`
    const tag = (await ask(stage, 'GET', path)).headers.get('etag') ?? ''
    expect(tag).toMatch(/^"[^"]+"$/)
    const status = async (method: string, match: string, json?: object): Promise<number> =>
      (await ask(stage, method, path, { json, headers: { 'if-match': match } })).status
    expect(await status('PATCH', `"other", ${tag}`, { logo_path: 'l' })).toBe(200)
    expect(await status('PATCH', tag, { logo_path: 'l' })).toBe(412)
    expect(await status('PATCH', tag, {})).toBe(412)
    expect(await status('DELETE', tag)).toBe(412)
    expect(await status('PATCH', '*', { logo_path: 'l' })).toBe(200)
    expect(await status('DELETE', '*')).toBe(204)
  },
  '1.11 render': async (stage) => {
    const session = await newSession(stage)
    const source = { engine: 'graphviz', source_code: 'digraph { a }' }
    const done = await rendered(stage, session, source)
    const path = `${session.path}/artifacts/${done.id}`
    const headers = { prefer: 'respond-async' }
    const at = await ask(stage, 'POST', `${path}/render`, { headers })
    expect([at.status, at.body.render_status]).toEqual([202, 'rendering'])
    expect(at.headers.get('preference-applied')).toBe('respond-async')
    await change(stage, path, { source_code: 'digraph {' })
    const bad = await settled(stage, path)
    expect([bad.output_paths, bad.outputs_stale]).toEqual([done.output_paths, true])
  },
}
