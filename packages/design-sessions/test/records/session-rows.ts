// Questions, decisions, coverage and inventory: sections 1.1, 1.2 and 1.5 of the contract.
import { expect } from 'vitest'
import { type Json, ask, created, newSession } from '../ask.ts'
import { NOBODY, type Row, TIME, UUID } from './row.ts'

const stamps = { created_at: expect.stringMatching(TIME), updated_at: expect.stringMatching(TIME) }
const id = expect.stringMatching(UUID)

const DECISION = { title: 'Use one', context: 'C', decision: 'D', consequences: 'E' }

export const sessionRows: readonly Row[] = [
  [
    'a question is open and without answer at first, whatever is sent',
    async (place) => {
      const { path, version } = await newSession(place)
      const made = await created(place, `${path}/questions`, {
        question_text: 'How many users?',
        answer_text: 'too early',
      })
      expect(made).toEqual({
        id,
        version_id: version.id,
        question_text: 'How many users?',
        answer_text: null,
        status: 'open',
        category: 'requirements',
        suggestions: expect.any(Array),
        ...stamps,
      })
    },
  ],
  [
    'an answer is recorded, does not change the status, and is filtered by it',
    async (place) => {
      const { path } = await newSession(place)
      const questions = `${path}/questions`
      const asked: Json[] = []
      for (const category of ['security', 'dr', 'migration', 'security']) {
        asked.push(await created(place, questions, { question_text: category, category }))
      }
      const one = `${questions}/${asked[1].id}`
      const json = { answer_text: 'a bunker' }
      const answered = (await ask(place, 'PATCH', one, { json })).body
      expect(answered).toMatchObject({ answer_text: 'a bunker', status: 'open', category: 'dr' })
      await ask(place, 'PATCH', one, { json: { status: 'not_applicable' } })
      const listed = async (query: string): Promise<string[]> =>
        (await ask(place, 'GET', questions + query)).body.map(({ id }: Json) => id)
      expect(await listed('')).toEqual(asked.map((question) => question.id))
      expect(await listed('?category=security')).toEqual([asked[0].id, asked[3].id])
      expect(await listed('?status=not_applicable&category=dr')).toEqual([asked[1].id])
      expect((await ask(place, 'GET', `${questions}?status=none`)).status).toBe(422)
      // As a form sends what nobody has filled in.
      expect(await listed('?status=&category=&limit=')).toEqual(asked.map(({ id }) => id))
      expect((await ask(place, 'GET', one)).body.suggestions).toEqual([])
      expect((await ask(place, 'DELETE', one)).status).toBe(405)
    },
  ],
  [
    'decisions are numbered from 1 within their version',
    async (place) => {
      const { path, version } = await newSession(place)
      const first = await created(place, `${path}/adrs`, DECISION)
      expect(first).toEqual({
        id,
        version_id: version.id,
        adr_number: 1,
        ...DECISION,
        status: 'proposed',
        superseded_by: null,
        ...stamps,
      })
      const second = await created(place, `${path}/adrs`, { ...DECISION, status: 'accepted' })
      expect(second.adr_number).toBe(2)
      const json = { title: 'T', status: 'deprecated', superseded_by: second.id, adr_number: 9 }
      const changed = (await ask(place, 'PATCH', `${path}/adrs/${first.id}`, { json })).body
      expect(changed).toMatchObject({ title: 'T', status: 'deprecated', superseded_by: null })
      expect(changed.adr_number).toBe(1)
      const listed = (await ask(place, 'GET', `${path}/adrs`)).body
      expect(listed.map((adr: Json) => adr.adr_number)).toEqual([1, 2])
      expect((await ask(place, 'DELETE', `${path}/adrs/${first.id}`)).status).toBe(405)
    },
  ],
  [
    'superseding makes a new decision, which the old one points to',
    async (place) => {
      const { path } = await newSession(place)
      const old = await created(place, `${path}/adrs`, DECISION)
      const json = { ...DECISION, title: 'Use two' }
      const made = await ask(place, 'POST', `${path}/adrs/${old.id}/supersede`, { json })
      expect(made.status).toBe(201)
      expect(made.body).toMatchObject({ adr_number: 2, title: 'Use two', superseded_by: null })
      const { body } = await ask(place, 'GET', `${path}/adrs/${old.id}`)
      expect(body).toMatchObject({ status: 'superseded', superseded_by: made.body.id })
      const none = await ask(place, 'POST', `${path}/adrs/${NOBODY}/supersede`, { json })
      expect([none.status, none.body]).toEqual([404, { detail: 'ADR not found' }])
    },
  ],
  [
    'coverage takes a priority in any case, gives it capitalised, and lists it by file and name',
    async (place) => {
      const { path, version } = await newSession(place)
      const coverage = `${path}/coverage`
      for (const [knowledge_file, priority] of [
        ['general/b.md', 'optional'],
        ['general/b.md', 'CRITICAL'],
        ['general/a.md', 'Recommended'],
        ['general/b.md', 'recommended'],
      ]) {
        await created(place, coverage, { knowledge_file, item_text: 'Item?', priority })
      }
      const listed = (await ask(place, 'GET', coverage)).body
      expect(listed.map((item: Json) => [item.knowledge_file, item.priority])).toEqual([
        ['general/a.md', 'Recommended'],
        ['general/b.md', 'Critical'],
        ['general/b.md', 'Optional'],
        ['general/b.md', 'Recommended'],
      ])
      expect(listed[0]).toEqual({
        id,
        version_id: version.id,
        knowledge_file: 'general/a.md',
        item_text: 'Item?',
        priority: 'Recommended',
        status: 'pending',
        question_id: null,
        reason: null,
        ...stamps,
      })
      const critical = await ask(place, 'GET', `${coverage}?priority=critical`)
      expect(critical.body).toHaveLength(1)
    },
  ],
  [
    'coverage points to a question of its own version only',
    async (place) => {
      const { path } = await newSession(place)
      const other = await newSession(place)
      const question = await created(place, `${path}/questions`, { question_text: 'Q' })
      const foreign = await created(place, `${other.path}/questions`, { question_text: 'Q' })
      const item = { knowledge_file: 'f.md', item_text: 'I', priority: 'Critical' }
      for (const question_id of [foreign.id, NOBODY, 'none']) {
        const json = { ...item, question_id }
        const { status, body } = await ask(place, 'POST', `${path}/coverage`, { json })
        expect([status, body.detail[0].loc]).toEqual([422, ['body', 'question_id']])
      }
      const made = await created(place, `${path}/coverage`, { ...item, question_id: question.id })
      const one = `${path}/coverage/${made.id}`
      const bad = await ask(place, 'PATCH', one, { json: { question_id: foreign.id } })
      expect(bad.status).toBe(422)
      const change = { status: 'deferred', reason: 'later', item_text: 'fixed' }
      const changed = (await ask(place, 'PATCH', one, { json: change })).body
      expect(changed).toMatchObject({ status: 'deferred', reason: 'later', item_text: 'I' })
      expect(changed.question_id).toBe(question.id)
      const freed = await ask(place, 'PATCH', one, { json: { question_id: null } })
      expect(freed.body.question_id).toBeNull()
      expect((await ask(place, 'DELETE', one)).status).toBe(204)
    },
  ],
  [
    'the summary counts by priority, status and file',
    async (place) => {
      const { path } = await newSession(place)
      const empty = (await ask(place, 'GET', `${path}/coverage/summary`)).body
      expect(empty).toEqual({
        total: 0,
        critical_total: 0,
        critical_addressed: 0,
        critical_deferred: 0,
        critical_pending: 0,
        recommended_total: 0,
        recommended_addressed: 0,
        optional_total: 0,
        by_file: {},
      })
      for (const [knowledge_file, priority, status] of [
        ['a.md', 'Critical', 'addressed'],
        ['a.md', 'Critical', 'na'],
        ['a.md', 'Critical', 'deferred'],
        ['b.md', 'Critical', 'pending'],
        ['b.md', 'Recommended', 'addressed'],
        ['b.md', 'Recommended', 'pending'],
        ['__proto__', 'Optional', 'addressed'],
      ]) {
        const item = { knowledge_file, item_text: 'I', priority, status }
        await created(place, `${path}/coverage`, item)
      }
      const { text } = await ask(place, 'GET', `${path}/coverage/summary`)
      const none = { addressed: 0, deferred: 0, pending: 0, na: 0 }
      expect(JSON.parse(text)).toEqual({
        total: 7,
        critical_total: 4,
        critical_addressed: 1,
        critical_deferred: 1,
        critical_pending: 1,
        recommended_total: 2,
        recommended_addressed: 1,
        optional_total: 1,
        by_file: JSON.parse(
          JSON.stringify({
            'a.md': { total: 3, addressed: 1, deferred: 1, pending: 0, na: 1 },
            'b.md': { ...none, total: 3, addressed: 1, pending: 2 },
            ['__proto__']: { ...none, total: 1, addressed: 1 },
          }),
        ),
      })
    },
  ],
  [
    'inventory keeps data as it came, ordered by sort_order and name',
    async (place) => {
      const { path, version } = await newSession(place)
      const inventory = `${path}/inventory`
      const data = 'name;cpu\r\n"a ""b""";2\n\t☃'
      const made = await created(place, inventory, { name: 'b', data })
      expect(made).toEqual({
        id,
        version_id: version.id,
        name: 'b',
        description: null,
        data_type: 'custom',
        data,
        sort_order: 0,
        ...stamps,
      })
      await created(place, inventory, { name: 'a', data: '', data_type: 'server_list' })
      await created(place, inventory, { name: 'c', data: '{}', sort_order: -1 })
      const names = (await ask(place, 'GET', inventory)).body.map(({ name }: Json) => name)
      expect(names).toEqual(['c', 'a', 'b'])
      const some = await ask(place, 'GET', `${inventory}?data_type=server_list`)
      expect(some.body).toHaveLength(1)
      const one = `${inventory}/${made.id}`
      const changed = (await ask(place, 'PATCH', one, { json: { sort_order: 5 } })).body
      expect(changed).toEqual({ ...made, sort_order: 5, updated_at: changed.updated_at })
      expect((await ask(place, 'GET', one)).body).toEqual(changed)
      expect((await ask(place, 'DELETE', one)).status).toBe(204)
      expect((await ask(place, 'GET', one)).status).toBe(404)
    },
  ],
]
