// Laws: a player is shown whether the game is connected, why not, and once why it has ended; and
// whether the game stands.
import { CLOSE_CODES } from '@orrery/client'
import { signal } from '@preact/signals'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Connection } from '../../src/session/connection.ts'
import { followStatus } from '../../src/session/server-status.ts'
import type { Session } from '../../src/session/session.ts'
import { HeldServer, STATUS } from '../game/held-server.ts'

let server: HeldServer
let session: Session
let shown: Connection[]

beforeEach(async () => {
  vi.useFakeTimers()
  server = new HeldServer()
  shown = []
  session = await server.open((connection) => shown.push(connection))
})

afterEach(() => {
  session.close()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

const isStatus = (request: string): boolean => request === 'GET /api/status'
const online = { status: 200, body: STATUS }

/** Ends the connection so often, with the longest wait before each attempt. */
async function lose(times: number): Promise<void> {
  for (let i = 0; i < times; i++) {
    await server.end(1006)
    const last = shown.at(-1)
    if (typeof last !== 'object' || !('retryAtMs' in last)) throw new Error('no further attempt')
    await vi.advanceTimersByTimeAsync(last.retryAtMs - performance.now() + 1)
  }
}

const absences = (): unknown[] =>
  shown.map((one) => (typeof one === 'object' && 'why' in one ? one.why : one))

test('a connection is live from its welcome on, and away until the next attempt', async () => {
  expect(shown).toEqual([])
  server.welcome()
  expect(shown).toEqual(['live'])
  await vi.advanceTimersByTimeAsync(5000)
  const lostMs = performance.now()
  await server.end(1006)
  const isSoon = (ms: number): boolean => ms >= lostMs && ms <= lostMs + 500
  expect(shown.slice(1)).toEqual([{ retryAtMs: expect.toSatisfy(isSoon), why: 'lost' }])
})

test('a server that answers but takes no socket refuses it at the second attempt', async () => {
  server.welcome()
  server.replies = (request) => (isStatus(request) ? online : undefined)
  await lose(1)
  expect(absences()).toEqual(['live', 'lost'])
  await lose(1)
  expect(absences()).toEqual(['live', 'lost', 'lost', 'refused'])
  const asked = server.requests.length
  await lose(1)
  expect(absences().at(-1)).toBe('refused')
  expect(server.requests.slice(asked)).not.toContain('GET /api/status')
  server.welcome()
  await lose(1)
  expect(absences().slice(-2)).toEqual(['live', 'lost'])
})

test('an answer that comes after the next attempt says nothing of it', async () => {
  let answer = (): void => undefined
  server.replies = (request) => {
    if (!isStatus(request)) return undefined
    return new Promise((resolve) => (answer = () => resolve(online)))
  }
  await lose(2)
  const late = answer
  await lose(1)
  late()
  await vi.advanceTimersByTimeAsync(0)
  expect(absences()).toEqual(['lost', 'lost', 'lost'])
  server.send({ type: 'reset', era: 2, tick: 0, game_time: STATUS.game_time })
  answer()
  await vi.advanceTimersByTimeAsync(0)
  expect(absences().at(-1)).toEqual({ ended: 'reset' })
})

test('a first loss is no refusal, even before any welcome', async () => {
  server.replies = (request) => (isStatus(request) ? online : undefined)
  await server.end(1006)
  expect(absences()).toEqual(['lost'])
})

test('a server that does not answer is away, however often it is asked', async () => {
  await lose(4)
  expect(absences()).toEqual(['lost', 'lost', 'lost', 'lost'])
})

test('a server that stops has longer to be there again', async () => {
  server.welcome()
  server.send({ type: 'shutdown' })
  server.replies = (request) => (isStatus(request) ? online : undefined)
  await lose(5)
  expect(absences()).toEqual(['live', ...Array(5).fill('shutdown')])
  await lose(1)
  expect(absences().slice(-2)).toEqual(['shutdown', 'refused'])
})

test.each([
  [CLOSE_CODES.replaced, 'replaced'],
  [CLOSE_CODES.expired, 'expired'],
  [CLOSE_CODES.accountDeleted, 'account_deleted'],
  [CLOSE_CODES.passwordReset, 'password_reset'],
])('a connection that is closed with %d has ended: %s', async (code, ended) => {
  server.welcome()
  await server.end(code)
  expect(shown).toEqual(['live', { ended }])
})

test('a token that the server refuses is no ship to be flown', async () => {
  const body = { error: { code: 'E005', message: 'no' } }
  server.replies = () => ({ status: 401, body })
  await server.end(1006)
  expect(shown).toEqual([{ ended: 'token_refused' }])
})

test('a page of an address that the server does not allow is refused', async () => {
  vi.stubGlobal('location', { origin: 'http://elsewhere.test' })
  server.replies = (request) => {
    return request.endsWith(' /health/live') ? { status: 200, body: {} } : undefined
  }
  await server.end(1006)
  expect(shown).toEqual([{ ended: 'origin_refused' }])
})

test('what the flight cannot read is said in the console', () => {
  const said = vi.spyOn(console, 'error').mockReturnValue()
  server.welcome({ frames: {} })
  expect(said).toHaveBeenCalledOnce()
  said.mockRestore()
})

test('a world that begins again ends the session once, whatever follows', async () => {
  server.welcome()
  server.send({ type: 'reset', era: 2, tick: 0, game_time: STATUS.game_time })
  await server.end(1006)
  await vi.advanceTimersByTimeAsync(1000)
  server.welcome()
  await server.end(CLOSE_CODES.accountDeleted)
  expect(shown).toEqual(['live', { ended: 'reset' }])
})

test('closing a session oneself is no ending that is shown', async () => {
  server.welcome()
  session.close()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(shown).toEqual(['live'])
})

test('a pause has the tick and the time at which the game stands', () => {
  const at = { tick: 50, game_time: '2026-03-01T12:00:09.000Z' }
  const ms = Date.UTC(2026, 2, 1, 12, 0, 9)
  const pause = (): unknown => session.pause.value
  server.welcome()
  expect(pause()).toBeUndefined()
  server.send({ type: 'paused', ...at })
  expect(pause()).toEqual({ tick: 50, ms })
  const clock = { type: 'clock', game_time: at.game_time, effective_time_scale: 1 }
  server.send({ ...clock, paused: true })
  expect(pause()).toEqual({ tick: 50, ms })
  server.send({ type: 'restored', era: 1, tick: 7, game_time: at.game_time })
  server.send({ ...clock, paused: true })
  expect(pause()).toEqual({ tick: 7, ms })
  server.send({ type: 'resumed', ...at })
  expect(pause()).toBeUndefined()
  server.welcome({ tick: 60, paused: true })
  expect(pause()).toEqual({ tick: 60, ms: ms - 9000 })
})

test('the status of the server is asked every ten seconds while a player looks', async () => {
  const page = { hidden: false }
  vi.stubGlobal('document', page)
  const player = signal<Session | undefined>(undefined)
  const status = signal<Awaited<ReturnType<typeof server.client.status>> | undefined>(undefined)
  const asked = (): number => server.requests.length
  // It asks by itself when the server takes no socket.
  session.close()
  followStatus(server.client, player, status)
  await vi.advanceTimersByTimeAsync(20_000)
  expect(asked()).toBe(0)
  server.replies = () => online
  player.value = session
  await vi.advanceTimersByTimeAsync(9999)
  expect([asked(), status.value?.server_name]).toEqual([1, 'Held'])
  await vi.advanceTimersByTimeAsync(1)
  expect(asked()).toBe(2)
  server.replies = () => undefined
  page.hidden = true
  await vi.advanceTimersByTimeAsync(30_000)
  expect([asked(), status.value?.server_name]).toEqual([2, 'Held'])
  page.hidden = false
  server.replies = () => ({ status: 200, body: { ...STATUS, server_name: 'Late' } })
  vi.advanceTimersByTime(10_000)
  player.value = undefined
  await vi.advanceTimersByTimeAsync(30_000)
  expect([asked(), status.value?.server_name]).toEqual([3, 'Held'])
})
