// Sections 1.2 and 1.5: decisions, questions, coverage, inventory, uploads.
import { expect } from 'vitest'
import { type Json, type Place, type Session, ask, created, newSession } from '../ask.ts'
import { type Cases, NOBODY, answers, needsParent, wrong } from './case.ts'

const PROSE = { context: 'C', decision: 'D', consequences: 'E' }
const ITEM = { knowledge_file: 'general/a.md', item_text: 'I', priority: 'Critical' }
const VERSION = `/versions/${NOBODY}`

const ids = (rows: Json): string[] => rows.map((row: Json) => row.id)

/** An item is read at its own place only: under another version it is not found. */
async function readsOne(
  stage: Place,
  kind: string,
  thing: string,
  fields: object,
): Promise<{ readonly session: Session; readonly item: Json; readonly path: string }> {
  const [session, other] = [await newSession(stage), await newSession(stage)]
  const item = await created(stage, `${session.path}/${kind}`, fields)
  const path = `${session.path}/${kind}/${item.id}`
  const body = kind === 'questions' ? { ...item, suggestions: [] } : item
  const gone = { status: 404, body: `${thing} not found` }
  await answers(stage, ['GET', path], { status: 200, body })
  await answers(stage, ['GET', `${other.path}/${kind}/${item.id}`], gone)
  await answers(stage, ['GET', `${session.path}/${kind}/${NOBODY}`], gone)
  await needsParent(stage, 'GET', `${VERSION}/${kind}/${item.id}`, 'Version')
  return { session, item, path }
}

/** A change meets an item at its own place only. */
async function changesOnlyHere(
  stage: Place,
  kind: string,
  thing: string,
  { id, version_id }: Json,
): Promise<void> {
  const gone = { status: 404, body: `${thing} not found` }
  const { path } = await newSession(stage)
  for (const place of [`${path}/${kind}/${id}`, `/versions/${version_id}/${kind}/${NOBODY}`]) {
    await answers(stage, ['PATCH', place, {}], gone)
  }
  await needsParent(stage, 'PATCH', `${VERSION}/${kind}/${id}`, 'Version', {})
}

