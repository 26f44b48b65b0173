// Goal: the records keep the contract, row by row. Method: each row is a case that asks a running
// service; answers are held against the service's description of itself, too.
import { afterAll, beforeAll, test, vi } from 'vitest'
import type { Place } from '../ask.ts'
import { described } from '../described.ts'
import { type ServiceProcess, dataDirectory, startService } from '../service-process.ts'
import { batchRows } from './batch-rows.ts'
import { fileRows } from './file-rows.ts'
import { hierarchyRows } from './hierarchy-rows.ts'
import { raceRows } from './race-rows.ts'
import { sessionRows } from './session-rows.ts'
import { PATIENCE_MS } from '../patience.ts'

vi.setConfig({ testTimeout: PATIENCE_MS, hookTimeout: PATIENCE_MS })

const directory = dataDirectory()
let service: ServiceProcess
let place: Place

beforeAll(async () => {
  service = await startService({
    DATA_DIR: directory.path,
    KNOWLEDGE_DIR: directory.emptyLibrary,
  })
  place = await described(service)
})

afterAll(async () => {
  await (service as ServiceProcess | undefined)?.stop()
  directory.remove()
})

for (const [says, shown] of [hierarchyRows, sessionRows, batchRows, fileRows, raceRows].flat()) {
  // Each row asserts in its own file.
  // oxlint-disable-next-line vitest/expect-expect
  test(`row: ${says}`, () => shown(place))
}
