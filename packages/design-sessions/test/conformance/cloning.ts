// Sections 1.2 and 1.11: cloning a version.
import { expect } from 'vitest'
import { DECISION, ITEM, type Json, NO_ID, ask, created, newSession, uploaded } from '../ask.ts'
import {
  type Cases,
  DIAGRAM,
  SOURCE,
  answers,
  change,
  missing,
  read,
  rejects,
  rendered,
} from './case.ts'

export const cloning: Cases = {
  '1.2 POST /versions/{v}/artifacts/clone': async (stage) => {
    const session = await newSession(stage)
    const { path, project } = session
    const one = await rendered(stage, session, { ...DIAGRAM, source_code: SOURCE })
    const old = await created(stage, `${path}/adrs`, DECISION)
    await answers(stage, ['POST', `${path}/adrs/${old.id}/supersede`, DECISION], { status: 201 })
    await created(stage, `${path}/adrs`, { ...DECISION, status: 'accepted' })
    for (const question_text of ['Q2', 'Q1']) {
      await created(stage, `${path}/questions`, { question_text, category: 'dr' })
    }
    await created(stage, `${path}/inventory`, { name: 'N', data: 'D', sort_order: 4 })
    await created(stage, `${path}/coverage`, ITEM)
    const target = await created(stage, `/projects/${project.id}/versions`, {})
    const sent = { target_version_id: target.id }
    const copies = await answers(stage, ['POST', `${path}/artifacts/clone`, sent], { status: 201 })
    expect(copies).toEqual([
      {
        ...one,
        id: copies[0].id,
        version_id: target.id,
        render_status: 'pending',
        output_paths: [],
        outputs_stale: false,
        created_at: expect.any(String),
        updated_at: expect.any(String),
      },
    ])
    expect(copies[0].id).not.toBe(one.id)
    const below = `/versions/${target.id}`
    const adrs = await read(stage, `${below}/adrs`)
    for (const [kind, copied] of Object.entries({
      adrs: [
        { ...DECISION, adr_number: 1, status: 'superseded', superseded_by: adrs[1].id },
        { ...DECISION, adr_number: 2, status: 'proposed', superseded_by: null },
        { ...DECISION, adr_number: 3, status: 'accepted', superseded_by: null },
      ],
      questions: [
        { question_text: 'Q2', category: 'dr', status: 'open', answer_text: null },
        { question_text: 'Q1', category: 'dr', status: 'open', answer_text: null },
      ],
      inventory: [{ name: 'N', data: 'D', data_type: 'custom', sort_order: 4 }],
      coverage: [],
      uploads: [],
    })) {
      const wanted = copied.map((fields) => expect.objectContaining(fields))
      expect(await read(stage, `${below}/${kind}`)).toEqual(wanted)
    }
    const empty = await newSession(stage)
    await answers(stage, ['POST', `${empty.path}/artifacts/clone`, sent], { status: 201, body: [] })
    await missing(stage, ['POST', `/versions/${NO_ID}/artifacts/clone`, sent], 'Version')
    await answers(stage, ['POST', `${path}/artifacts/clone`, { target_version_id: NO_ID }], {
      status: 404,
    })
  },
  '1.11 clone': async (stage) => {
    const { path, project, version } = await newSession(stage)
    const target = await created(stage, `/projects/${project.id}/versions`, {})
    const below = `/versions/${target.id}/adrs`
    const numbers = async (): Promise<number[]> =>
      (await read(stage, below)).map((one: Json) => one.adr_number)
    await created(stage, below, DECISION)
    for (const target_version_id of [version.id, 'none']) {
      const body = { target_version_id }
      await rejects(stage, ['POST', `${path}/artifacts/clone`, body], 'body', 'target_version_id')
    }
    // Ids may be in capitals.
    const sent = { target_version_id: target.id.toUpperCase() }
    for (const expected of [
      // Number 1 is taken in the target: all copies get new numbers and keep their links.
      [1, 2, 3],
      [1, 2, 3, 4, 5],
    ]) {
      const source = await created(stage, `/projects/${project.id}/versions`, {})
      const old = await created(stage, `/versions/${source.id}/adrs`, DECISION)
      const supersede = `/versions/${source.id}/adrs/${old.id}/supersede`
      await answers(stage, ['POST', supersede, DECISION], { status: 201 })
      const clone = `/versions/${source.id}/artifacts/clone`
      await answers(stage, ['POST', clone, sent], { status: 201 })
      const adrs = await read(stage, below)
      expect(adrs.map((one: Json) => one.adr_number)).toEqual(expected)
      const links = expected.map((number) => (number % 2 === 0 ? adrs[number].id : null))
      expect(adrs.map((one: Json) => one.superseded_by)).toEqual(links)
    }
    // A number is not given again, though its decision is deleted, in either version.
    const last = await created(stage, below, DECISION)
    await answers(stage, ['DELETE', `${below}/${last.id}`], { status: 204 })
    for (let i = 0; i < 6; i++) await created(stage, `${path}/adrs`, DECISION)
    const [first] = await read(stage, below)
    for (const { id } of await read(stage, below)) {
      await answers(stage, ['DELETE', `${below}/${id}`], { status: 204 })
    }
    expect(first.adr_number).toBe(1)
    await answers(stage, ['POST', `${path}/artifacts/clone`, sent], { status: 201 })
    expect(await numbers()).toEqual([7, 8, 9, 10, 11, 12])
  },
  '1.11 clone numbers': async (stage) => {
    const { path, project } = await newSession(stage)
    const target = await created(stage, `/projects/${project.id}/versions`, {})
    for (let i = 0; i < 3; i++) await created(stage, `${path}/adrs`, DECISION)
    const { id } = (await read(stage, `${path}/adrs`)).at(-1)
    await answers(stage, ['DELETE', `${path}/adrs/${id}`], { status: 204 })
    const sent = { target_version_id: target.id }
    await answers(stage, ['POST', `${path}/artifacts/clone`, sent], { status: 201 })
    const next = await created(stage, `/versions/${target.id}/adrs`, DECISION)
    expect(next.adr_number).toBe(4)
  },
  '1.11 clone again': async (stage) => {
    const { path, project } = await newSession(stage)
    const target = await created(stage, `/projects/${project.id}/versions`, {})
    const question = await created(stage, `${path}/questions`, { question_text: 'Q' })
    for (const [kind, fields] of [
      ['adrs', DECISION],
      ['inventory', { name: 'N', data: 'D' }],
      ['artifacts', { name: 'A', artifact_type: 'diagram' }],
      ['artifacts', { name: 'B', artifact_type: 'diagram' }],
      ['coverage', { ...ITEM, status: 'addressed', question_id: question.id }],
    ] as const) {
      await created(stage, `${path}/${kind}`, fields)
    }
    await uploaded(stage, path, 'logo.svg')
    const sent = { target_version_id: target.id }
    const cloned = async (more: object): Promise<Json> =>
      answers(stage, ['POST', `${path}/artifacts/clone`, { ...sent, ...more }], { status: 201 })
    const below = `/versions/${target.id}`
    const all = async (): Promise<Json> => {
      const kinds = ['adrs', 'questions', 'inventory', 'uploads', 'artifacts', 'coverage']
      return Promise.all(kinds.map((kind) => read(stage, `${below}/${kind}`)))
    }
    const [copies, again] = await Promise.all([cloned({}), cloned({})])
    expect(again).toEqual(copies)
    expect((await all()).map(({ length }: Json) => length)).toEqual([1, 1, 1, 1, 2, 0])
    // What has been removed from the copy stays away; coverage can follow, once.
    await answers(stage, ['DELETE', `${below}/artifacts/${copies[0].id}`], { status: 204 })
    expect(await cloned({ include_coverage: true })).toEqual([copies[1]])
    const whole = await all()
    const [asked] = await read(stage, `${below}/questions`)
    expect(whole.at(-1)).toMatchObject([{ ...ITEM, question_id: asked.id }])
    await cloned({ include_coverage: true })
    await cloned({})
    expect(await all()).toEqual(whole)
  },
  '1.11 clone uploads': async (stage) => {
    const { path, project } = await newSession(stage)
    const target = await created(stage, `/projects/${project.id}/versions`, {})
    const originals = [await uploaded(stage, path, 'a.txt'), await uploaded(stage, path, 'b.txt')]
    const sent = { target_version_id: target.id }
    await answers(stage, ['POST', `${path}/artifacts/clone`, sent], { status: 201 })
    const copies = await read(stage, `/versions/${target.id}/uploads`)
    expect(copies.map((one: Json) => one.original_filename)).toEqual(['b.txt', 'a.txt'])
    expect(copies[1].id).not.toBe(originals[0].id)
    for (const { id } of originals) {
      await answers(stage, ['DELETE', `${path}/uploads/${id}`], { status: 204 })
    }
    const file = `/versions/${target.id}/uploads/${copies[1].id}/download`
    expect((await ask(stage, 'GET', file)).text).toBe('a.txt')
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
      owner: 'O',
      due_date: '2027-02-28',
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
}
