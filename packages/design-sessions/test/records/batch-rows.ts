// Coverage that is recorded at once: as single records would be, all of it or none.
import { expect } from 'vitest'
import { type Answer, type Json, type Place, ask, created, newSession } from '../ask.ts'
import { NOBODY, type Row, TIME, UUID } from './row.ts'

const BATCH_MAX = 500

const ITEM = { knowledge_file: 'general/a.md', item_text: 'Is it so?', priority: 'critical' }
const PRIORITIES = ['critical', 'RECOMMENDED', 'Optional']

function items(count: number, of = 0): Json[] {
  return Array.from({ length: count }, (_, i) => ({ ...ITEM, item_text: `Item ${of}, ${i}` }))
}

function batch(place: Place, path: string, sent: unknown): Promise<Answer> {
  return ask(place, 'POST', `${path}/coverage/batch`, { json: { items: sent } })
}

const texts = (records: Json): string[] => records.map((record: Json) => record.item_text)

async function recorded(place: Place, path: string): Promise<Json> {
  return (await ask(place, 'GET', `${path}/coverage`)).body
}

export const batchRows: readonly Row[] = [
  [
    'a batch makes as many records as are sent, in their order, as single ones would be',
    async (place) => {
      const { path, version } = await newSession(place)
      const { id: question_id } = await created(place, `${path}/questions`, { question_text: 'Q' })
      const sent = items(BATCH_MAX).map((item, i) => ({
        ...item,
        priority: PRIORITIES[i % 3],
        ...(i % 2 === 1 && { status: 'deferred', reason: `“${i}” \\ 😀`, question_id }),
      }))
      const { status, headers, body } = await batch(place, path, sent)
      expect([status, headers.has('etag')]).toEqual([201, false])
      const given = { version_id: version.id, status: 'pending', question_id: null, reason: null }
      expect(body).toEqual(
        sent.map((item, i) => ({
          ...given,
          ...item,
          id: expect.stringMatching(UUID),
          priority: ['Critical', 'Recommended', 'Optional'][i % 3],
          created_at: expect.stringMatching(TIME),
          updated_at: expect.stringMatching(TIME),
        })),
      )
      const listed = await recorded(place, path)
      const ofPriority = (wanted: string): Json =>
        body.filter(({ priority }: Json) => priority === wanted)
      expect(listed).toEqual(['Critical', 'Optional', 'Recommended'].flatMap(ofPriority))
      const single = await created(place, `${path}/coverage`, ITEM)
      expect(Object.keys(body[0])).toEqual(Object.keys(single))
      const one = `${path}/coverage/${body[1].id}`
      expect((await ask(place, 'GET', one)).body).toEqual(body[1])
      expect((await ask(place, 'PATCH', one, { json: { status: 'na' } })).status).toBe(200)
    },
  ],
  [
    'of a batch with anything wrong nothing is made, and each place is named',
    async (place) => {
      const { path } = await newSession(place)
      const other = await newSession(place)
      const foreign = await created(place, `${other.path}/questions`, { question_text: 'Q' })
      const own = await created(place, `${path}/questions`, { question_text: 'Q' })
      const withBad = (bad: object, at = 3): Json[] => items(9).with(at, { ...ITEM, ...bad })
      for (const [sent, places] of [
        [undefined, [['body', 'items']]],
        [null, [['body', 'items']]],
        ['x', [['body', 'items']]],
        [[], [['body', 'items']]],
        [items(BATCH_MAX + 1), [['body', 'items']]],
        [Array.from({ length: 400_000 }, () => 0), [['body', 'items']]],
        [[1], [['body', 'items', 0]]],
        [withBad({ priority: 'urgent' }), [['body', 'items', 3, 'priority']]],
        [withBad({ knowledge_file: undefined }), [['body', 'items', 3, 'knowledge_file']]],
        [withBad({ item_text: 'a\0' }), [['body', 'items', 3, 'item_text']]],
        [withBad({ reason: '\ud800' }, 8), [['body', 'items', 8, 'reason']]],
        [
          withBad({ status: 'done', question_id: 'x' }),
          [
            ['body', 'items', 3, 'status'],
            ['body', 'items', 3, 'question_id'],
          ],
        ],
        [
          withBad({ question_id: foreign.id })
            .with(0, { ...ITEM, question_id: own.id })
            .with(6, { ...ITEM, question_id: NOBODY }),
          [
            ['body', 'items', 3, 'question_id'],
            ['body', 'items', 6, 'question_id'],
          ],
        ],
      ] as const) {
        const { status, body } = await batch(place, path, sent)
        const shown = JSON.stringify(sent)?.slice(0, 80)
        const named = Array.isArray(body.detail) ? body.detail.map(({ loc }: Json) => loc) : body
        expect([shown, status, named]).toEqual([shown, 422, places])
      }
      const bad = items(BATCH_MAX).map((item) => ({ ...item, question_id: foreign.id }))
      expect((await batch(place, path, bad)).body.detail).toHaveLength(20)
      expect(await recorded(place, path)).toEqual([])

      for (const question_id of [null, own.id]) {
        const lost = await batch(place, `/versions/${NOBODY}`, [{ ...ITEM, question_id }])
        expect([lost.status, lost.body]).toEqual([404, { detail: 'Version not found' }])
      }
      expect((await batch(place, '/versions/x', [ITEM])).status).toBe(422)
    },
  ],
  [
    'ten batches at once are each made as a whole, or not at all',
    async (place) => {
      const { path } = await newSession(place)
      const bad = new Set([2, 7])
      const sent = Array.from({ length: 10 }, (_, k) =>
        bad.has(k) ? [...items(499, k), { ...ITEM, question_id: NOBODY }] : items(BATCH_MAX, k),
      )
      const answers = await Promise.all(sent.map((part) => batch(place, path, part)))
      for (const [k, { status, body }] of answers.entries()) {
        expect([k, status]).toEqual([k, bad.has(k) ? 422 : 201])
        if (status === 201) expect(texts(body)).toEqual(texts(sent[k]))
      }
      const made = texts(await recorded(place, path))
      const wanted = sent.filter((_, k) => !bad.has(k)).flatMap(texts)
      expect(made.toSorted()).toEqual(wanted.toSorted())
    },
  ],
]
