// Goal: a password opens what it was hashed for and nothing else, and only so many wait at once.
// Method: the real argon2id; the queue is filled with checks that cost nothing.
import { expect, test } from 'vitest'
import { type PasswordLane, PasswordsBusyError } from '../src/accounts/password-lanes.ts'
import { createPasswords } from '../src/accounts/passwords.ts'

/** Checks that may wait in a lane, beside the one at work. */
const WAITING_MAX = 64

test('a password fits its own hash, and no other does', async () => {
  const passwords = createPasswords()
  const hash = await passwords.hash('correct horse')
  expect(await passwords.verify('correct horse', hash)).toBe(true)
  for (const wrong of ['', 'correct horsf', 'Correct horse', 'correct horse ', 'correct horse\0']) {
    expect(await passwords.verify(wrong, hash)).toBe(false)
  }
})

test('texts beyond ASCII and NULs count to the last byte', async () => {
  const passwords = createPasswords()
  const hash = await passwords.hash('\u00e9\0🚀a')
  expect(await passwords.verify('\u00e9\0🚀a', hash)).toBe(true)
  expect(await passwords.verify('\u00e9\0🚀b', hash)).toBe(false)
  expect(await passwords.verify('\u00e9', hash)).toBe(false)
})

test('one password hashed twice gives two hashes, each with its cost', async () => {
  const passwords = createPasswords()
  const [first, second] = await Promise.all([passwords.hash('twice-1'), passwords.hash('twice-1')])
  expect(first).not.toBe(second)
  for (const hash of [first, second]) {
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
    expect(hash).not.toContain('twice-1')
    expect(await passwords.verify('twice-1', hash)).toBe(true)
  }
})

test('without a hash, or with a malformed one, no password fits', async () => {
  const passwords = createPasswords()
  const hash = await passwords.hash('password')
  for (const stored of [undefined, '', 'password', '$argon2id$', hash.slice(0, -1), `${hash} `]) {
    expect(await passwords.verify('password', stored)).toBe(false)
  }
})

test('a hash made at another cost is checked at that cost', async () => {
  // RFC 9106 has no vector without secret and data; this one is libargon2's own, test.c, version
  // 0x13: argon2id, t = 2, m = 256 KiB, p = 1, 'password', 'somesalt'.
  const foreign =
    '$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4'
  const passwords = createPasswords()
  expect(await passwords.verify('password', foreign)).toBe(true)
  expect(await passwords.verify('passwore', foreign)).toBe(false)
})

test('64 may wait; the next is refused at once, and the waiting are served in turn', async () => {
  const passwords = createPasswords()
  const served: number[] = []
  const waiting = Array.from({ length: WAITING_MAX + 1 }, async (_, i) => {
    await passwords.verify('any', 'no hash')
    served.push(i)
  })
  const tooMany = [passwords.verify('any', 'no hash'), passwords.hash('any')]
  for (const { status, reason } of (await Promise.allSettled(tooMany)) as PromiseRejectedResult[]) {
    expect(status).toBe('rejected')
    expect(reason).toBeInstanceOf(PasswordsBusyError)
  }
  await Promise.all(waiting)
  expect(served).toEqual(Array.from({ length: WAITING_MAX + 1 }, (_, i) => i))
  expect(await passwords.verify('any', 'no hash')).toBe(false)
})

test('admins come first, and logins and registrations take turns', async () => {
  const passwords = createPasswords()
  const served: PasswordLane[] = []
  const check = async (lane: PasswordLane): Promise<void> => {
    await passwords.verify('any', 'no hash', lane)
    served.push(lane)
  }
  const waiting = [
    ...Array.from({ length: WAITING_MAX }, () => check('registration')),
    ...Array.from({ length: 2 }, () => check('login')),
    check('admin'),
  ]
  expect(passwords.waiting()).toBe(WAITING_MAX + 3)
  await Promise.all(waiting)
  expect(served.slice(0, 6)).toEqual([
    'registration',
    'admin',
    'login',
    'registration',
    'login',
    'registration',
  ])
  expect(passwords.waiting()).toBe(0)
})
