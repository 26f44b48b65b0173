// Goal: a first workshop asks at most 60 critical items, and none of security that applies is lost.
// Method: projects on the shipped library, the app in process.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Facts } from '../../src/records/facts.ts'
import type { Knowledge } from '../../src/indexing/knowledge.ts'
import { type Json, ask, newSession } from '../ask.ts'
import { type DirectApp, openApp } from '../direct-app.ts'
import { OWN_LIBRARY, openKnowledge, useTables } from '../indexing/fixture.ts'
import { ASKED_MAX } from '../../src/workflow/first-workshop.ts'
import { ALWAYS, PROJECTS, SECURITY } from './demo-projects.ts'

const tables = useTables()
let knowledge: Knowledge
let app: DirectApp

beforeAll(async () => {
  knowledge = await openKnowledge({ sql: tables.sql, directory: OWN_LIBRARY })
  app = await openApp(knowledge)
})

afterAll(() => app.close())

const named = ({ knowledge_file: file, item_text: text }: Json): string => `${file} ${text}`

/** Those of some names that have no counterpart among others: one begins as the other. */
function missing(names: readonly string[], others: readonly string[]): string[] {
  const isOne = (a: string, b: string): boolean => a.startsWith(b) || b.startsWith(a)
  return names.filter((name) => !others.some((other) => isOne(name, other)))
}

describe.each(PROJECTS)('$name', ({ project, facts, before, asked, security, unfit }) => {
  let path: string
  const gate = async (): Promise<Json[]> =>
    (await ask(app, 'GET', `${path}/coverage/gate`)).body.blockers
  const set = async (json: Facts): Promise<Json> =>
    (await ask(app, 'PUT', `${path}/facts`, { json })).body

  beforeAll(async () => {
    path = (await newSession(app, project)).path
  })

  test(`asks ${asked} critical items of ${before}, those of security among them`, async () => {
    expect(await gate()).toHaveLength(before)
    const { critical_to_ask: left } = await set({ ...facts, stage: 'first' })
    const items = await gate()
    expect([left, items.length]).toEqual([asked, asked])
    expect(asked).toBeLessThanOrEqual(ASKED_MAX)
    expect(missing(security, items.map(named))).toEqual([])
  })

  test('excludes no item of security but those that do not apply', async () => {
    await set({ ...facts, stage: 'first' })
    const { body: excluded } = await ask(app, 'GET', `${path}/coverage/excluded`)
    const lost = excluded
      .filter(({ status, priority }: Json) => status === 'na' && priority === 'Critical')
      .map(named)
      .filter((name: string) => SECURITY.test(name))
    expect(missing(unfit, lost)).toEqual([])
    expect(missing(lost, unfit)).toEqual([])
  })

  test('asks the rest before it goes live, but for what does not apply', async () => {
    await set({ ...facts, stage: 'launch' })
    const { body: excluded } = await ask(app, 'GET', `${path}/coverage/excluded`)
    const unfit = excluded.filter(({ priority }: Json) => priority === 'Critical')
    expect(unfit.filter(({ status }: Json) => status !== 'na')).toEqual([])
    expect((await gate()).length + unfit.length).toBe(before)
  })
})

test('puts details of all providers off where a project has more', async () => {
  const providers = ['aws', 'gcp', 'kubernetes', 'nutanix']
  const { path } = await newSession(app, {
    description: 'HIPAA, GDPR, PCI DSS',
    cloud_providers: providers,
    architecture_pattern: 'three-tier-web',
  })
  const left = async (stage: Facts['stage']): Promise<Json[]> => {
    const json = { hosting: 'own', tenants: 'several', stage }
    const { body } = await ask(app, 'PUT', `${path}/facts`, { json })
    const { blockers } = (await ask(app, 'GET', `${path}/coverage/gate`)).body
    expect(body.critical_to_ask).toBe(blockers.length)
    return blockers
  }
  const first = await left('first')
  expect(first).toHaveLength(ASKED_MAX)
  expect(missing(ALWAYS, first.map(named))).toEqual([])
  const categories = new Set(first.map(({ category }) => category))
  expect(providers.filter((name) => !categories.has(`providers/${name}`))).toEqual([])
  const { body: excluded } = await ask(app, 'GET', `${path}/coverage/excluded`)
  const isPutOff = ({ status, priority }: Json): boolean =>
    status === 'deferred' && priority === 'Critical'
  const later = excluded.filter(isPutOff).map(named)
  expect(later).toContainEqual(expect.stringContaining('Is Block Public Access on'))
  expect(missing(later, (await left('launch')).map(named))).toEqual([])
})

test('each line of the conditions is of one critical item, each file has one', async () => {
  const table = readFileSync(join(OWN_LIBRARY, 'conditions.txt'), 'utf8')
  const files = (await knowledge.files()).map(({ path }) => path)
  const listed = [...table.matchAll(/^(\S+\.md) /gm)].map(([, file]) => file)
  expect(listed.toSorted()).toEqual(files)
  const items = await knowledge.checklist(files)
  const wrong = table.split(/^(?=\S+\.md )/m).flatMap((part) => {
    const [head, ...lines] = part.split('\n').filter((line) => !/^(?:#|$)/.test(line))
    const critical = items.filter(
      ({ file, priority }) => head?.startsWith(`${file} `) && priority === 'critical',
    )
    return lines.filter((line) => {
      const beginning = line.replace(/^ +(?:[a-z_]+=[a-z/]+ |(?:first|detail|launch) )+/, '')
      return critical.filter(({ text }) => text.startsWith(beginning)).length !== 1
    })
  })
  expect(wrong).toEqual([])
})
