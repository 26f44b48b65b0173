// Law: what the parts of the game cannot do is refused with a code and a status of the interface,
// and with a time to retry where one may help; any other error stays as it is.
import { EngineError } from '@orrery/engine/testing'
import { StoreError } from '@orrery/store'
import { expect, test } from 'vitest'
import { PasswordsBusyError } from '../src/accounts/password-lanes.ts'
import { JournalError } from '../src/journal/journal-error.ts'
import { Refusal, asRefusal } from '../src/refusal.ts'

const UNKNOWN = 'whether this was done is not known'

const databaseError = (code: string): Error => Object.assign(new Error('x'), { code })

test.each([
  [new StoreError('ERR_USERNAME_TAKEN', 'x'), '409 E010', 'Username already taken', undefined],
  [new PasswordsBusyError('x'), '503 E008', 'Too many logins wait; try again', 1],
  [new EngineError('ERR_WORLD_FULL', 'x'), '503 E008', 'The world is full', undefined],
  [new EngineError('ERR_SHIP_UNKNOWN', 'x'), '404 E006', 'Ship not found', undefined],
  [new EngineError('ERR_JUMP', 'x'), '409 E003', 'x', undefined],
  [new EngineError('ERR_STOPPED', 'x'), '503 E008', 'The server stops', 1],
  [new JournalError('ERR_JOURNAL_FULL', 'x'), '503 E008', 'x', 1],
  [new JournalError('ERR_JOURNAL_AT_REST', 'x'), '503 E008', 'x', 1],
  [new JournalError('ERR_JOURNAL_AWAY', 'x'), '500 E008', 'x', undefined],
  [new JournalError('ERR_JOURNAL_UNKNOWN', 'x'), '500 E008', 'x', undefined],
  [new JournalError('ERR_JOURNAL_FENCED', 'x'), '500 E008', 'x', undefined],
  [new JournalError('ERR_JOURNAL_STOPPED', 'x'), '500 E008', 'x', undefined],
  [
    databaseError('ECONNREFUSED'),
    '500 E008',
    'The database is away: nothing listens at that address (ECONNREFUSED); ' + UNKNOWN,
    undefined,
  ],
  [
    databaseError('53100'),
    '500 E008',
    'The database is away: its disk is full (53100); ' + UNKNOWN,
    undefined,
  ],
  [
    databaseError('42501'),
    '500 E008',
    'The database is away: the role lacks a right (42501); ' + UNKNOWN,
    undefined,
  ],
])('%s is refused with %s', (error, wanted, message, retryAfterSeconds) => {
  const refusal = asRefusal(error)
  expect(refusal).toBeInstanceOf(Refusal)
  const { code, status } = refusal as Refusal
  expect(`${status} ${code}`).toBe(wanted)
  expect(refusal).toMatchObject({ name: 'Refusal', message, retryAfterSeconds })
})

test.each([
  new StoreError('ERR_PLAYER_EXISTS', 'x'),
  new EngineError('ERR_IMAGE', 'x'),
  new Refusal('E003', 'x', 409),
  new Error('x'),
  'x',
])('%s stays as it is', (error) => {
  expect(asRefusal(error)).toBe(error)
})