export const sessions: Cases = {
  '1.2 GET /versions/{v}/adrs': async (stage) => {
    const { path } = await newSession(stage)
    await answers(stage, ['GET', `${path}/adrs`], { status: 200, body: [] })
    for (const title of ['z', 'y', 'x']) await created(stage, `${path}/adrs`, { title, ...PROSE })
    const listed = await answers(stage, ['GET', `${path}/adrs`], { status: 200 })
    expect(listed.map((one: Json) => [one.adr_number, one.title])).toEqual([
      [1, 'z'],
      [2, 'y'],
      [3, 'x'],
    ])
    await needsParent(stage, 'GET', `${VERSION}/adrs`, 'Version')
  },
  '1.2 POST /versions/{v}/adrs': async (stage) => {
    const { path } = await newSession(stage)
    const made = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        created(stage, `${path}/adrs`, { title: `${i}`, ...PROSE }),
      ),
    )
    const numbers = made.map((one: Json) => one.adr_number).toSorted((a, b) => a - b)
    expect(numbers).toEqual(Array.from({ length: 20 }, (_, i) => i + 1))
    for (const field of ['title', 'context', 'decision', 'consequences']) {
      const sent = { title: 'T', ...PROSE, [field]: undefined }
      const body = wrong('body', field)
      await answers(stage, ['POST', `${path}/adrs`, sent], { status: 422, body })
    }
    await needsParent(stage, 'POST', `${VERSION}/adrs`, 'Version', { title: 'T', ...PROSE })
  },
  '1.2 GET /versions/{v}/adrs/{id}': async (stage) => {
    const { path } = await readsOne(stage, 'adrs', 'ADR', { title: 'T', ...PROSE })
    await answers(stage, ['DELETE', path], { status: 405 })
  },
  '1.2 PATCH /versions/{v}/adrs/{id}': async (stage) => {
    const { path } = await newSession(stage)
    const adr = await created(stage, `${path}/adrs`, { title: 'T', ...PROSE })
    const place = `${path}/adrs/${adr.id}`
    const changed = await answers(stage, ['PATCH', place, { status: 'deprecated' }], {
      status: 200,
    })
    expect([changed.status, changed.title]).toEqual(['deprecated', 'T'])
    const body = wrong('body', 'status')
    await answers(stage, ['PATCH', place, { status: 'open' }], { status: 422, body })
    await changesOnlyHere(stage, 'adrs', 'ADR', adr)
  },
  '1.2 POST /versions/{v}/adrs/{id}/supersede': async (stage) => {
    const { path } = await newSession(stage)
    const old = await created(stage, `${path}/adrs`, { title: 'Old', ...PROSE })
    const place = `${path}/adrs/${old.id}`
    const sent = { title: 'New', ...PROSE }
    const made = await answers(stage, ['POST', `${place}/supersede`, sent], { status: 201 })
    expect([made.adr_number, made.title, made.superseded_by]).toEqual([2, 'New', null])
    const { status, superseded_by } = await answers(stage, ['GET', place], { status: 200 })
    expect([status, superseded_by]).toEqual(['superseded', made.id])
    const nothing = `${path}/adrs/${NOBODY}/supersede`
    await answers(stage, ['POST', nothing, sent], { status: 404, body: 'ADR not found' })
    await answers(stage, ['POST', `${place}/supersede`, {}], { status: 422 })
  },
  '1.2 GET /versions/{v}/questions': async (stage) => {
    const { path } = await newSession(stage)
    const kinds = ['cost', 'security', 'cost'] as const
    const made: Json[] = []
    for (const category of kinds) {
      made.push(await created(stage, `${path}/questions`, { question_text: 'Q', category }))
    }
    const deferred = { status: 'deferred' }
    await ask(stage, 'PATCH', `${path}/questions/${made[2].id}`, { json: deferred })
    const all = await answers(stage, ['GET', `${path}/questions`], { status: 200 })
    expect(ids(all)).toEqual(ids(made))
    expect(all.flatMap((one: Json) => one.suggestions)).toEqual([])
    for (const [filter, expected] of [
      ['category=cost', [0, 2]],
      ['status=open', [0, 1]],
      ['status=open&category=cost', [0]],
    ] as const) {
      const found = await answers(stage, ['GET', `${path}/questions?${filter}`], { status: 200 })
      expect([filter, ids(found)]).toEqual([filter, expected.map((i) => made[i].id)])
    }
    const body = wrong('query', 'status')
    await answers(stage, ['GET', `${path}/questions?status=x`], { status: 422, body })
    await needsParent(stage, 'GET', `${VERSION}/questions`, 'Version')
  },
  '1.2 POST /versions/{v}/questions': async (stage) => {
    const { path } = await newSession(stage)
    for (const [sent, field] of [
      [{}, 'question_text'],
      [{ question_text: 'Q', category: 'taste' }, 'category'],
      [{ question_text: 'Q', status: 'closed' }, 'status'],
    ] as const) {
      const body = wrong('body', field)
      await answers(stage, ['POST', `${path}/questions`, sent], { status: 422, body })
    }
    await needsParent(stage, 'POST', `${VERSION}/questions`, 'Version', { question_text: 'Q' })
  },
  '1.2 GET /versions/{v}/questions/{q}': async (stage) => {
    const question_text = 'Has a threat model been drawn for every trust boundary?'
    await readsOne(stage, 'questions', 'Question', { question_text })
  },
  '1.2 PATCH /versions/{v}/questions/{q}': async (stage) => {
    const { path } = await newSession(stage)
    const question = await created(stage, `${path}/questions`, { question_text: 'Q' })
    const place = `${path}/questions/${question.id}`
    const changed = await answers(stage, ['PATCH', place, { answer_text: 'A' }], { status: 200 })
    expect([changed.answer_text, changed.status]).toEqual(['A', 'open'])
    const body = wrong('body', 'status')
    await answers(stage, ['PATCH', place, { status: 'closed' }], { status: 422, body })
    const blank = await answers(stage, ['PATCH', place, { answer_text: '' }], { status: 200 })
    expect(blank.suggestions).toEqual([])
    await changesOnlyHere(stage, 'questions', 'Question', question)
  },
  '1.2 GET /versions/{v}/coverage': async (stage) => {
    const { path } = await newSession(stage)
    for (const [knowledge_file, priority] of [
      ['b.md', 'Critical'],
      ['a.md', 'Optional'],
      ['a.md', 'Critical'],
      ['a.md', 'Recommended'],
    ]) {
      await created(stage, `${path}/coverage`, { ...ITEM, knowledge_file, priority })
    }
    const listed = await answers(stage, ['GET', `${path}/coverage`], { status: 200 })
    expect(listed.map((one: Json) => `${one.knowledge_file} ${one.priority}`)).toEqual([
      'a.md Critical',
      'a.md Optional',
      'a.md Recommended',
      'b.md Critical',
    ])
    await needsParent(stage, 'GET', `${VERSION}/coverage`, 'Version')
  },
  '1.2 POST /versions/{v}/coverage': async (stage) => {
    const [{ path }, other] = [await newSession(stage), await newSession(stage)]
    const cased = await created(stage, `${path}/coverage`, { ...ITEM, priority: 'rECOMMENDED' })
    expect(cased.priority).toBe('Recommended')
    const question = await created(stage, `${other.path}/questions`, { question_text: 'Q' })
    for (const [field, value] of [
      ['knowledge_file', undefined],
      ['item_text', ''],
      ['priority', 'High'],
      ['status', 'done'],
      ['question_id', 'none'],
      ['question_id', question.id],
    ] as const) {
      const body = wrong('body', field)
      const sent = { ...ITEM, [field]: value }
      await answers(stage, ['POST', `${path}/coverage`, sent], { status: 422, body })
    }
    await needsParent(stage, 'POST', `${VERSION}/coverage`, 'Version', ITEM)
  },
  '1.2 PATCH /versions/{v}/coverage/{id}': async (stage) => {
    const { item, path } = await readsOne(stage, 'coverage', 'Coverage item', ITEM)
    const changed = await answers(stage, ['PATCH', path, { status: 'na', item_text: 'other' }], {
      status: 200,
    })
    expect([changed.status, changed.item_text]).toEqual(['na', item.item_text])
    const body = wrong('body', 'status')
    await answers(stage, ['PATCH', path, { status: 'done' }], { status: 422, body })
    await changesOnlyHere(stage, 'coverage', 'Coverage item', item)
  },
  '1.2 GET /versions/{v}/coverage/summary': async (stage) => {
    await needsParent(stage, 'GET', `${VERSION}/coverage/summary`, 'Version')
    const { path } = await newSession(stage)
    await created(stage, `${path}/coverage`, { ...ITEM, status: 'addressed' })
    const summary = await answers(stage, ['GET', `${path}/coverage/summary`], { status: 200 })
    expect([summary.total, summary.critical_addressed]).toEqual([1, 1])
  },
  '1.5 counters': async (stage) => {
    const { path } = await newSession(stage)
    for (const [knowledge_file, priority, status] of [
      ['a.md', 'Critical', 'addressed'],
      ['a.md', 'Critical', 'deferred'],
      ['a.md', 'Critical', 'na'],
      ['b.md', 'Critical', 'pending'],
      ['b.md', 'Recommended', 'addressed'],
      ['b.md', 'Recommended', 'pending'],
      ['b.md', 'Optional', 'pending'],
    ]) {
      await created(stage, `${path}/coverage`, { ...ITEM, knowledge_file, priority, status })
    }
    await answers(stage, ['GET', `${path}/coverage/summary`], {
      status: 200,
      body: {
        total: 7,
        critical_total: 4,
        critical_addressed: 1,
        critical_deferred: 1,
        critical_pending: 1,
        recommended_total: 2,
        recommended_addressed: 1,
        optional_total: 1,
        by_file: {
          'a.md': {
            total: 3,
            addressed: 1,
            deferred: 1,
            pending: 0,
            na: 1,
          },
          'b.md': {
            total: 4,
            addressed: 1,
            deferred: 0,
            pending: 3,
            na: 0,
          },
        },
      },
    })
  },
  '1.5 empty version': async (stage) => {
    const { path } = await newSession(stage)
    await answers(stage, ['GET', `${path}/coverage/summary`], {
      status: 200,
      body: {
        total: 0,
        critical_total: 0,
        critical_addressed: 0,
        critical_deferred: 0,
        critical_pending: 0,
        recommended_total: 0,
        recommended_addressed: 0,
        optional_total: 0,
        by_file: {},
      },
    })
  },
  '1.2 GET /versions/{v}/inventory': async (stage) => {
    const { path } = await newSession(stage)
    for (const [name, sort_order] of [
      ['b', 1],
      ['z', 0],
      ['a', 1],
    ]) {
      await created(stage, `${path}/inventory`, { name, sort_order, data: '' })
    }
    const listed = await answers(stage, ['GET', `${path}/inventory`], { status: 200 })
    expect(listed.map((one: Json) => one.name)).toEqual(['z', 'a', 'b'])
    await needsParent(stage, 'GET', `${VERSION}/inventory`, 'Version')
  },
  '1.2 POST /versions/{v}/inventory': async (stage) => {
    const { path } = await newSession(stage)
    for (const [sent, field] of [
      [{ name: 'N' }, 'data'],
      [{ data: 'D' }, 'name'],
      [{ name: 'N', data: 'D', data_type: 'x'.repeat(51) }, 'data_type'],
    ] as const) {
      const body = wrong('body', field)
      await answers(stage, ['POST', `${path}/inventory`, sent], { status: 422, body })
    }
    const sent = { name: 'N', data: '' }
    await needsParent(stage, 'POST', `${VERSION}/inventory`, 'Version', sent)
  },
  '1.2 GET /versions/{v}/inventory/{id}': async (stage) => {
    await readsOne(stage, 'inventory', 'Inventory item', { name: 'N', data: '{"vm": 1}' })
  },
  '1.2 PATCH /versions/{v}/inventory/{id}': async (stage) => {
    const { path } = await newSession(stage)
    const item = await created(stage, `${path}/inventory`, { name: 'N', data: 'D' })
    const changes = { data: 'D2', data_type: 'server_list', description: 'S', sort_order: 2 }
    const place = `${path}/inventory/${item.id}`
    const body = { ...item, ...changes, updated_at: expect.any(String) }
    await answers(stage, ['PATCH', place, changes], { status: 200, body })
    await answers(stage, ['PATCH', place, { data: null }], {
      status: 422,
      body: wrong('body', 'data'),
    })
    await changesOnlyHere(stage, 'inventory', 'Inventory item', item)
  },
  '1.2 DELETE /versions/{v}/inventory/{id}': async (stage) => {
    const { path } = await newSession(stage)
    const item = await created(stage, `${path}/inventory`, { name: 'N', data: 'D' })
    const place = `${path}/inventory/${item.id}`
    await answers(stage, ['DELETE', place], { status: 204 })
    await answers(stage, ['DELETE', place], { status: 404, body: 'Inventory item not found' })
  },
  '1.2 GET /versions/{v}/uploads': async (stage) => {
    const { path } = await newSession(stage)
    await answers(stage, ['GET', `${path}/uploads`], { status: 200, body: [] })
    const made = [await uploaded(stage, path, 'one'), await uploaded(stage, path, 'two')]
    const listed = await answers(stage, ['GET', `${path}/uploads`], { status: 200 })
    expect(ids(listed)).toEqual(ids(made.toReversed()))
    await needsParent(stage, 'GET', `${VERSION}/uploads`, 'Version')
  },
  '1.2 POST /versions/{v}/uploads': async (stage) => {
    const { path } = await newSession(stage)
    for (const [bytes, name] of [
      ['', 'empty.txt'],
      ['nameless', ''],
    ]) {
      const form = new FormData()
      form.set('file', new Blob([bytes]), name)
      const answer = await ask(stage, 'POST', `${path}/uploads`, { raw: form })
      expect([name, answer.status]).toEqual([name, 400])
    }
    const form = new FormData()
    form.set('file', new Blob(['x']), 'x')
    const answer = await ask(stage, 'POST', `${VERSION}/uploads`, { raw: form })
    expect([answer.status, answer.body]).toEqual([404, { detail: 'Version not found' }])
    await tooLargeUpload(stage, path)
  },
  '1.2 GET /versions/{v}/uploads/{u}/download': async (stage) => {
    const { path } = await newSession(stage)
    const upload = await uploaded(stage, path, 'Plan "ä".html', 'text/html')
    const answer = await ask(stage, 'GET', `${path}/uploads/${upload.id}/download`)
    expect([answer.status, answer.text]).toEqual([200, 'Plan "ä".html'])
    expect(answer.headers.get('content-type')).toBe('text/html')
    const disposition = answer.headers.get('content-disposition')
    expect(disposition).toContain(`filename*=UTF-8''Plan%20%22%C3%A4%22.html`)
    const nothing = `${path}/uploads/${NOBODY}/download`
    await answers(stage, ['GET', nothing], { status: 404, body: 'Upload not found' })
  },
  '1.2 DELETE /versions/{v}/uploads/{u}': async (stage) => {
    const { path } = await newSession(stage)
    const upload = await uploaded(stage, path, 'gone.txt')
    const place = `${path}/uploads/${upload.id}`
    await answers(stage, ['DELETE', place], { status: 204 })
    const gone = { status: 404, body: 'Upload not found' }
    await answers(stage, ['GET', `${place}/download`], gone)
    await answers(stage, ['DELETE', place], gone)
  },
}

/** A file whose text is its name. */
async function uploaded(stage: Place, path: string, name: string, type = ''): Promise<Json> {
  const form = new FormData()
  form.set('file', new Blob([name], { type }), name)
  const { status, body } = await ask(stage, 'POST', `${path}/uploads`, { raw: form })
  expect(status).toBe(201)
  return body
}

/** One byte over 100 MiB is refused, and nothing of it kept. */
async function tooLargeUpload(stage: Place, path: string): Promise<void> {
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(104_857_601)]), 'large.bin')
  const { status } = await ask(stage, 'POST', `${path}/uploads`, { raw: form })
  expect(status).toBe(413)
  await answers(stage, ['GET', `${path}/uploads`], { status: 200, body: [] })
}
