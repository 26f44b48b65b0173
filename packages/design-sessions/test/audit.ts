// Goal: every change of a record names who made it, in the statement that makes it, whichever way
// it comes. Method: a real service, with requests of two named people and one without a name.
import { beforeAll, expect, test } from 'vitest'
import {
  DECISION,
  ITEM,
  type Json,
  type Place,
  ask,
  created,
  newName,
  newSession,
  uploaded,
} from './ask.ts'
import { exported, imported } from './bundle/bundles.ts'
import { described } from './described.ts'
import { useService } from './service.ts'

const service = useService()
let place: Place

beforeAll(async () => {
  place = await described(service)
})

/** A place whose requests carry a name. */
function by(name: string): Place {
  return {
    ...place,
    url: service.url,
    request: (url, init) => {
      const headers = new Headers(init.headers)
      headers.set('x-author', encodeURIComponent(name))
      return fetch(url, { ...init, headers })
    },
  }
}

async function trail(query: string): Promise<Json[]> {
  return (await ask(place, 'GET', `/audit?${query}`)).body
}

/** The trail, the oldest first, in short. */
async function story(query: string): Promise<unknown[]> {
  const entries = await trail(query)
  return entries
    .map(({ author, action, kind, title }) => [author, action, kind, title].join(' '))
    .toReversed()
}

test('each change names who, what and which fields', async () => {
  const [ann, bo] = [by('Ann Å'), by('Bo')]
  const { project, version, path } = await newSession(place)
  const adr = await created(ann, `${path}/adrs`, { ...DECISION, title: 'Keep PostgreSQL' })
  const long = 'x'.repeat(300)
  const changes = { status: 'accepted', context: long, drivers: ['cost'] }
  await ask(bo, 'PATCH', `${path}/adrs/${adr.id}`, { json: changes })
  await ask(ann, 'POST', `${path}/adrs/${adr.id}/supersede`, { json: DECISION })
  const upload = await uploaded(bo, path, 'plan.txt')
  await ask(bo, 'DELETE', `${path}/uploads/${upload.id}`)
  expect(await story(`version_id=${version.id}`)).toEqual([
    ' create version 0.1.0',
    'Ann Å create adr Keep PostgreSQL',
    'Bo change adr Keep PostgreSQL',
    'Ann Å create adr T',
    'Ann Å change adr Keep PostgreSQL',
    'Bo create upload plan.txt',
    'Bo delete upload plan.txt',
  ])
  const [superseded, changed] = await trail(`record_id=${adr.id}`)
  expect(changed).toMatchObject({
    author: 'Bo',
    client_id: project.client_id,
    project_id: project.id,
    changes: { status: 'accepted', context: `${'x'.repeat(200)}…`, drivers: ['cost'] },
  })
  expect(superseded.changes).toMatchObject({ status: 'superseded' })
  const ofBo = await trail(`version_id=${version.id}&author=Bo&kind=upload`)
  expect(ofBo.map(({ action }) => action)).toEqual(['delete', 'create'])
})

test('a refused change leaves no entry, and entries outlive their records', async () => {
  const { client, project, version, path } = await newSession(by('Ann'))
  const item = await created(place, `${path}/coverage`, ITEM)
  const before = await trail(`version_id=${version.id}`)
  const stale = { json: { status: 'na' }, headers: { 'if-match': '"0"' } }
  expect((await ask(place, 'PATCH', `${path}/coverage/${item.id}`, stale)).status).toBe(412)
  expect((await ask(place, 'POST', `${path}/adrs`, { json: {} })).status).toBe(422)
  expect(await trail(`version_id=${version.id}`)).toEqual(before)
  await ask(by('Bo'), 'DELETE', `/clients/${client.id}`)
  expect(await story(`client_id=${client.id}`)).toEqual([
    `Ann create client ${client.name}`,
    `Ann create project ${project.name}`,
    'Ann create version 0.1.0',
    ` create coverage_item ${ITEM.item_text}`,
    `Bo delete client ${client.name}`,
  ])
})

test('a clone, an import and a batch are one entry each', async () => {
  const ann = by('Ann')
  const { client, project, version, path } = await newSession(place)
  await created(place, `${path}/artifacts`, { name: 'A', artifact_type: 'document' })
  await created(place, `${path}/inventory`, { name: 'I', data: 'a' })
  const { body: gate } = await ask(place, 'GET', `${path}/coverage/gate`)
  await created(ann, `${path}/coverage/batch`, { items: gate.blockers.slice(0, 2) })
  const next = await created(place, `/projects/${project.id}/versions`, {})
  const body = { target_version_id: next.id, include_coverage: true }
  for (const _ of [1, 2]) await ask(ann, 'POST', `${path}/artifacts/clone`, { json: body })
  const name = newName('Copy')
  const zip = await exported(place, project.id)
  const { body: copy } = await imported(ann, client.id, zip, `?name=${encodeURIComponent(name)}`)
  expect(await story('author=Ann&kind=version')).toContain('Ann clone version all of version 0.1.0')
  expect((await story(`version_id=${version.id}`)).at(-1)).toBe('Ann create coverage_item 2 items')
  expect(await story(`version_id=${next.id}`)).toHaveLength(2)
  expect(await story(`project_id=${copy.id}`)).toEqual([`Ann import project ${name}`])
})

test('a name is percent-encoded text of up to 100 characters', async () => {
  for (const name of ['%', '%00', 'a'.repeat(101)]) {
    const { status, body } = await ask(place, 'GET', '/clients', { headers: { 'x-author': name } })
    expect([name, status, body.detail]).toEqual([
      name,
      400,
      'X-Author must be percent-encoded text, at most 100 characters',
    ])
  }
})

test('the tools of MCP record the name of their caller', async () => {
  const name = newName('Client')
  const call = { name: 'create_client', arguments: { name } }
  const json = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call }
  await ask(by('Robot'), 'POST', 'mcp', { json })
  expect(await story('author=Robot')).toEqual([`Robot create client ${name}`])
})
