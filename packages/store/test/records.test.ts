// Goal: the game's records keep the same laws on the embedded database and on a real server.
// Method: one suite of laws, run on both, through the public functions and against real tables.
import { copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Database, migrate, openDatabase } from '@orrery/database'
import { afterAll, beforeAll, beforeEach, describe } from 'vitest'
import { startPostgres } from '../../database/test/postgres-server.ts'
import { migrations } from '../src/index.ts'
import { accountLaws } from './account-laws.ts'
import { backupLaws } from './backup-laws.ts'
import { decisionLaws } from './decision-laws.ts'
import { journalLaws } from './journal-laws.ts'
import { lostAnswerLaws } from './lost-answer-laws.ts'
import { maneuverEventLaws } from './maneuver-event-laws.ts'
import { pruningLaws } from './pruning-laws.ts'
import { resetLaws } from './reset-laws.ts'
import { snapshotLaws } from './snapshot-laws.ts'
import { fillOldDatabase, upgradeLaws } from './upgrade-laws.ts'

const server = await startPostgres()
afterAll(() => server.stop())

// The release before the journal knew these.
const OLD_MIGRATIONS = /^00[123]\./u

async function migrateToOld(database: Database): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'orrery-test-'))
  for (const file of readdirSync(migrations).filter((name) => OLD_MIGRATIONS.test(name))) {
    copyFileSync(new URL(file, migrations), join(folder, file))
  }
  await migrate(database, pathToFileURL(folder))
  rmSync(folder, { recursive: true })
}

function recordLaws(open: () => Promise<Database>, url?: string): void {
  let database: Database
  beforeAll(async () => {
    database = await open()
    await migrateToOld(database)
    await fillOldDatabase(database)
    await migrate(database, migrations)
  })
  afterAll(() => database.close())
  const current = (): Database => database
  describe('a database of the release before', () => {
    upgradeLaws(current)
  })
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
  describe('from empty tables', () => {
    beforeEach(async () => {
      await database.sql`
        truncate journal, clock, digest, era, backup, snapshot, account, setting, audit cascade`
    })
    describe('journal', () => {
      journalLaws(current)
      if (url !== undefined) lostAnswerLaws(current, url)
    })
    describe('eras and pruning', () => {
      pruningLaws(current)
    })
    describe('backups', () => {
      backupLaws(current)
    })
    describe('factory reset', () => {
      resetLaws(current)
    })
  })
}

describe('embedded', () => {
  const directory = mkdtempSync(join(tmpdir(), 'orrery-test-'))
  afterAll(() => rmSync(directory, { recursive: true, force: true }))
  recordLaws(() => openDatabase({ directory, schema: 'game' }))
})

describe.skipIf(server.unavailable !== undefined)(`server ${server.unavailable ?? ''}`, () => {
  const { url } = server
  recordLaws(() => openDatabase({ url, directory: '', schema: 'game' }), url)
})
