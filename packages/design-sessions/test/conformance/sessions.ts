// Sections 1.2 and 1.5: decisions, questions, coverage, inventory.
import { expect } from 'vitest'
import {
  DECISION,
  ITEM,
  type Json,
  NO_ID,
  PROSE,
  type Place,
  type Session,
  ask,
  created,
  newSession,
} from '../ask.ts'
import { type Cases, answers, change, missing, needsParent, read, rejects } from './case.ts'

const VERSION = `/versions/${NO_ID}`

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
  await answers(stage, ['GET', path], { status: 200, body })
  await missing(stage, ['GET', `${other.path}/${kind}/${item.id}`], thing)
  await missing(stage, ['GET', `${session.path}/${kind}/${NO_ID}`], thing)
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
  const { path } = await newSession(stage)
  for (const place of [`${path}/${kind}/${id}`, `/versions/${version_id}/${kind}/${NO_ID}`]) {
    await missing(stage, ['PATCH', place, {}], thing)
  }
  await needsParent(stage, 'PATCH', `${VERSION}/${kind}/${id}`, 'Version', {})
}

const NO_COVERAGE = {
  total: 0,
  critical_total: 0,
  critical_addressed: 0,
  critical_deferred: 0,
  critical_pending: 0,
  recommended_total: 0,
  recommended_addressed: 0,
  optional_total: 0,
  by_file: {},
}

