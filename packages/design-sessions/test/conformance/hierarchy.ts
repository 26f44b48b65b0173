// Section 1.2: health, clients, projects, versions.
import { expect } from 'vitest'
import { type Json, NO_ID, ask, created, newName, newSession } from '../ask.ts'
import { type Cases, answers, change, missing, needsParent, read, rejects } from './case.ts'

const CLIENT_TAKEN = { status: 409, body: 'Client with this name already exists' }
const PROJECT_TAKEN = {
  status: 409,
  body: 'Project with this name already exists for this client',
}

const names = (rows: Json): string[] => rows.map(({ name }: Json) => name)

export const hierarchy: Cases = {
  '1.2 GET /health/live': async (stage) => {
    const { status, body } = await ask(stage, 'GET', 'health/live')
    expect({ status, body }).toEqual({ status: 200, body: { status: 'ok' } })
    await answers(stage, ['GET', '/health/live'], { status: 404, body: 'Not Found' })
    // The two descriptions of the API have no prefix either.
    expect((await ask(stage, 'GET', 'openapi.json')).body.openapi).toMatch(/^3\.1\./)
    const docs = await ask(stage, 'GET', 'docs')
    expect([docs.status, docs.headers.get('content-type')]).toEqual([
      200,
      'text/html; charset=UTF-8',
    ])
    expect(docs.text).toContain('POST /api/v1/knowledge/search')
  },
  '1.2 GET /health/ready': async (stage) => {
    const { status, body } = await ask(stage, 'GET', 'health/ready')
    expect({ status, body }).toEqual({ status: 200, body: { status: 'ok' } })
  },
  '1.2 GET /clients': async (stage) => {
    const [b, a] = [newName('Beta'), newName('Alpha')]
    for (const name of [b, a]) await created(stage, '/clients', { name })
    const listed = names(await read(stage, '/clients'))
    expect(listed.indexOf(a)).toBeLessThan(listed.indexOf(b))
    const byCodePoints = (x: string, y: string): number => Buffer.from(x).compare(Buffer.from(y))
    expect(listed).toEqual(listed.toSorted(byCodePoints))
    await answers(stage, ['PUT', '/clients', {}], { status: 405, body: 'Method Not Allowed' })
    const head = await ask(stage, 'HEAD', '/clients')
    expect([head.status, head.text]).toEqual([200, ''])
  },
  '1.2 POST /clients': async (stage) => {
    const name = newName('Acme')
    await answers(stage, ['POST', '/clients', { name }], { status: 201 })
    for (const taken of [name, name.toUpperCase()]) {
      await answers(stage, ['POST', '/clients', { name: taken }], CLIENT_TAKEN)
    }
    await rejects(stage, ['POST', '/clients', {}], 'body', 'name')
  },
  '1.2 GET /clients/{c}': async (stage) => {
    const { client } = await newSession(stage)
    await answers(stage, ['GET', `/clients/${client.id}`], { status: 200, body: client })
    await missing(stage, ['GET', `/clients/${NO_ID}`], 'Client')
    await rejects(stage, ['GET', '/clients/none'], 'path', 'client_id')
  },
  '1.2 PATCH /clients/{c}': async (stage) => {
    const [one, other] = [await newSession(stage), await newSession(stage)]
    const path = `/clients/${one.client.id}`
    await answers(stage, ['PATCH', path, { name: other.client.name }], CLIENT_TAKEN)
    await rejects(stage, ['PATCH', path, { name: null }], 'body', 'name')
    expect(await change(stage, path, {})).toEqual(one.client)
    // Its own name is free for it.
    const same = await change(stage, path, { name: one.client.name })
    expect(same.slug).toBe(one.client.slug)
    await missing(stage, ['PATCH', `/clients/${NO_ID}`, {}], 'Client')
  },
  '1.2 DELETE /clients/{c}': async (stage) => {
    const { client } = await newSession(stage)
    const path = `/clients/${client.id}`
    await answers(stage, ['DELETE', path], { status: 204, body: undefined })
    await missing(stage, ['DELETE', path], 'Client')
  },
  '1.2 GET /clients/{c}/projects': async (stage) => {
    const client = await created(stage, '/clients', { name: newName('C') })
    const path = `/clients/${client.id}/projects`
    expect(await read(stage, path)).toEqual([])
    for (const [name, status] of Object.entries({ b: 'active', c: 'draft', a: 'active' })) {
      await created(stage, path, { name, status })
    }
    expect(names(await read(stage, path))).toEqual(['a', 'b', 'c'])
    expect(names(await read(stage, `${path}?status=active`))).toEqual(['a', 'b'])
    expect(await read(stage, `${path}?status=archived`)).toEqual([])
    await needsParent(stage, 'GET', `/clients/${NO_ID}/projects`, 'Client')
  },
  '1.2 POST /clients/{c}/projects': async (stage) => {
    const [one, other] = [await newSession(stage), await newSession(stage)]
    const sent = { name: one.project.name }
    const projects = `/clients/${one.client.id}/projects`
    for (const name of [sent.name, sent.name.toUpperCase()]) {
      await answers(stage, ['POST', projects, { name }], PROJECT_TAKEN)
    }
    const elsewhere = await created(stage, `/clients/${other.client.id}/projects`, sent)
    expect(elsewhere.slug).toBe(one.project.slug)
    await rejects(stage, ['POST', projects, { name: 'n', status: 'running' }], 'body', 'status')
    await needsParent(stage, 'POST', `/clients/${NO_ID}/projects`, 'Client', sent)
  },
  '1.2 GET /clients/{c}/projects/{p}': async (stage) => {
    const [one, other] = [await newSession(stage), await newSession(stage)]
    const { project } = one
    const path = `/clients/${one.client.id}/projects/${project.id}`
    await answers(stage, ['GET', path], { status: 200, body: project })
    await missing(stage, ['GET', `/clients/${other.client.id}/projects/${project.id}`], 'Project')
    await missing(stage, ['GET', `/clients/${NO_ID}/projects/${project.id}`], 'Client')
  },
  '1.2 PATCH /clients/{c}/projects/{p}': async (stage) => {
    const { client, project } = await newSession(stage)
    const projects = `/clients/${client.id}/projects`
    const other = await created(stage, projects, { name: 'Other' })
    const path = `${projects}/${other.id}`
    for (const name of [project.name, project.name.toUpperCase().replace(' ', '  ')]) {
      await answers(stage, ['PATCH', path, { name }], PROJECT_TAKEN)
    }
    const renamed = await change(stage, path, { name: 'O K' })
    expect([renamed.slug, renamed.description]).toEqual(['o-k', null])
    await missing(stage, ['PATCH', `${projects}/${NO_ID}`, {}], 'Project')
    const foreign = `/clients/${(await newSession(stage)).client.id}/projects/${other.id}`
    await missing(stage, ['PATCH', foreign, { name: 'X' }], 'Project')
    await rejects(stage, ['PATCH', path, { status: 'x' }], 'body', 'status')
  },
  '1.2 DELETE /clients/{c}/projects/{p}': async (stage) => {
    const { client, project, path } = await newSession(stage)
    const target = `/clients/${client.id}/projects/${project.id}`
    await answers(stage, ['DELETE', target], { status: 204 })
    await missing(stage, ['DELETE', target], 'Project')
    await missing(stage, ['GET', `${path}/adrs`], 'Version')
    await missing(stage, ['GET', `/projects/${project.id}/versions`], 'Project')
    await missing(stage, ['POST', `/projects/${project.id}/versions`, {}], 'Project')
  },
  '1.2 GET /projects/{p}/versions': async (stage) => {
    const { project } = await newSession(stage)
    const path = `/projects/${project.id}/versions`
    // The order of semver, not of text.
    const inOrder = [
      '0.1.0',
      '1.0.0',
      // Numbers come before words in a pre-release.
      '2.0.0-2',
      '2.0.0-alpha',
      'v2.0.0-rc.1',
      '2.0.0+build.7',
      '2.1',
      '10.0.0-rc.2',
      '10.0.0-rc.10',
      '10.0.0',
      'draft',
    ]
    for (const version_number of inOrder.slice(1).toSorted()) {
      await created(stage, path, { version_number })
    }
    const listed = await read(stage, path)
    expect(listed.map((one: Json) => one.version_number)).toEqual(inOrder)
    await needsParent(stage, 'GET', `/projects/${NO_ID}/versions`, 'Project')
  },
  '1.2 POST /projects/{p}/versions': async (stage) => {
    const { project, version } = await newSession(stage)
    const path = `/projects/${project.id}/versions`
    await answers(stage, ['POST', path, { version_number: version.version_number }], {
      status: 409,
      body: 'Version with this number already exists for this project',
    })
    // The default is the minor version after the highest.
    for (const [numbers, next] of [
      [['1.2.0', '1.10.3'], '1.11.0'],
      [['10.0.0', '2.9.0', 'draft'], '10.1.0'],
    ] as const) {
      for (const version_number of numbers) await created(stage, path, { version_number })
      const { version_number } = await created(stage, path, { label: 'next' })
      expect(version_number).toBe(next)
    }
    const bad = { version_number: '1'.repeat(21) }
    await rejects(stage, ['POST', path, bad], 'body', 'version_number')
    await needsParent(stage, 'POST', `/projects/${NO_ID}/versions`, 'Project', {})
  },
  '1.2 GET /projects/{p}/versions/{v}': async (stage) => {
    const [one, other] = [await newSession(stage), await newSession(stage)]
    const { project, version } = one
    const path = `/projects/${project.id}/versions`
    await answers(stage, ['GET', `${path}/${version.id}`], { status: 200, body: version })
    await missing(stage, ['GET', `${path}/${other.version.id}`], 'Version')
    // An addition to the contract.
    await answers(stage, ['DELETE', `${path}/${version.id}`], { status: 204 })
    await missing(stage, ['DELETE', `${path}/${version.id}`], 'Version')
  },
  '1.2 PATCH /projects/{p}/versions/{v}': async (stage) => {
    const { project, version } = await newSession(stage)
    const path = `/projects/${project.id}/versions/${version.id}`
    const changed = await change(stage, path, { status: 'approved' })
    expect(changed.status).toBe('approved')
    expect(await read(stage, path)).toEqual(changed)
    await rejects(stage, ['PATCH', path, { status: 'done' }], 'body', 'status')
    const other = await newSession(stage)
    for (const nothing of [
      `/projects/${project.id}/versions/${NO_ID}`,
      `/projects/${other.project.id}/versions/${version.id}`,
    ]) {
      await missing(stage, ['PATCH', nothing, {}], 'Version')
    }
  },
}
