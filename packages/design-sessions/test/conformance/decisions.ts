// Section 1.11: decisions where the contract's service is silent.
import { expect } from 'vitest'
import { DECISION, type Json, NO_ID, ask, created, newName, newSession, settled } from '../ask.ts'
import { type Cases, type Stage, answers, change, read, rejects, rendered } from './case.ts'

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
  '1.11 clone': async (stage) => {
    const { path, project, version } = await newSession(stage)
    const old = await created(stage, `${path}/adrs`, DECISION)
    await answers(stage, ['POST', `${path}/adrs/${old.id}/supersede`, DECISION], { status: 201 })
    const target = await created(stage, `/projects/${project.id}/versions`, {})
    await created(stage, `/versions/${target.id}/adrs`, DECISION)
    const clone = `${path}/artifacts/clone`
    for (const target_version_id of [version.id, 'none']) {
      const body = { target_version_id }
      await rejects(stage, ['POST', clone, body], 'body', 'target_version_id')
    }
    // Ids may be in capitals.
    const sent = { target_version_id: target.id.toUpperCase() }
    for (const numbers of [
      // Number 1 is taken in the target: all copies get new numbers and keep their links.
      [1, 2, 3],
      [1, 2, 3, 4, 5],
    ]) {
      await answers(stage, ['POST', clone, sent], { status: 201 })
      const adrs = await read(stage, `/versions/${target.id}/adrs`)
      expect(adrs.map((one: Json) => one.adr_number)).toEqual(numbers)
      const links = numbers.map((number) => (number % 2 === 0 ? adrs[number].id : null))
      expect(adrs.map((one: Json) => one.superseded_by)).toEqual(links)
    }
  },
  '1.11 clone references': async (stage) => {
    const { path, project } = await newSession(stage)
    const target = await created(stage, `/projects/${project.id}/versions`, {})
    const picture = await created(stage, `${path}/artifacts`, {
      name: 'Picture',
      artifact_type: 'diagram',
    })
    await created(stage, `${path}/artifacts`, {
      name: 'Text',
      artifact_type: 'document',
      source_code: `![p](artifact:${picture.id.toUpperCase()}) artifact:${NO_ID}`,
      sort_order: 3,
    })
    const sent = { target_version_id: target.id }
    const clone = ['POST', `${path}/artifacts/clone`, sent] as const
    const copies = await answers(stage, clone, { status: 201 })
    expect(copies[1].source_code).toBe(`![p](artifact:${copies[0].id}) artifact:${NO_ID}`)
    await answers(stage, ['GET', `/versions/${target.id}/artifacts`], { status: 200, body: copies })
  },
  '1.11 clone coverage': async (stage) => {
    const { path, project } = await newSession(stage)
    const target = await created(stage, `/projects/${project.id}/versions`, {})
    const question = await created(stage, `${path}/questions`, { question_text: 'Q' })
    await change(stage, `${path}/questions/${question.id}`, { answer_text: 'A' })
    const item = {
      knowledge_file: 'f.md',
      item_text: 'I',
      priority: 'Critical',
      status: 'deferred',
      reason: 'R',
      question_id: question.id,
    }
    await created(stage, `${path}/coverage`, item)
    const sent = { target_version_id: target.id, include_coverage: true }
    await answers(stage, ['POST', `${path}/artifacts/clone`, sent], { status: 201 })
    const [copied] = await read(stage, `/versions/${target.id}/questions`)
    expect(copied).toMatchObject({ question_text: 'Q', answer_text: 'A' })
    const coverage = await read(stage, `/versions/${target.id}/coverage`)
    expect(coverage).toEqual([expect.objectContaining({ ...item, question_id: copied.id })])
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