export const sessions: Cases = {
  '1.2 GET /versions/{v}/adrs': async (stage) => {
    const { path } = await newSession(stage)
    expect(await read(stage, `${path}/adrs`)).toEqual([])
    for (const title of ['z', 'y', 'x']) await created(stage, `${path}/adrs`, { title, ...PROSE })
    const listed = await read(stage, `${path}/adrs`)
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
      Array.from({ length: 20 }, () => created(stage, `${path}/adrs`, DECISION)),
    )
    const upTo20 = Array.from({ length: 20 }, (_, i) => i + 1)
    const numbers = made.map((one: Json) => one.adr_number).toSorted((a, b) => a - b)
    expect(numbers).toEqual(upTo20)
    const listed = await read(stage, `${path}/adrs`)
    expect(listed.map((one: Json) => one.adr_number)).toEqual(upTo20)
    for (const field of ['title', 'context', 'decision', 'consequences']) {
      const sent = { ...DECISION, [field]: undefined }
      await rejects(stage, ['POST', `${path}/adrs`, sent], 'body', field)
    }
    await needsParent(stage, 'POST', `${VERSION}/adrs`, 'Version', DECISION)
  },
  '1.2 GET /versions/{v}/adrs/{id}': async (stage) => {
    const { path } = await readsOne(stage, 'adrs', 'ADR', DECISION)
    // An addition to the contract.
    await answers(stage, ['DELETE', path], { status: 204 })
    await missing(stage, ['DELETE', path], 'ADR')
  },
  '1.2 PATCH /versions/{v}/adrs/{id}': async (stage) => {
    const { path } = await newSession(stage)
    const adr = await created(stage, `${path}/adrs`, DECISION)
    const place = `${path}/adrs/${adr.id}`
    const changed = await change(stage, place, { status: 'deprecated' })
    expect([changed.status, changed.title]).toEqual(['deprecated', 'T'])
    await rejects(stage, ['PATCH', place, { status: 'open' }], 'body', 'status')
    // A whole record can be sent back, with the successor that it has.
    expect((await change(stage, place, changed)).superseded_by).toBeNull()
    await rejects(stage, ['PATCH', place, { superseded_by: adr.id }], 'body', 'superseded_by')
    await changesOnlyHere(stage, 'adrs', 'ADR', adr)
  },
  '1.2 POST /versions/{v}/adrs/{id}/supersede': async (stage) => {
    const { path } = await newSession(stage)
    const old = await created(stage, `${path}/adrs`, { title: 'Old', ...PROSE })
    const place = `${path}/adrs/${old.id}`
    const sent = { title: 'New', ...PROSE }
    const made = await answers(stage, ['POST', `${place}/supersede`, sent], { status: 201 })
    expect([made.adr_number, made.title, made.superseded_by]).toEqual([2, 'New', null])
    const { status, superseded_by } = await read(stage, place)
    expect([status, superseded_by]).toEqual(['superseded', made.id])
    await missing(stage, ['POST', `${path}/adrs/${NO_ID}/supersede`, sent], 'ADR')
    await answers(stage, ['POST', `${place}/supersede`, {}], { status: 422 })
    const again = await answers(stage, ['POST', `${place}/supersede`, sent], { status: 409 })
    expect(again.detail).toBe('ADR is superseded already')
    expect(await read(stage, `${path}/adrs`)).toHaveLength(2)
    expect((await change(stage, place, { status: 'accepted' })).superseded_by).toBeNull()
    await answers(stage, ['DELETE', `${path}/adrs/${made.id}`], { status: 204 })
    const third = await answers(stage, ['POST', `${place}/supersede`, sent], { status: 201 })
    expect(third.adr_number, 'a number is not given again').toBe(3)
  },
  '1.2 GET /versions/{v}/questions': async (stage) => {
    const { path } = await newSession(stage)
    const questions = `${path}/questions`
    const made: Json[] = []
    for (const category of ['cost', 'security', 'cost', 'dr']) {
      made.push(await created(stage, questions, { question_text: 'Q', category }))
    }
    await change(stage, `${questions}/${made[2].id}`, { status: 'deferred' })
    await change(stage, `${questions}/${made[3].id}`, { status: 'not_applicable' })
    const all = await read(stage, questions)
    expect(all.flatMap((one: Json) => one.suggestions)).toEqual([])
    for (const [filter, expected] of [
      ['', [0, 1, 2, 3]],
      ['category=cost', [0, 2]],
      ['status=open', [0, 1]],
      ['status=open&category=cost', [0]],
      ['status=not_applicable&category=dr', [3]],
      // As a form sends fields that were left empty.
      ['status=&category=&limit=', [0, 1, 2, 3]],
    ] as const) {
      const found = await read(stage, `${questions}?${filter}`)
      expect([filter, ids(found)]).toEqual([filter, expected.map((i) => made[i].id)])
    }
    await rejects(stage, ['GET', `${questions}?status=x`], 'query', 'status')
    await needsParent(stage, 'GET', `${VERSION}/questions`, 'Version')
  },
  '1.2 POST /versions/{v}/questions': async (stage) => {
    const { path } = await newSession(stage)
    for (const [sent, field] of [
      [{}, 'question_text'],
      [{ question_text: 'Q', category: 'taste' }, 'category'],
      [{ question_text: 'Q', status: 'closed' }, 'status'],
    ] as const) {
      await rejects(stage, ['POST', `${path}/questions`, sent], 'body', field)
    }
    await needsParent(stage, 'POST', `${VERSION}/questions`, 'Version', { question_text: 'Q' })
  },
  '1.2 GET /versions/{v}/questions/{q}': async (stage) => {
    const question_text = 'Has a threat model been drawn for every trust boundary?'
    const { session, path } = await readsOne(stage, 'questions', 'Question', { question_text })
    const { id: question_id } = await read(stage, path)
    const item = await created(stage, `${session.path}/coverage`, { ...ITEM, question_id })
    // An addition to the contract; coverage stays without it.
    await answers(stage, ['DELETE', path], { status: 204 })
    await missing(stage, ['DELETE', path], 'Question')
    expect((await read(stage, `${session.path}/coverage/${item.id}`)).question_id).toBeNull()
  },
  '1.2 PATCH /versions/{v}/questions/{q}': async (stage) => {
    const { path } = await newSession(stage)
    const question = await created(stage, `${path}/questions`, {
      question_text: 'Q',
      category: 'dr',
    })
    const place = `${path}/questions/${question.id}`
    // An answer does not change the status.
    const answered = { answer_text: 'A', status: 'open', category: 'dr' }
    expect(await change(stage, place, { answer_text: 'A' })).toMatchObject(answered)
    expect((await read(stage, place)).suggestions).toEqual([])
    await rejects(stage, ['PATCH', place, { status: 'closed' }], 'body', 'status')
    const blank = await change(stage, place, { answer_text: '' })
    expect(blank.suggestions).toEqual([])
    await changesOnlyHere(stage, 'questions', 'Question', question)
  },
  '1.2 GET /versions/{v}/coverage': async (stage) => {
    const { path } = await newSession(stage)
    const { id: question_id } = await created(stage, `${path}/questions`, { question_text: 'Q' })
    for (const [knowledge_file, priority, more] of [
      ['b.md', 'CRITICAL', {}],
      ['a.md', 'optional', { question_id }],
      ['a.md', 'Critical', {}],
      ['a.md', 'recommended', { status: 'na' }],
    ] as const) {
      await created(stage, `${path}/coverage`, { ...ITEM, knowledge_file, priority, ...more })
    }
    const listed = async (query = ''): Promise<string[]> =>
      (await read(stage, `${path}/coverage${query}`)).map(
        (one: Json) => `${one.knowledge_file} ${one.priority}`,
      )
    expect(await listed()).toEqual([
      'a.md Critical',
      'a.md Optional',
      'a.md Recommended',
      'b.md Critical',
    ])
    expect(await listed('?priority=critical')).toEqual(['a.md Critical', 'b.md Critical'])
    expect(await listed('?knowledge_file=b.md')).toEqual(['b.md Critical'])
    expect(await listed('?status=na')).toEqual(['a.md Recommended'])
    expect(await listed(`?question_id=${question_id}`)).toEqual(['a.md Optional'])
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
      ['question_id', NO_ID],
      // Of another version.
      ['question_id', question.id],
    ] as const) {
      const sent = { ...ITEM, [field]: value }
      await rejects(stage, ['POST', `${path}/coverage`, sent], 'body', field)
    }
    await needsParent(stage, 'POST', `${VERSION}/coverage`, 'Version', ITEM)
  },
  '1.2 PATCH /versions/{v}/coverage/{id}': async (stage) => {
    const { session, item, path } = await readsOne(stage, 'coverage', 'Coverage item', ITEM)
    const changes = { status: 'na', reason: 'later' }
    const changed = await change(stage, path, { ...changes, item_text: 'other' })
    expect(changed).toMatchObject({ ...changes, item_text: item.item_text })
    await rejects(stage, ['PATCH', path, { status: 'done' }], 'body', 'status')
    const question = await created(stage, `${session.path}/questions`, { question_text: 'Q' })
    const other = await newSession(stage)
    const foreign = await created(stage, `${other.path}/questions`, { question_text: 'Q' })
    await change(stage, path, { question_id: question.id })
    await rejects(stage, ['PATCH', path, { question_id: foreign.id }], 'body', 'question_id')
    expect((await change(stage, path, { reason: 'R' })).question_id).toBe(question.id)
    expect((await change(stage, path, { question_id: null })).question_id).toBeNull()
    await changesOnlyHere(stage, 'coverage', 'Coverage item', item)
    // An addition to the contract.
    await answers(stage, ['DELETE', path], { status: 204 })
  },
  '1.2 GET /versions/{v}/coverage/summary': async (stage) => {
    await needsParent(stage, 'GET', `${VERSION}/coverage/summary`, 'Version')
    const { path } = await newSession(stage)
    await created(stage, `${path}/coverage`, { ...ITEM, status: 'addressed' })
    const summary = await read(stage, `${path}/coverage/summary`)
    expect([summary.total, summary.critical_addressed]).toEqual([1, 1])
  },
  '1.5 counters': async (stage) => {
    const { path } = await newSession(stage)
    for (const [knowledge_file, priority, statuses] of [
      ['a.md', 'Critical', ['addressed', 'deferred', 'na']],
      ['b.md', 'Critical', ['pending', 'pending']],
      ['b.md', 'Recommended', ['addressed', 'deferred', 'deferred', 'pending', 'na']],
      ['b.md', 'Optional', ['pending']],
      ['__proto__', 'Optional', ['addressed']],
    ] as const) {
      for (const status of statuses) {
        await created(stage, `${path}/coverage`, { ...ITEM, knowledge_file, priority, status })
      }
    }
    const { text } = await ask(stage, 'GET', `${path}/coverage/summary`)
    const none = { addressed: 0, deferred: 0, pending: 0, na: 0 }
    expect(JSON.parse(text)).toEqual({
      total: 12,
      critical_total: 5,
      critical_addressed: 1,
      critical_deferred: 1,
      critical_pending: 2,
      recommended_total: 5,
      recommended_addressed: 1,
      optional_total: 2,
      by_file: {
        'a.md': { total: 3, addressed: 1, deferred: 1, pending: 0, na: 1 },
        'b.md': { total: 8, addressed: 1, deferred: 2, pending: 4, na: 1 },
        ['__proto__']: { ...none, total: 1, addressed: 1 },
      },
    })
  },
  '1.5 empty version': async (stage) => {
    const { path } = await newSession(stage)
    expect(await read(stage, `${path}/coverage/summary`)).toEqual(NO_COVERAGE)
  },
  '1.2 GET /versions/{v}/inventory': async (stage) => {
    const { path } = await newSession(stage)
    for (const [name, sort_order, data_type] of [
      ['b', 1, 'custom'],
      ['z', -1, 'custom'],
      ['a', 1, 'server_list'],
    ]) {
      await created(stage, `${path}/inventory`, { name, sort_order, data_type, data: '' })
    }
    const names = async (query = ''): Promise<string[]> =>
      (await read(stage, `${path}/inventory${query}`)).map((one: Json) => one.name)
    expect(await names()).toEqual(['z', 'a', 'b'])
    expect(await names('?data_type=server_list')).toEqual(['a'])
    await needsParent(stage, 'GET', `${VERSION}/inventory`, 'Version')
  },
  '1.2 POST /versions/{v}/inventory': async (stage) => {
    const { path } = await newSession(stage)
    for (const [sent, field] of [
      [{ name: 'N' }, 'data'],
      [{ data: 'D' }, 'name'],
      [{ name: 'N', data: 'D', data_type: 'x'.repeat(51) }, 'data_type'],
    ] as const) {
      await rejects(stage, ['POST', `${path}/inventory`, sent], 'body', field)
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
    const place = `${path}/inventory/${item.id}`
    const moved = await change(stage, place, { sort_order: 5 })
    expect(moved).toEqual({ ...item, sort_order: 5, updated_at: moved.updated_at })
    const changes = { data: 'D2', data_type: 'server_list', description: 'S', sort_order: 2 }
    const changed = await change(stage, place, changes)
    expect(changed).toEqual({ ...item, ...changes, updated_at: changed.updated_at })
    expect(await read(stage, place)).toEqual(changed)
    await rejects(stage, ['PATCH', place, { data: null }], 'body', 'data')
    await changesOnlyHere(stage, 'inventory', 'Inventory item', item)
  },
  '1.2 DELETE /versions/{v}/inventory/{id}': async (stage) => {
    const { path } = await newSession(stage)
    const item = await created(stage, `${path}/inventory`, { name: 'N', data: 'D' })
    const place = `${path}/inventory/${item.id}`
    await answers(stage, ['DELETE', place], { status: 204 })
    await missing(stage, ['DELETE', place], 'Inventory item')
    await missing(stage, ['GET', place], 'Inventory item')
  },
}
