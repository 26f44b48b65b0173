// Section 1.2: health, clients, projects, versions.
import { expect } from 'vitest'
import { type Json, ask, created, newName, newSession } from '../ask.ts'
import { type Cases, NOBODY, answers, needsParent, wrong } from './case.ts'

const CLIENT_TAKEN = 'Client with this name already exists'
const NO_CLIENT = { status: 404, body: 'Client not found' }
const NO_PROJECT = { status: 404, body: 'Project not found' }

const names = (rows: Json): string[] => rows.map(({ name }: Json) => name)

export const hierarchy: Cases = {
  '1.2 GET /health/live': async (stage) => {
    const { status, body } = await ask(stage, 'GET', 'health/live')
    expect({ status, body }).toEqual({ status: 200, body: { status: 'ok' } })
    await answers(stage, ['GET', '/health/live'], { status: 404, body: 'Not Found' })
    // So do the two descriptions of all that is.
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
    const listed = names(await answers(stage, ['GET', '/clients'], { status: 200 }))
    expect(listed.indexOf(a)).toBeLessThan(listed.indexOf(b))
    expect(listed).toEqual(listed.toSorted())
    await answers(stage, ['PUT', '/clients', {}], { status: 405, body: 'Method Not Allowed' })
    const head = await ask(stage, 'HEAD', '/clients')
    expect([head.status, head.text]).toEqual([200, ''])
  },
  '1.2 POST /clients': async (stage) => {
    const name = newName('Acme')
    await answers(stage, ['POST', '/clients', { name }], { status: 201 })
    await answers(stage, ['POST', '/clients', { name }], { status: 409, body: CLIENT_TAKEN })
    for (const bad of [
      {},
      { name: '' },
      { name: ' ' },
      { name: null },
      { name: 'x'.repeat(256) },
    ]) {
      await answers(stage, ['POST', '/clients', bad], { status: 422, body: wrong('body', 'name') })
    }
  },
  '1.2 GET /clients/{c}': async (stage) => {
    const { client } = await newSession(stage)
    await answers(stage, ['GET', `/clients/${client.id}`], { status: 200, body: client })
    await answers(stage, ['GET', `/clients/${NOBODY}`], NO_CLIENT)
    const body = wrong('path', 'client_id')
    await answers(stage, ['GET', '/clients/none'], { status: 422, body })
  },
  '1.2 PATCH /clients/{c}': async (stage) => {
    const [one, other] = [await newSession(stage), await newSession(stage)]
    const path = `/clients/${one.client.id}`
    const taken = { name: other.client.name }
    await answers(stage, ['PATCH', path, taken], { status: 409, body: CLIENT_TAKEN })
    await answers(stage, ['PATCH', path, { name: null }], {
      status: 422,
      body: wrong('body', 'name'),
    })
    await answers(stage, ['PATCH', path, {}], { status: 200, body: one.client })
    await answers(stage, ['PATCH', `/clients/${NOBODY}`, {}], NO_CLIENT)
  },
  '1.2 DELETE /clients/{c}': async (stage) => {
    const { client } = await newSession(stage)
    const path = `/clients/${client.id}`
    await answers(stage, ['DELETE', path], { status: 204, body: undefined })
    await answers(stage, ['DELETE', path], NO_CLIENT)
  },
  '1.2 GET /clients/{c}/projects': async (stage) => {
    const client = await created(stage, '/clients', { name: newName('C') })
    const path = `/clients/${client.id}/projects`
    await answers(stage, ['GET', path], { status: 200, body: [] })
    for (const name of ['b', 'c', 'a']) await created(stage, path, { name })
    expect(names(await answers(stage, ['GET', path], { status: 200 }))).toEqual(['a', 'b', 'c'])
    await needsParent(stage, 'GET', `/clients/${NOBODY}/projects`, 'Client')
  },
  '1.2 POST /clients/{c}/projects': async (stage) => {
    const [one, other] = [await newSession(stage), await newSession(stage)]
    const sent = { name: one.project.name }
    const body = 'Project with this name already exists for this client'
    await answers(stage, ['POST', `/clients/${one.client.id}/projects`, sent], {
      status: 409,
      body,
    })
    await answers(stage, ['POST', `/clients/${other.client.id}/projects`, sent], { status: 201 })
    const bad = { name: 'n', status: 'running' }
    await answers(stage, ['POST', `/clients/${one.client.id}/projects`, bad], {
      status: 422,
      body: wrong('body', 'status'),
    })
    await needsParent(stage, 'POST', `/clients/${NOBODY}/projects`, 'Client', sent)
  },
  '1.2 GET /clients/{c}/projects/{p}': async (stage) => {
    const [one, other] = [await newSession(stage), await newSession(stage)]
    const { project } = one
    const path = `/clients/${one.client.id}/projects/${project.id}`
    await answers(stage, ['GET', path], { status: 200, body: project })
    await answers(stage, ['GET', `/clients/${other.client.id}/projects/${project.id}`], NO_PROJECT)
    await answers(stage, ['GET', `/clients/${NOBODY}/projects/${project.id}`], NO_CLIENT)
  },
  '1.2 PATCH /clients/{c}/projects/{p}': async (stage) => {
    const { client, project } = await newSession(stage)
    const projects = `/clients/${client.id}/projects`
    const other = await created(stage, projects, { name: 'Other' })
    await answers(stage, ['PATCH', `${projects}/${other.id}`, { name: project.name }], {
      status: 409,
    })
    const renamed = await answers(stage, ['PATCH', `${projects}/${other.id}`, { name: 'O K' }], {
      status: 200,
    })
    expect([renamed.slug, renamed.description]).toEqual(['o-k', null])
    await answers(stage, ['PATCH', `${projects}/${NOBODY}`, {}], NO_PROJECT)
    const foreign = `/clients/${(await newSession(stage)).client.id}/projects/${other.id}`
    await answers(stage, ['PATCH', foreign, { name: 'X' }], NO_PROJECT)
    await answers(stage, ['PATCH', `${projects}/${other.id}`, { status: 'x' }], {
      status: 422,
      body: wrong('body', 'status'),
    })
  },
  '1.2 DELETE /clients/{c}/projects/{p}': async (stage) => {
    const { client, project, path } = await newSession(stage)
    const target = `/clients/${client.id}/projects/${project.id}`
    await answers(stage, ['DELETE', target], { status: 204 })
    await answers(stage, ['DELETE', target], NO_PROJECT)
    await answers(stage, ['GET', `${path}/adrs`], { status: 404, body: 'Version not found' })
  },
  '1.2 GET /projects/{p}/versions': async (stage) => {
    const { project } = await newSession(stage)
    const path = `/projects/${project.id}/versions`
    for (const version_number of ['10.0.0', '2.0.0', '2.0.0-rc.1']) {
      await created(stage, path, { version_number })
    }
    const listed = await answers(stage, ['GET', path], { status: 200 })
    // Semver, not text: our decision.
    expect(listed.map((one: Json) => one.version_number)).toEqual([
      '0.1.0',
      '2.0.0-rc.1',
      '2.0.0',
      '10.0.0',
    ])
    await needsParent(stage, 'GET', `/projects/${NOBODY}/versions`, 'Project')
  },
  '1.2 POST /projects/{p}/versions': async (stage) => {
    const { project, version } = await newSession(stage)
    const path = `/projects/${project.id}/versions`
    const { version_number } = version
    await answers(stage, ['POST', path, { version_number }], {
      status: 409,
      body: 'Version with this number already exists for this project',
    })
    const bad = { version_number: '1'.repeat(21) }
    const body = wrong('body', 'version_number')
    await answers(stage, ['POST', path, bad], { status: 422, body })
    await needsParent(stage, 'POST', `/projects/${NOBODY}/versions`, 'Project', {})
  },
  '1.2 GET /projects/{p}/versions/{v}': async (stage) => {
    const [one, other] = [await newSession(stage), await newSession(stage)]
    const { project, version } = one
    const path = `/projects/${project.id}/versions`
    await answers(stage, ['GET', `${path}/${version.id}`], { status: 200, body: version })
    const gone = { status: 404, body: 'Version not found' }
    await answers(stage, ['GET', `${path}/${other.version.id}`], gone)
    // A version is never removed by itself.
    await answers(stage, ['DELETE', `${path}/${version.id}`], { status: 405 })
  },
  '1.2 PATCH /projects/{p}/versions/{v}': async (stage) => {
    const { project, version } = await newSession(stage)
    const path = `/projects/${project.id}/versions/${version.id}`
    const changed = await answers(stage, ['PATCH', path, { status: 'approved' }], { status: 200 })
    expect(changed.status).toBe('approved')
    await answers(stage, ['PATCH', path, { status: 'done' }], {
      status: 422,
      body: wrong('body', 'status'),
    })
    const other = await newSession(stage)
    for (const nothing of [
      `/projects/${project.id}/versions/${NOBODY}`,
      `/projects/${other.project.id}/versions/${version.id}`,
    ]) {
      await answers(stage, ['PATCH', nothing, {}], { status: 404, body: 'Version not found' })
    }
  },
}
