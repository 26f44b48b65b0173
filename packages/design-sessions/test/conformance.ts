// Goal: the service keeps its contract, row by row, the 20 endpoints of the request among them.
// Method: `conformance/rows.json` lists the rows by section; each has one case, which calls a real
// service over HTTP; every answer must match the OpenAPI description of the service.
import { IS_NIGHT } from '@orrery/testkit/tier'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import type { Place } from './ask.ts'
import { artifacts } from './conformance/artifacts.ts'
import { batches } from './conformance/batches.ts'
import type { Cases } from './conformance/case.ts'
import { cloning } from './conformance/cloning.ts'
import { conventions } from './conformance/conventions.ts'
import { decisions } from './conformance/decisions.ts'
import { hierarchy } from './conformance/hierarchy.ts'
import { knowledge } from './conformance/knowledge.ts'
import { reindexing } from './conformance/reindexing.ts'
import { rendering } from './conformance/rendering.ts'
import { resources } from './conformance/resources.ts'
import rows from './conformance/rows.json' with { type: 'json' }
import { sessions } from './conformance/sessions.ts'
import { templates } from './conformance/templates.ts'
import { uploads } from './conformance/uploads.ts'
import { described } from './described.ts'
import { useService } from './service.ts'

const SPEC_ENDPOINTS = 20

/** D2 takes seconds to load; by day rendering/engines.test.ts draws with it. */
const BY_NIGHT = new Set(['1.3 d2'])

const cases: Cases = {
  ...conventions,
  ...resources,
  ...hierarchy,
  ...sessions,
  ...uploads,
  ...artifacts,
  ...rendering,
  ...cloning,
  ...knowledge,
  ...reindexing,
  ...templates,
  ...decisions,
  ...batches,
}
const names = rows.map(({ section, row }) => `${section} ${row}`)

const service = useService()
let place: Place

beforeAll(async () => {
  place = await described(service)
})

/** Where the uploads of the service are stored. */
function files(): string {
  const root = join(service.data, 'design-sessions-files')
  return join(root, readdirSync(root)[0])
}

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
  test.runIf(IS_NIGHT || !BY_NIGHT.has(name))(`row: ${name}`, () =>
    cases[name]({ ...place, library: service.library, files }),
  )
}

test('no answer was an error of the service', () => {
  expect(service.output()).not.toMatch(/"level":"(?:error|fatal)"/)
})
