// Goal: the records keep the contract, row by row, over PGlite and over a PostgreSQL server.
// Method: each row is a case that asks a running service, one per database; answers are held
// against the service's description of itself, too.
import { afterAll, beforeAll, describe, test } from 'vitest'
import { startPostgres } from '../../../database/test/postgres-server.ts'
import type { Place } from '../ask.ts'
import { described } from '../described.ts'
import {
  STARTING_TEST_MS_MAX,
  type ServiceEnvironment,
  type ServiceProcess,
  dataDirectory,
  startService,
} from '../service-process.ts'
import { batchRows } from './batch-rows.ts'
import { fileRows } from './file-rows.ts'
import { hierarchyRows } from './hierarchy-rows.ts'
import { raceRows } from './race-rows.ts'
import { sessionRows } from './session-rows.ts'

const postgres = await startPostgres()
afterAll(() => postgres.stop())

const databases: readonly (readonly [string, ServiceEnvironment, boolean])[] = [
  ['PGlite', {}, true],
  ['PostgreSQL', { DATABASE_URL: postgres.url }, postgres.unavailable === undefined],
]

for (const [name, environment, available] of databases) {
  describe.skipIf(!available)(`over ${name}`, () => {
    const directory = dataDirectory()
    let service: ServiceProcess
    let place: Place

    beforeAll(async () => {
      service = await startService({
        DATA_DIR: directory.path,
        KNOWLEDGE_DIR: directory.emptyLibrary,
        ...environment,
      })
      place = await described(service)
    }, STARTING_TEST_MS_MAX)

    afterAll(async () => {
      await (service as ServiceProcess | undefined)?.kill()
      directory.remove()
    })

    for (const [says, shown] of [
      hierarchyRows,
      sessionRows,
      batchRows,
      fileRows,
      raceRows,
    ].flat()) {
      // Each row asserts in its own file.
      // oxlint-disable-next-line vitest/expect-expect
      test(`${name}: ${says}`, () => shown(place))
    }
  })
}
