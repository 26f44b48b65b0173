// Goal: a player sees one notice of each subject, for as long as it is meant, and a way on from
// each end of a session and each refused order.
import { ClientError, type Order } from '@orrery/client'
import { signal } from '@preact/signals'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Account } from '../../src/session/account.ts'
import type { Ending } from '../../src/session/connection.ts'
import { showEnding } from '../../src/session/endings.ts'
import type { LogEntry } from '../../src/session/event-log.ts'
import { type Notices, createNotices } from '../../src/session/notices.ts'
import { type OrderedGame, carryOut, giveOrder } from '../../src/orders/orders.ts'
import type { Session } from '../../src/session/session.ts'
import { untilAnswered } from '../../src/session/until-answered.ts'

let notices: Notices
const texts = (): string[] => notices.shown.value.map(({ text }) => text)

beforeEach(() => {
  vi.useFakeTimers()
  notices = createNotices()
})

afterEach(() => vi.useRealTimers())

test('a notice gives way to the next of its subject, and ends by itself unless it lasts', () => {
  notices.show({ subject: 'ship', kind: 'info', text: 'one' })
  notices.show({ subject: 'order', kind: 'error', text: 'lasting', isLasting: true })
  expect(texts()).toEqual(['one', 'lasting'])
  vi.advanceTimersByTime(5000)
  notices.show({ subject: 'ship', kind: 'info', text: 'two' })
  expect(texts()).toEqual(['lasting', 'two'])
  vi.advanceTimersByTime(7999)
  expect(texts()).toEqual(['lasting', 'two'])
  vi.advanceTimersByTime(1)
  expect(texts()).toEqual(['lasting'])
  notices.withdraw('ship')
  expect(texts()).toEqual(['lasting'])
  notices.withdraw('order')
  expect(texts()).toEqual([])
})

test('a question is asked every five seconds until it is answered, or no more', async () => {
  let isUp = false
  let asked = 0
  const answers: number[] = []
  const ask = (): Promise<number> => (asked++, isUp ? Promise.resolve(7) : Promise.reject(asked))
  untilAnswered(ask, (answer) => answers.push(answer))
  await vi.advanceTimersByTimeAsync(4999)
  expect(asked).toBe(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(asked).toBe(2)
  isUp = true
  await vi.advanceTimersByTimeAsync(20_000)
  expect([asked, answers]).toEqual([3, [7]])
  isUp = false
  const stop = untilAnswered(ask, () => answers.push(8))
  await vi.advanceTimersByTimeAsync(0)
  stop()
  isUp = true
  untilAnswered(ask, () => answers.push(9))()
  await vi.advanceTimersByTimeAsync(20_000)
  expect([asked, answers]).toEqual([5, [7]])
})

describe('the end of a session', () => {
  const account: Account = { username: 'Ida', token: 'a.b.c', shipId: 'x' }
  const asked: string[] = []
  let kept: (Account & { readonly hasExpired: boolean }) | undefined

  function end(ending: Ending): void {
    const accounts = { read: () => kept, keep: () => true, forget: () => (kept = undefined) }
    const entrance = {
      ask: (mode: string, name: string) => void asked.push(`${mode} ${name}`),
    } as unknown as Parameters<typeof showEnding>[0]['entrance']
    const enter = ({ username }: Account): void => void asked.push(`enter ${username}`)
    showEnding({ accounts, entrance, notices, enter }, ending, account)
  }

  beforeEach(() => {
    asked.length = 0
    kept = { ...account, hasExpired: false }
  })

  test.each<[Ending, string | undefined, string | undefined, boolean]>([
    ['replaced', 'Fly here', 'enter Ida', true],
    ['expired', 'Sign in', 'sign-in Ida', true],
    ['password_reset', 'Sign in', 'sign-in Ida', true],
    ['token_refused', 'Sign in', 'sign-in Ida', true],
    ['account_deleted', 'Register', 'register Ida', false],
    ['reset', 'Register', 'register Ida', false],
    ['origin_refused', undefined, undefined, true],
  ])('%s leads on', (ending, label, then, isKept) => {
    end(ending)
    const [{ action, kind, subject, isLasting }] = notices.shown.value
    expect([subject, isLasting]).toEqual(['session', true])
    expect(kind).toBe(ending === 'replaced' ? 'info' : 'warning')
    expect(action?.label).toBe(label)
    action?.act()
    expect(asked).toEqual(then === undefined ? [] : [then])
    expect(kept !== undefined).toBe(isKept)
  })

  test('flying here asks who plays where no good account is kept', () => {
    for (const left of [undefined, { ...account, hasExpired: true }]) {
      end('replaced')
      kept = left
      notices.shown.value[0].action?.act()
    }
    expect(asked).toEqual(['sign-in Ida', 'sign-in Ida'])
  })
})

describe('an order', () => {
  const log: LogEntry[] = []
  const noted: string[] = []
  const session = signal<Session | undefined>(undefined)
  let time = 640
  let refusal: Error | undefined
  const order: Order = { type: 'control', thrust_level: 1 }
  const flown = {
    flight: {
      clock: { now: () => time, utc: (index: number) => 1000 * index },
      ship: { order: () => (refusal ? Promise.reject(refusal) : Promise.resolve()) },
    },
    socket: { gameTimeNow: () => 77 },
  } as unknown as Session
  const game = {
    session,
    doing: {
      note: () => noted.push('note'),
      forget: () => noted.push('forget'),
      refresh: () => noted.push('refresh'),
    },
    log: { add: (entry: LogEntry) => log.push(entry) },
    get notices() {
      return notices
    },
  } as unknown as OrderedGame

  beforeEach(() => {
    session.value = flown
    log.length = noted.length = 0
    time = 640
    refusal = undefined
  })

  test('that is accepted is logged with its game time, and ends the notice before', async () => {
    notices.show({ subject: 'order', kind: 'error', text: 'before', isLasting: true })
    expect(await giveOrder(game, order, 'Full thrust')).toBe(true)
    expect(log).toEqual([{ ms: 640_000, kind: 'order', text: 'Full thrust' }])
    expect([texts(), noted]).toEqual([[], ['note', 'refresh']])
    time = NaN
    await giveOrder(game, order, 'Again')
    await giveOrder(game, order)
    expect(log.slice(1)).toEqual([{ ms: 77, kind: 'order', text: 'Again' }])
  })

  test('that is refused is forgotten, and says why', async () => {
    refusal = new ClientError('E003', 'The ship is docked')
    expect(await giveOrder(game, order, 'Full thrust')).toBe(false)
    expect(texts()).toEqual(['Full thrust: The ship is docked'])
    expect(log).toEqual([{ ms: 640_000, kind: 'error', text: texts()[0] }])
    expect(noted).toEqual(['note', 'refresh', 'forget'])
    refusal = new Error('a defect')
    await giveOrder(game, order)
    expect(notices.shown.value).toEqual([
      { subject: 'order', kind: 'error', text: 'The order could not be sent.', isLasting: true },
    ])
  })

  test('of a session that is over says nothing', async () => {
    const act = (): Promise<never> => {
      session.value = undefined
      return Promise.reject(new ClientError('closed', 'Closed'))
    }
    expect(await carryOut(game, 'Dock', act)).toBe(false)
    expect([texts(), log]).toEqual([[], []])
    expect(await carryOut(game, 'Dock', () => Promise.resolve())).toBe(false)
    expect(log).toEqual([])
  })
})
