// Goal: the service keeps the contract of the service it stands for, row by row of its tables, the
// 20 endpoints of the request among them. Method: `conformance/rows.json` lists the rows; each has
// one case, with expectations of its own, that asks a real service over HTTP; every answer is held
// against the service's description of itself.
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Place } from './ask.ts'
import { artifacts } from './conformance/artifacts.ts'
import type { Cases } from './conformance/case.ts'
import { conventions } from './conformance/conventions.ts'
import { hierarchy } from './conformance/hierarchy.ts'
import { knowledge } from './conformance/knowledge.ts'
import { resources } from './conformance/resources.ts'
import rows from './conformance/rows.json' with { type: 'json' }
import { sessions } from './conformance/sessions.ts'
import { templates } from './conformance/templates.ts'
import { described } from './described.ts'
import { OWN_LIBRARY } from './indexing/fixture.ts'
import { type ServiceProcess, dataDirectory, startService } from './service-process.ts'
import { PATIENCE_MS } from './patience.ts'

vi.setConfig({ testTimeout: PATIENCE_MS, hookTimeout: PATIENCE_MS })

/** Of our library: as little as every group and every case can do with. */
const PARTS = [
  'general/backup-and-restore.md',
  'general/databases.md',
  'general/disaster-recovery.md',
  'general/high-availability.md',
  'general/networking.md',
  'general/security.md',
  'failures/dns-outage.md',
  'patterns/microservices.md',
  'providers/aws/compute.md',
  'providers/vmware/vsan.md',
  'compliance/gdpr.md',
  'frameworks/nist-csf.md',
]

const SPEC_ENDPOINTS = 20

const cases: Cases = {
  ...conventions,
  ...resources,
  ...hierarchy,
  ...sessions,
  ...artifacts,
  ...knowledge,
  ...templates,
}
const names = rows.map(({ section, row }) => `${section} ${row}`)

const directory = dataDirectory()
/** A copy, because cases change it. */
const library = dataDirectory()
let service: ServiceProcess
let place: Place

beforeAll(async () => {
  for (const part of PARTS) {
    cpSync(join(OWN_LIBRARY, part), join(library.path, part), { recursive: true })
  }
  service = await startService({ DATA_DIR: directory.path, KNOWLEDGE_DIR: library.path })
  place = await described(service)
})

afterAll(async () => {
  await (service as ServiceProcess | undefined)?.stop()
  directory.remove()
  library.remove()
})

test('each row of the contract has its case, and each case its row', () => {
  expect(Object.keys(cases).toSorted()).toEqual(names.toSorted())
  const ofSpec = rows.filter(({ spec }) => spec)
  expect(ofSpec).toHaveLength(SPEC_ENDPOINTS)
  const bySection = Object.entries(Object.groupBy(rows, ({ section }) => section))
  const counts = bySection.map(([section, all = []]) => `${section}: ${all.length}`)
  console.log(`${rows.length} rows (${counts.join(', ')}), ${ofSpec.length} of them the spec's`)
})

for (const name of names) {
  // Each row asserts in its own case.
  // oxlint-disable-next-line vitest/expect-expect
  test(`row: ${name}`, () => cases[name]({ ...place, library: library.path }))
}
