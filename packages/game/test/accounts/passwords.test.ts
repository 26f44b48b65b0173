// Goal: a password opens what it was hashed for and nothing else, and only so many wait at once.
// Method: the real argon2id; the queue is filled with checks that cost nothing.
import { systemClock } from '@orrery/engine'
import { expect, test } from 'vitest'
import { simulatedClock } from '@orrery/testkit'
import { PasswordsBusyError, createPasswordLanes } from '../../src/accounts/password-lanes.ts'
import { createPasswords } from '../../src/accounts/passwords.ts'

/** Checks that may wait in a lane, beside the one at work. */
const WAITING_MAX = 64

const ANYBODY = { address: '192.0.2.1', username: 'Any' }

test('a password fits its own hash, and no other does', async () => {
  const passwords = createPasswords(systemClock)
  const hash = await passwords.hash('correct horse')
  expect(await passwords.verify('correct horse', hash, ANYBODY)).toBe(true)
  for (const wrong of ['', 'correct horsf', 'Correct horse', 'correct horse ', 'correct horse\0']) {
    expect(await passwords.verify(wrong, hash, ANYBODY)).toBe(false)
  }
})

test('texts beyond ASCII and NULs count to the last byte', async () => {
  const passwords = createPasswords(systemClock)
  const hash = await passwords.hash('\u00e9\0🚀a')
  expect(await passwords.verify('\u00e9\0🚀a', hash, ANYBODY)).toBe(true)
  expect(await passwords.verify('\u00e9\0🚀b', hash, ANYBODY)).toBe(false)
  expect(await passwords.verify('\u00e9', hash, ANYBODY)).toBe(false)
})

test('one password hashed twice gives two hashes, each with its cost', async () => {
  const passwords = createPasswords(systemClock)
  const [first, second] = await Promise.all([passwords.hash('twice-1'), passwords.hash('twice-1')])
  expect(first).not.toBe(second)
  for (const hash of [first, second]) {
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
    expect(hash).not.toContain('twice-1')
    expect(await passwords.verify('twice-1', hash, ANYBODY)).toBe(true)
  }
})

test('without a hash, or with a malformed one, no password fits', async () => {
  const passwords = createPasswords(systemClock)
  const hash = await passwords.hash('password')
  for (const stored of [undefined, '', 'password', '$argon2id$', hash.slice(0, -1), `${hash} `]) {
    expect(await passwords.verify('password', stored, ANYBODY)).toBe(false)
  }
})

test('a hash made at another cost is checked at that cost', async () => {
  // RFC 9106 has no vector without secret and data; this one is libargon2's own, test.c, version
  // 0x13: argon2id, t = 2, m = 256 KiB, p = 1, 'password', 'somesalt'.
  const foreign =
    '$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4'
  const passwords = createPasswords(systemClock)
  expect(await passwords.verify('password', foreign, ANYBODY)).toBe(true)
  expect(await passwords.verify('passwore', foreign, ANYBODY)).toBe(false)
})

test('64 may wait; the next is refused at once, and the waiting are served in turn', async () => {
  const passwords = createPasswords(systemClock)
  const served: number[] = []
  const waiting = Array.from({ length: WAITING_MAX + 1 }, async (_, i) => {
    await passwords.verify('any', 'no hash', ANYBODY)
    served.push(i)
  })
  const tooMany = [passwords.verify('any', 'no hash', ANYBODY)]
  for (const { status, reason } of (await Promise.allSettled(tooMany)) as PromiseRejectedResult[]) {
    expect(status).toBe('rejected')
    expect(reason).toBeInstanceOf(PasswordsBusyError)
  }
  await Promise.all(waiting)
  expect(served).toEqual(Array.from({ length: WAITING_MAX + 1 }, (_, i) => i))
  expect(await passwords.verify('any', 'no hash', ANYBODY)).toBe(false)
})

test('who is trusted comes first, and logins and registrations take turns', async () => {
  const passwords = createPasswords(systemClock)
  const served: string[] = []
  const hash = async (lane: 'trusted' | 'registration'): Promise<void> => {
    await passwords.hash('any', lane === 'registration' ? ANYBODY : undefined)
    served.push(lane)
  }
  const login = async (): Promise<void> => {
    await passwords.verify('any', 'no hash', ANYBODY)
    served.push('login')
  }
  const waiting = [
    ...Array.from({ length: 3 }, () => hash('registration')),
    ...Array.from({ length: 2 }, login),
    hash('trusted'),
  ]
  expect(passwords.waiting()).toBe(6)
  await Promise.all(waiting)
  expect(served).toEqual([
    'registration',
    'trusted',
    'login',
    'registration',
    'login',
    'registration',
  ])
  expect(passwords.waiting()).toBe(0)
})

