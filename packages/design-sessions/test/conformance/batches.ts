// Section 1.11: coverage recorded as a batch is what single records would be, all of it or none.
import { byTier } from '@orrery/testkit/tier'
import { expect } from 'vitest'
import {
  type Answer,
  ITEM,
  type Json,
  NO_ID,
  type Place,
  ask,
  created,
  newSession,
} from '../ask.ts'
import { parsedFile } from '../../src/indexing/markdown.ts'
import { type Cases, type Stage, change, id, read, stamps } from './case.ts'

const BATCH_MAX = 500
const PRIORITIES = ['critical', 'RECOMMENDED', 'Optional']

const FILE = 'general/security.md'

/** Items of one file, each several times, with different reasons. */
async function itemsOf(stage: Stage): Promise<(count: number, of?: number) => Json[]> {
  const { content } = await read(stage, `/knowledge/${FILE}`)
  const known = parsedFile(content).chunks.flatMap(({ item }) => item ?? [])
  return (count, of = 0) =>
    Array.from({ length: count }, (_, i) => ({
      knowledge_file: FILE,
      item_text: known[i % known.length],
      priority: 'Critical',
      reason: `Item ${of}, ${i}`,
    }))
}

function batch(stage: Place, path: string, sent: unknown): Promise<Answer> {
  return ask(stage, 'POST', `${path}/coverage/batch`, { json: { items: sent } })
}

const texts = (records: Json): string[] => records.map((record: Json) => record.reason)

export const batches: Cases = {
  '1.11 batch': async (stage) => {
    const items = await itemsOf(stage)
    const { path, version } = await newSession(stage)
    const { id: question_id } = await created(stage, `${path}/questions`, { question_text: 'Q' })
    const sent = items(BATCH_MAX).map((item, i) => ({
      ...item,
      priority: PRIORITIES[i % 3],
      ...(i % 2 === 1 && { status: 'deferred', reason: `“${i}” \\ 😀`, question_id }),
    }))
    const { status, headers, body } = await batch(stage, path, sent)
    expect([status, headers.has('etag')]).toEqual([201, false])
    const none = { question_id: null, reason: null, owner: null, due_date: null }
    const defaults = { version_id: version.id, status: 'pending', ...none }
    const priority = (i: number): string => ['Critical', 'Recommended', 'Optional'][i % 3]
    expect(body).toEqual(
      sent.map((item, i) => ({ ...defaults, ...item, id, priority: priority(i), ...stamps })),
    )
    const ofPriority = (wanted: string): Json => body.filter((one: Json) => one.priority === wanted)
    const listed = await read(stage, `${path}/coverage`)
    expect(listed).toEqual(['Critical', 'Optional', 'Recommended'].flatMap(ofPriority))
    const single = await created(stage, `${path}/coverage`, ITEM)
    expect(Object.keys(body[0])).toEqual(Object.keys(single))
    const one = `${path}/coverage/${body[1].id}`
    expect(await read(stage, one)).toEqual(body[1])
    await change(stage, one, { status: 'na' })
  },
  '1.11 bad batch': async (stage) => {
    const items = await itemsOf(stage)
    const [ITEM] = items(1)
    const { path } = await newSession(stage)
    const other = await newSession(stage)
    const foreign = await created(stage, `${other.path}/questions`, { question_text: 'Q' })
    const own = await created(stage, `${path}/questions`, { question_text: 'Q' })
    const withBad = (bad: object, at = 3): Json[] => items(9).with(at, { ...ITEM, ...bad })
    for (const sent of [
      undefined,
      null,
      'x',
      [],
      items(BATCH_MAX + 1),
      Array.from({ length: byTier({ gate: 20_000, night: 400_000 }) }, () => 0),
    ]) {
      const { status, body } = await batch(stage, path, sent)
      const [{ loc }, ...more] = body.detail
      expect([status, loc, more]).toEqual([422, ['body', 'items'], []])
    }
    for (const [sent, places] of [
      [[1], [[0]]],
      [withBad({ priority: 'urgent' }), [[3, 'priority']]],
      [withBad({ knowledge_file: undefined }), [[3, 'knowledge_file']]],
      [withBad({ item_text: 'a\0' }), [[3, 'item_text']]],
      [withBad({ reason: '\ud800' }, 8), [[8, 'reason']]],
      [
        withBad({ status: 'done', question_id: 'x' }),
        [
          [3, 'status'],
          [3, 'question_id'],
        ],
      ],
      [
        withBad({ question_id: foreign.id })
          .with(0, { ...ITEM, question_id: own.id })
          .with(6, { ...ITEM, question_id: NO_ID }),
        [
          [3, 'question_id'],
          [6, 'question_id'],
        ],
      ],
    ] as const) {
      const { status, body } = await batch(stage, path, sent)
      const named = body.detail.map(({ loc }: Json) => loc)
      expect([status, named]).toEqual([422, places.map((place) => ['body', 'items', ...place])])
    }
    const bad = items(BATCH_MAX).map((item) => ({ ...item, question_id: foreign.id }))
    expect((await batch(stage, path, bad)).body.detail).toHaveLength(20)
    expect(await read(stage, `${path}/coverage`)).toEqual([])
    for (const question_id of [null, own.id]) {
      const lost = await batch(stage, `/versions/${NO_ID}`, [{ ...ITEM, question_id }])
      expect([lost.status, lost.body]).toEqual([404, { detail: 'Version not found' }])
    }
    expect((await batch(stage, '/versions/x', [ITEM])).status).toBe(422)
  },
  '1.11 batches at once': async (stage) => {
    const items = await itemsOf(stage)
    const [ITEM] = items(1)
    const { path } = await newSession(stage)
    const bad = new Set([2, 7])
    const sent = Array.from({ length: byTier({ gate: 4, night: 10 }) }, (_, k) =>
      bad.has(k) ? [...items(499, k), { ...ITEM, question_id: NO_ID }] : items(BATCH_MAX, k),
    )
    const answers = await Promise.all(sent.map((part) => batch(stage, path, part)))
    for (const [k, { status, body }] of answers.entries()) {
      expect([k, status]).toEqual([k, bad.has(k) ? 422 : 201])
      if (status === 201) expect(texts(body)).toEqual(texts(sent[k]))
    }
    const made = texts(await read(stage, `${path}/coverage`))
    const wanted = sent.filter((_, k) => !bad.has(k)).flatMap(texts)
    expect(made.toSorted()).toEqual(wanted.toSorted())
  },
}
