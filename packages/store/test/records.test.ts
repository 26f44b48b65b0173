// Goal: the game's records keep their laws. Method: the public functions on a database that was
// upgraded from the release before, against real tables, and through a connection that is lost.
import { copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Database, migrate, openDatabase } from '@orrery/database'
import { startPostgresServer } from '@orrery/testkit'
import { afterAll, beforeAll, beforeEach, describe } from 'vitest'
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

const server = await startPostgresServer()
const database = await openDatabase({ url: server.url, directory: '', schema: 'game' })

beforeAll(async () => {
  await migrateToOld(database)
  await fillOldDatabase(database)
  await migrate(database, migrations)
})

afterAll(async () => {
  await database.close()
  await server.stop()
})

describe('a database of the release before', () => {
  upgradeLaws(database)
})

describe('accounts', () => {
  accountLaws(database)
})

describe('settings and audit', () => {
  decisionLaws(database)
})

describe('maneuver events', () => {
  maneuverEventLaws(database)
})

describe('snapshots', () => {
  snapshotLaws(database)
})

describe('from empty tables', () => {
  beforeEach(async () => {
    await database.sql`
      truncate journal, clock, digest, era, backup, snapshot, account, setting, audit cascade`
  })

  describe('journal', () => {
    journalLaws(database)
    lostAnswerLaws(database, server.url)
  })

  describe('eras and pruning', () => {
    pruningLaws(database)
  })

  describe('backups', () => {
    backupLaws(database)
  })

  describe('factory reset', () => {
    resetLaws(database)
  })
})