interface Door {
  /** what comes of a login: its answer, or busy */
  readonly login: (address: string, username: string, password?: string) => Promise<string>
  /** all logins until then wait */
  readonly hold: () => void
  readonly pass: (ms: number) => void
}

async function door(): Promise<Door> {
  const clock = simulatedClock(0)
  const passwords = createPasswords(clock)
  const hash = await passwords.hash('right')
  return {
    pass: (ms) => clock.work(ms),
    hold: () => void passwords.hash('held'),
    login: (address, username, password = 'wrong') =>
      passwords
        .verify(password, password === 'right' ? hash : 'no hash', { address, username })
        .then(String, (error: unknown) => {
          expect(error).toBeInstanceOf(PasswordsBusyError)
          return 'busy'
        }),
  }
}

function addresses(count: number, network: string = '198.51.100'): string[] {
  return Array.from({ length: count }, (_, i) => `${network}.${i}`)
}

test('a flood of logins for one name from many addresses keeps no other name out', async () => {
  const { login, hold } = await door()
  hold()
  const flood = addresses(200).map((address) => login(address, 'Chief'))
  const others = ['Ida', 'Max', 'ida'].map((name, i) => login(`192.0.2.${i}`, name, 'right'))
  expect(await Promise.all(others)).toEqual(['true', 'true', 'true'])
  const refused = (await Promise.all(flood)).filter((outcome) => outcome === 'busy')
  expect(refused.length).toBe(200 + 3 - WAITING_MAX)
})

test('nor the one whose name it is, whose address has failed less or is known', async () => {
  const { login, hold, pass } = await door()
  const flood = (network?: string): Promise<string>[] =>
    addresses(200, network).map((address) => login(address, 'CHIEF'))
  await Promise.all(flood())
  pass(3_000_000)
  hold()
  const second = flood()
  const chief = login('192.0.2.1', 'Chief', 'right')
  second.push(...flood())
  expect(await chief).toBe('true')
  await Promise.all(second)
  // After an hour they are as good as others, but not as where the name has logged in before.
  pass(3_600_000)
  hold()
  const late = login('192.0.2.1', 'chief', 'right')
  const third = flood()
  const stranger = login('192.0.2.2', 'Chief', 'right')
  third.push(...flood('203.0.113'))
  expect([await late, await stranger]).toEqual(['true', 'busy'])
  await Promise.all(third)
})

test('of equal logins under many names the first stay, and are served in turn', async () => {
  const { login, hold } = await door()
  hold()
  const all = addresses(70).map((address, i) => login(address, `Pilot${i}`))
  const outcomes = await Promise.all(all)
  expect(outcomes.map((outcome, i) => [i, outcome]).filter(([, one]) => one === 'busy')).toEqual(
    [64, 65, 66, 67, 68, 69].map((i) => [i, 'busy']),
  )
})

test.each(['login', 'registration'] as const)(
  'one address with many of a kind (%s) keeps others waiting for one at most',
  async (lane) => {
    const lanes = createPasswordLanes(simulatedClock(0))
    const served: string[] = []
    const ask = (address: string, username: string): Promise<boolean> =>
      lanes[lane]({ address, username }, async () => served.push(address) < 0)
    const held = Promise.withResolvers<undefined>()
    void lanes.trusted(() => held.promise)
    const flood = Array.from({ length: WAITING_MAX + 20 }, (_, i) => ask('198.51.100.1', `a${i}`))
    const outcomes = Promise.allSettled(flood)
    const others = [ask('192.0.2.1', 'Ida'), ask('192.0.2.2', 'Max')]
    held.resolve(undefined)
    await Promise.all(others)
    expect(served.slice(0, 3)).toEqual(['198.51.100.1', '192.0.2.1', '192.0.2.2'])
    const refused = (await outcomes).filter(({ status }) => status === 'rejected')
    expect(refused).toHaveLength(22)
  },
)
