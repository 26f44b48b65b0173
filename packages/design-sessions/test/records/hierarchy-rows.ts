// Clients, projects and versions: sections 1.1 and 1.2 of the contract.
import { expect } from 'vitest'
import { type Json, ask, created, newName, newSession } from '../ask.ts'
import { NOBODY, type Row, TIME, UUID } from './row.ts'

const stamps = { created_at: expect.stringMatching(TIME), updated_at: expect.stringMatching(TIME) }
const id = expect.stringMatching(UUID)

export const hierarchyRows: readonly Row[] = [
  [
    'health stands outside the prefix',
    async (place) => {
      for (const path of ['health/live', 'health/ready']) {
        const { status, body } = await ask(place, 'GET', path)
        expect({ status, body }).toEqual({ status: 200, body: { status: 'ok' } })
      }
    },
  ],
  [
    'a client has every field, with its defaults',
    async (place) => {
      const { status, body } = await ask(place, 'POST', '/clients', {
        json: { name: 'Ärmel & Söhne  GmbH!', nonsense: 1, id: NOBODY, slug: 'mine' },
      })
      expect(status).toBe(201)
      expect(body).toEqual({
        id,
        name: 'Ärmel & Söhne  GmbH!',
        slug: 'armel-sohne-gmbh',
        logo_path: null,
        metadata: {},
        ...stamps,
      })
      expect(body.id).not.toBe(NOBODY)
      const read = await ask(place, 'GET', `/clients/${body.id}`)
      expect(read.body).toEqual(body)
    },
  ],
  [
    'clients are listed by name, bare, and in pages when asked',
    async (place) => {
      const word = newName('page')
      const names = ['c', 'a', 'd', 'b'].map((letter) => `0 ${word} ${letter}`)
      for (const name of names) await created(place, '/clients', { name })
      const { body } = await ask(place, 'GET', '/clients')
      const listed = body.map(({ name }: Json) => name)
      expect(listed).toEqual(listed.toSorted())
      const paged: string[] = []
      let path: string | undefined = '/clients?limit=3'
      while (path !== undefined) {
        const page = await ask(place, 'GET', path)
        expect(page.body.length).toBeLessThanOrEqual(3)
        paged.push(...page.body.map(({ name }: Json) => name))
        path = /^<\/api\/v1(.*)>; rel="next"$/.exec(page.headers.get('link') ?? '')?.[1]
      }
      expect(paged).toEqual(listed)
      expect((await ask(place, 'GET', '/clients?limit=0')).status).toBe(422)
      expect((await ask(place, 'GET', '/clients?cursor=WyJhIl0')).status).toBe(422)
    },
  ],
  [
    'a slug is taken once among clients, also on a rename',
    async (place) => {
      const name = newName('Acme Corp')
      const client = await created(place, '/clients', { name })
      const taken = { detail: 'Client with this name already exists' }
      const again = await ask(place, 'POST', '/clients', { json: { name: name.toUpperCase() } })
      expect([again.status, again.body]).toEqual([409, taken])
      const other = await created(place, '/clients', { name: newName('Other') })
      const renamed = await ask(place, 'PATCH', `/clients/${other.id}`, { json: { name } })
      expect([renamed.status, renamed.body]).toEqual([409, taken])
      const same = await ask(place, 'PATCH', `/clients/${client.id}`, { json: { name } })
      expect(same.status).toBe(200)
    },
  ],
  [
    'names without a letter of ASCII are clients of their own',
    async (place) => {
      const first = await created(place, '/clients', { name: '株式会社オレリー' })
      const second = await created(place, '/clients', { name: '別の会社' })
      expect(first.slug).not.toBe(second.slug)
      const again = await ask(place, 'POST', '/clients', { json: { name: '別の会社' } })
      expect(again.status).toBe(409)
    },
  ],
  [
    'PATCH of a client applies the keys sent, metadata whole, and moves updated_at',
    async (place) => {
      const name = newName('Patch')
      const client = await created(place, '/clients', {
        name,
        logo_path: 'logo.svg',
        metadata: { a: 1, b: { c: [null, 'x'] } },
      })
      const path = `/clients/${client.id}`
      const text = '{"only": true, "constructor": "a", "prototype": 1, "__proto__": {"b": 2}}'
      const metadata: Json = JSON.parse(text)
      const changed = (await ask(place, 'PATCH', path, { json: { metadata } })).body
      expect(changed).toEqual({ ...client, metadata, updated_at: changed.updated_at })
      expect(changed.updated_at >= client.updated_at).toBe(true)
      const cleared = (await ask(place, 'PATCH', path, { json: { logo_path: null } })).body
      expect(cleared.logo_path).toBeNull()
      const renamed = (await ask(place, 'PATCH', path, { json: { name: `${name} Ltd` } })).body
      expect(renamed.slug).toBe(`${client.slug}-ltd`)
      const nothing = await ask(place, 'PATCH', path, { json: {} })
      expect([nothing.status, nothing.body]).toEqual([200, renamed])
    },
  ],
  [
    'a change may be bound to a state by ETag and If-Match',
    async (place) => {
      const client = await created(place, '/clients', { name: newName('Tag') })
      const path = `/clients/${client.id}`
      const tag = (await ask(place, 'GET', path)).headers.get('etag') ?? ''
      const headers = { 'if-match': tag }
      const json = { logo_path: 'a' }
      expect((await ask(place, 'PATCH', path, { json, headers })).status).toBe(200)
      expect((await ask(place, 'PATCH', path, { json, headers })).status).toBe(412)
      expect((await ask(place, 'PATCH', path, { json: {}, headers })).status).toBe(412)
      expect((await ask(place, 'DELETE', path, { headers })).status).toBe(412)
      expect((await ask(place, 'DELETE', path, { headers: { 'if-match': '*' } })).status).toBe(204)
    },
  ],
  [
    'deleting a client takes all below it along',
    async (place) => {
      const { client, project, version, path } = await newSession(place)
      await created(place, `${path}/questions`, { question_text: 'Q' })
      await created(place, `${path}/inventory`, { name: 'I', data: '' })
      const { status, text } = await ask(place, 'DELETE', `/clients/${client.id}`)
      expect([status, text]).toEqual([204, ''])
      expect((await ask(place, 'DELETE', `/clients/${client.id}`)).status).toBe(404)
      for (const [gone, detail] of [
        [`/clients/${client.id}`, 'Client not found'],
        [`/clients/${client.id}/projects`, 'Client not found'],
        [`/clients/${client.id}/projects/${project.id}`, 'Client not found'],
        [`/projects/${project.id}/versions`, 'Project not found'],
        [`/projects/${project.id}/versions/${version.id}`, 'Project not found'],
        [`${path}/questions`, 'Version not found'],
        [`${path}/coverage/summary`, 'Version not found'],
      ]) {
        const answer = await ask(place, 'GET', gone)
        expect([gone, answer.status, answer.body]).toEqual([gone, 404, { detail }])
      }
    },
  ],
  [
    'a project has every field, and its slug is its own below its client',
    async (place) => {
      const client = await created(place, '/clients', { name: newName('Owner') })
      const path = `/clients/${client.id}/projects`
      const made = await created(place, path, { name: 'Shop 2' })
      expect(made).toEqual({
        id,
        client_id: client.id,
        name: 'Shop 2',
        slug: 'shop-2',
        description: null,
        cloud_providers: [],
        status: 'draft',
        architecture_pattern: null,
        compliance_frameworks: [],
        ...stamps,
      })
      const again = await ask(place, 'POST', path, { json: { name: 'shop 2' } })
      expect(again.status).toBe(409)
      const other = await created(place, '/clients', { name: newName('Owner') })
      expect((await created(place, `/clients/${other.id}/projects`, { name: 'Shop 2' })).slug).toBe(
        'shop-2',
      )
      await created(place, path, { name: 'A shop', cloud_providers: ['aws', 'any cloud'] })
      const listed = (await ask(place, 'GET', path)).body
      expect(listed.map(({ name }: Json) => name)).toEqual(['A shop', 'Shop 2'])
      const renamed = await ask(place, 'PATCH', `${path}/${made.id}`, { json: { name: 'a  SHOP' } })
      expect(renamed.status).toBe(409)
      const wrong = await ask(place, 'GET', `/clients/${other.id}/projects/${made.id}`)
      expect([wrong.status, wrong.body]).toEqual([404, { detail: 'Project not found' }])
    },
  ],
  [
    'a project changes by any status to any, and is deleted with its versions',
    async (place) => {
      const { client, project } = await newSession(place)
      const path = `/clients/${client.id}/projects/${project.id}`
      for (const status of ['archived', 'draft', 'active', 'draft']) {
        expect((await ask(place, 'PATCH', path, { json: { status } })).body.status).toBe(status)
      }
      const providers = { cloud_providers: ['vmware'], architecture_pattern: 'hybrid-cloud' }
      const changed = await ask(place, 'PATCH', path, { json: { ...providers, description: 'D' } })
      expect(changed.body).toMatchObject({ ...providers, description: 'D', name: project.name })
      const drafts = await ask(place, 'GET', `/clients/${client.id}/projects?status=archived`)
      expect(drafts.body).toEqual([])
      expect((await ask(place, 'DELETE', path)).status).toBe(204)
      expect((await ask(place, 'GET', `/projects/${project.id}/versions`)).status).toBe(404)
      const below = await ask(place, 'POST', `/projects/${project.id}/versions`, { json: {} })
      expect([below.status, below.body]).toEqual([404, { detail: 'Project not found' }])
    },
  ],
  [
    'versions stand in the order of their numbers; the number is fixed and unique',
    async (place) => {
      const { client, project } = await newSession(place)
      const other = await created(place, `/clients/${client.id}/projects`, { name: 'Other' })
      const path = `/projects/${other.id}/versions`
      const numbers = ['10.0.0', '2.0.0', 'draft', '10.0.0-rc.10', '10.0.0-rc.2', '2.0', '1.0.0']
      for (const version_number of numbers) await created(place, path, { version_number })
      const listed = (await ask(place, 'GET', path)).body
      expect(listed.map((version: Json) => version.version_number)).toEqual([
        '1.0.0',
        ...['2.0.0', '2.0'].toSorted((a, b) => rank(listed, a) - rank(listed, b)),
        '10.0.0-rc.2',
        '10.0.0-rc.10',
        '10.0.0',
        'draft',
      ])
      const taken = await ask(place, 'POST', path, { json: { version_number: '2.0.0' } })
      expect(taken.status).toBe(409)
      expect((await created(place, path, { label: 'next' })).version_number).toBe('10.1.0')
      const one = `${path}/${listed[0].id}`
      const change = { version_number: '9.9.9', status: 'approved', notes: 'N', label: null }
      const changed = (await ask(place, 'PATCH', one, { json: change })).body
      expect(changed).toMatchObject({ version_number: '1.0.0', status: 'approved', notes: 'N' })
      expect((await ask(place, 'GET', one)).body).toEqual(changed)
      expect((await ask(place, 'GET', one.replace(other.id, project.id))).status).toBe(404)
      expect((await ask(place, 'DELETE', one)).status).toBe(405)
    },
  ],
  [
    'a version has every field, and the first number is 0.1.0',
    async (place) => {
      const { project, version } = await newSession(place)
      expect(version).toEqual({
        id,
        project_id: project.id,
        version_number: '0.1.0',
        label: null,
        status: 'draft',
        notes: null,
        ...stamps,
      })
    },
  ],
]

function rank(versions: Json, number: string): number {
  return versions.findIndex((version: Json) => version.version_number === number)
}
