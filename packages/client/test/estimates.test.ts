// Goal: the client's estimates drop what no longer holds, and its requests read addresses and
// refusals exactly. Method: the parts themselves, with answers made by hand.
import * as v from 'valibot'
import { expect, it } from 'vitest'
import { ClientError } from '../src/client-error.ts'
import { type Exchange, createExchange } from '../src/requests/exchange.ts'
import { createGameTime } from '../src/clocks/game-time.ts'
import { handshakeRefusal } from '../src/socket/handshake-refusal.ts'
import { createRoundTrip } from '../src/clocks/round-trip.ts'

it('counts game time from messages of the present scale only', () => {
  const gameTime = createGameTime()
  gameTime.note({ gameTimeMs: 1_000_000, era: 1, scale: 1, paused: false }, 0)
  gameTime.note({ gameTimeMs: 1_000_100, scale: 10 }, 100)
  expect(gameTime.at(200, 0)).toBe(1_001_100)
})

it('drops the quickest pong after eight more', () => {
  const roundTrip = createRoundTrip()
  const pong = (tookMs: number): void =>
    roundTrip.note({ sentMs: 0, cameMs: tookMs, serverMs: tookMs / 2 })
  pong(10)
  for (let i = 0; i < 7; i++) pong(100)
  expect(roundTrip.delayMs()).toBe(5)
  pong(100)
  expect(roundTrip.delayMs()).toBe(50)
})

it('gives up on a token only when both of its routes refuse it', async () => {
  const refusing = (routes: string): Exchange =>
    (async (request: string) => {
      if (new RegExp(routes).test(request)) throw new ClientError('E005', 'Refused')
    }) as Exchange
  const code = async (routes: string): Promise<unknown> =>
    (await handshakeRefusal(refusing(routes), 'a.b.c'))?.code
  expect(await code('rules|status')).toBe('E005')
  expect(await code('rules')).toBeUndefined()
  expect(await code('status')).toBeUndefined()
})

it('keeps the path of an address without its slashes, and a wait of 0 s', async () => {
  const requested: unknown[] = []
  const exchange = createExchange({
    url: 'https://orrery.example/base//',
    fetch: async (input) => {
      requested.push(input)
      const body = { error: { code: 'E004', message: 'Too many requests' } }
      return Response.json(body, { status: 429, headers: { 'retry-after': '0' } })
    },
  })
  const refused = exchange('GET /api/status', v.unknown())
  await expect(refused).rejects.toMatchObject({ code: 'E004', status: 429, retryAfter: 0 })
  expect(requested).toEqual(['https://orrery.example/base/api/status'])
})
