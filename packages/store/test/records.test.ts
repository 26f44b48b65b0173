// Goal: the game's records keep the same laws on the embedded database and on a real server.
// Method: one suite of laws, run on both, through the public functions and against real tables.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Database, migrate, openDatabase } from '@orrery/database'
import { afterAll, beforeAll, describe } from 'vitest'
import { startPostgres } from '../../database/test/postgres-server.ts'
import { migrations } from '../src/index.ts'
import { accountLaws } from './account-laws.ts'
import { decisionLaws } from './decision-laws.ts'
import { maneuverEventLaws } from './maneuver-event-laws.ts'
import { resetLaws } from './reset-laws.ts'
import { snapshotLaws } from './snapshot-laws.ts'

const server = await startPostgres()
afterAll(() => server.stop())

function recordLaws(open: () => Promise<Database>): void {
  let database: Database
  beforeAll(async () => {
    database = await open()
    await migrate(database, migrations)
  })
  afterAll(() => database.close())
  const current = (): Database => database
  describe('accounts', () => {
    accountLaws(current)
  })
  describe('settings and audit', () => {
    decisionLaws(current)
  })
  describe('maneuver events', () => {
    maneuverEventLaws(current)
  })
  describe('snapshots', () => {
    snapshotLaws(current)
  })
  describe('factory reset', () => {
    resetLaws(current)
  })
}

describe('embedded', () => {
  const directory = mkdtempSync(join(tmpdir(), 'orrery-test-'))
  afterAll(() => rmSync(directory, { recursive: true, force: true }))
  recordLaws(() => openDatabase({ directory, schema: 'game' }))
})

describe.skipIf(server.unavailable !== undefined)(`server ${server.unavailable ?? ''}`, () => {
  recordLaws(() => openDatabase({ url: server.url, directory: '', schema: 'game' }))
})
