// Sections 1.2 and 1.11: cloning a version.
import { expect } from 'vitest'
import { DECISION, ITEM, type Json, NO_ID, created, newSession } from '../ask.ts'
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
}
