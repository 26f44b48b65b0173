// Goal: the laws of the game's records. Method: the public functions on real tables, and through a
// connection that is lost.
import { deleteAll, openFreshDatabase } from '@orrery/testkit'
import { afterAll, beforeEach, describe } from 'vitest'
import { migrations } from '../src/index.ts'
import { accountLaws } from './account-laws.ts'
import { backupLaws } from './backup-laws.ts'
import { clockPlanLaws } from './clock-plan-laws.ts'
import { decisionLaws } from './decision-laws.ts'
import { fenceLaws } from './fence-laws.ts'
import { handOffLaws } from './hand-off-laws.ts'
import { hostLaws } from './host-laws.ts'
import { journalLaws } from './journal-laws.ts'
import { lostAnswerLaws } from './lost-answer-laws.ts'
import { maneuverEventLaws } from './maneuver-event-laws.ts'
import { ownerLaws } from './owner-laws.ts'
import { pruningLaws } from './pruning-laws.ts'
import { resetLaws } from './reset-laws.ts'
import { snapshotLaws } from './snapshot-laws.ts'
import { systemJournalLaws } from './system-journal-laws.ts'

const TABLES = [
  'journal',
  'clock',
  'digest',
  'hand_off',
  'clock_plan',
  'era',
  'backup',
  'snapshot',
  'account',
  'setting',
  'audit',
  'system_owner',
  'host',
]

const database = await openFreshDatabase({ schema: 'game', migrations })

afterAll(() => database.close())

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
    await deleteAll(database.sql, TABLES)
  })

  describe('journal', () => {
    journalLaws(database)
    lostAnswerLaws(database, database.url)
  })

  describe('journals of systems', () => {
    systemJournalLaws(database)
  })

  describe('owners of systems', () => {
    ownerLaws(database)
  })

  describe('hosts', () => {
    hostLaws(database, database.url)
  })

  describe('the plan of clocks', () => {
    clockPlanLaws(database)
  })

  describe('former owners', () => {
    fenceLaws(database)
  })

  describe('hand-offs', () => {
    handOffLaws(database)
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
