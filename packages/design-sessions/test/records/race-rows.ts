// Many at once: section 1.11 of the contract, on every database.
import { expect } from 'vitest'
import { type Answer, type Json, type Place, ask, created, newName, newSession } from '../ask.ts'
import type { Row } from './row.ts'

const DECISION = { title: 'T', context: 'C', decision: 'D', consequences: 'E' }

/** The statuses of as many requests at once, sorted. */
async function statuses(count: number, one: (i: number) => Promise<Answer>): Promise<number[]> {
  const answers = await Promise.all(Array.from({ length: count }, (_, i) => one(i)))
  return answers.map(({ status }) => status).toSorted((a, b) => a - b)
}

/** One that got through before so many that did not. */
function onlyOne(status: number, others: number, count: number): number[] {
  return [status, ...Array.from({ length: count - 1 }, () => others)]
}

async function numbers(place: Place, path: string): Promise<number[]> {
  const { body } = await ask(place, 'GET', `${path}/adrs`)
  return body.map(({ adr_number: number }: Json) => number)
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, i) => i + 1)

export const raceRows: readonly Row[] = [
  [
    'twenty decisions at once get the numbers 1 to 20',
    async (place) => {
      const { path } = await newSession(place)
      const made = await Promise.all(
        Array.from({ length: 20 }, () => created(place, `${path}/adrs`, DECISION)),
      )
      const given = made.map(({ adr_number: number }) => number)
      expect(given.toSorted((a, b) => a - b)).toEqual(upTo(20))
      expect(await numbers(place, path)).toEqual(upTo(20))
    },
  ],
  [
    'decisions that are made, superseded and cloned at once have a number each',
    async (place) => {
      const { path, version, project } = await newSession(place)
      const source = await created(place, `/projects/${project.id}/versions`, {})
      for (let i = 0; i < 3; i++) await created(place, `/versions/${source.id}/adrs`, DECISION)
      const old = await created(place, `${path}/adrs`, DECISION)
      const sent = { json: DECISION }
      const copy = { json: { target_version_id: version.id } }
      const all = await statuses(15, (i) =>
        i % 3 === 0
          ? ask(place, 'POST', `${path}/adrs`, sent)
          : i % 3 === 1
            ? ask(place, 'POST', `${path}/adrs/${old.id}/supersede`, sent)
            : ask(place, 'POST', `/versions/${source.id}/artifacts/clone`, copy),
      )
      expect(all).toEqual(Array.from({ length: 15 }, () => 201))
      expect(await numbers(place, path)).toEqual(upTo(1 + 5 + 5 + 5 * 3))
    },
  ],
  [
    'of equal names and numbers at once one is taken, by creation and by renaming',
    async (place) => {
      const { client, project } = await newSession(place)
      const projects = `/clients/${client.id}/projects`
      const versions = `/projects/${project.id}/versions`
      const name = newName('Race')
      for (const [path, json] of [
        ['/clients', { name }],
        [projects, { name }],
        [versions, { version_number: '7.0.0' }],
      ] as const) {
        const all = await statuses(10, () => ask(place, 'POST', path, { json }))
        expect([path, all]).toEqual([path, onlyOne(201, 409, 10)])
      }
      const free = await statuses(10, () => ask(place, 'POST', versions, { json: {} }))
      expect(free).toEqual(Array.from({ length: 10 }, () => 201))
      const made: Json[] = []
      for (let i = 0; i < 5; i++) {
        made.push(await created(place, projects, { name: newName('Other') }))
      }
      const json = { name: newName('Target') }
      const renamed = await statuses(5, (i) =>
        ask(place, 'PATCH', `${projects}/${made[i].id}`, { json }),
      )
      expect(renamed).toEqual(onlyOne(200, 409, 5))
    },
  ],
  [
    'of changes bound to one state one is made; others change different fields at once',
    async (place) => {
      const { path } = await newSession(place)
      for (const [kind, fields] of [
        ['inventory', { name: 'N', data: '' }],
        ['artifacts', { name: 'N', artifact_type: 'diagram' }],
        ['questions', { question_text: 'N' }],
      ] as const) {
        const { id } = await created(place, `${path}/${kind}`, fields)
        const one = `${path}/${kind}/${id}`
        const tag = (await ask(place, 'GET', one)).headers.get('etag') ?? ''
        const headers = { 'if-match': `"of another", ${tag}` }
        const [field] = Object.keys(fields)
        const all = await statuses(10, (i) =>
          ask(place, 'PATCH', one, { json: { [field]: `N${i}` }, headers }),
        )
        expect([kind, all]).toEqual([kind, onlyOne(200, 412, 10)])
      }
      const item = await created(place, `${path}/inventory`, { name: 'N', data: '' })
      const changes = [{ name: 'M' }, { data: 'D' }, { description: 'S' }, { sort_order: 3 }]
      await statuses(4, (i) =>
        ask(place, 'PATCH', `${path}/inventory/${item.id}`, { json: changes[i] }),
      )
      const { body } = await ask(place, 'GET', `${path}/inventory/${item.id}`)
      expect(body).toMatchObject(Object.assign({}, ...changes))
    },
  ],
  [
    'what is written while its client is removed is made or not found, and gone afterwards',
    async (place) => {
      const { client, project, path } = await newSession(place)
      const upload = (): RequestInit['body'] => {
        const form = new FormData()
        form.set('file', new Blob(['x']), 'x')
        return form
      }
      const item = { knowledge_file: 'f.md', item_text: 'I', priority: 'Optional' }
      const writes = [
        () => ask(place, 'POST', `${path}/adrs`, { json: DECISION }),
        () => ask(place, 'POST', `${path}/questions`, { json: { question_text: 'Q' } }),
        () => ask(place, 'POST', `${path}/coverage`, { json: item }),
        () => ask(place, 'POST', `${path}/uploads`, { raw: upload() }),
        () => ask(place, 'POST', `/projects/${project.id}/versions`, { json: {} }),
        () => ask(place, 'PATCH', `/clients/${client.id}`, { json: { logo_path: 'l' } }),
      ]
      const all = await statuses(60, (i) =>
        i === 30 ? ask(place, 'DELETE', `/clients/${client.id}`) : writes[i % writes.length](),
      )
      expect(all).toContain(204)
      expect(all.filter((status) => ![200, 201, 204, 404].includes(status))).toEqual([])
      expect((await ask(place, 'GET', `${path}/adrs`)).status).toBe(404)
    },
  ],
]
