// Law: a stream of events is what the pages have, each once and in order, and goes on by its last
// id; it ends with its token and with the server, and there are as many as there may be.
import { type ServiceTokenResponse, eventsResponse, serviceTokenResponse } from '@orrery/protocol'
import * as v from 'valibot'
import { IS_NIGHT } from '@orrery/testkit/tier'
import { expect, onTestFinished, test } from 'vitest'
import { ask, openSocket, register } from '../player-client.ts'
import { refusalOf } from '../refusal.ts'
import { sharedServer } from '../used-server.ts'

const STREAM = '/api/service/events/stream'
const TOKENS = '/api/admin/service-tokens'

const server = sharedServer()

async function makeToken(): Promise<ServiceTokenResponse> {
  const wanted = { name: 'reader', scopes: ['events'] }
  return v.parse(serviceTokenResponse, await server.order('POST', TOKENS, wanted))
}

interface Reading {
  /** the next event, or how the stream ended */
  next(): Promise<{ readonly event: string; readonly id: string; readonly data: string } | 'end'>
  close(): void
}

async function openStream(token: string, lastId?: string): Promise<Reading> {
  const closing = new AbortController()
  const headers = {
    authorization: `Bearer ${token}`,
    ...(lastId !== undefined && { 'last-event-id': lastId }),
  }
  const { body, status } = await fetch(server.url + STREAM, { headers, signal: closing.signal })
  expect(status).toBe(200)
  onTestFinished(() => closing.abort())
  if (!body) throw new Error('The stream has no body.')
  const chunks = body.pipeThrough(new TextDecoderStream()).values()
  let text = ''
  return {
    close: () => closing.abort(),
    next: async () => {
      for (;;) {
        const end = text.indexOf('\n\n')
        if (end >= 0) {
          const block = text.slice(0, end)
          text = text.slice(end + 2)
          const field = (name: string): string =>
            new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1] ?? ''
          // A heartbeat has an id alone.
          if (field('data') === '') continue
          return { event: field('event'), id: field('id'), data: field('data') }
        }
        const { done, value } = await chunks.next()
        if (done) return 'end'
        text += value
      }
    },
  }
}

async function pages(token: string, after?: string): Promise<readonly unknown[]> {
  const query = after === undefined ? '' : `&after=${after}`
  const { body } = await ask(server, 'GET', `/api/service/events?limit=500${query}`, { token })
  return v.parse(eventsResponse, body).events
}

test('it has the events of the pages, and goes on by its last id', async () => {
  const { token } = await makeToken()
  const { token: pilots, ship_id: shipId } = await register(server, 'Ida')
  const pilot = await openSocket(server, pilots)
  const reading = await openStream(token)
  const read: { readonly id: string; readonly entry: unknown }[] = []
  for (const pointing of ['retrograde', 'normal'] as const) {
    await pilot.answer({ type: 'maneuver_start', maneuver: 'attitude', pointing })
    for (let own = false; !own;) {
      const got = await reading.next()
      if (got === 'end') throw new Error('The stream has ended.')
      const entry = JSON.parse(got.data)
      expect(got.event).toBe(entry.event_type)
      read.push({ id: got.id, entry })
      own = entry.ship_id === shipId && entry.event_type === 'started'
    }
  }
  const all = await pages(token)
  expect(read.map(({ entry }) => entry)).toEqual(all.slice(0, read.length))
  reading.close()
  const [{ id }, next] = read.slice(-2)
  const again = await openStream(token, id)
  expect(await again.next()).toMatchObject({ id: next.id, data: JSON.stringify(next.entry) })
  await pilot.close()
})

test('cursors are refused as by the pages, and a fifth stream of a token', async () => {
  const { token } = await makeToken()
  const refused = async (query: string): Promise<string> =>
    refusalOf(await ask(server, 'GET', `${STREAM}${query}`, { token }))
  expect(await refused('?after=99999.sol=1')).toBe('409 E003')
  expect(await refused('?after=x')).toBe('400 E001')
  for (let i = 0; i < 4; i++) await openStream(token)
  expect(await refused('')).toBe('429 E004')
})

test('it ends when its token is revoked, and at night with the server', async () => {
  const [first, second] = [await makeToken(), await makeToken()]
  const [revoked, kept] = [await openStream(first.token), await openStream(second.token)]
  await server.order('DELETE', `${TOKENS}/${first.token_id}`)
  let last = await revoked.next()
  while (last !== 'end' && last.event !== 'ended') last = await revoked.next()
  expect(last).toMatchObject({ data: expect.stringContaining('"E005"') })
  expect(await revoked.next()).toBe('end')
  if (!IS_NIGHT) return kept.close()
  expect(await server.stop()).toBe(0)
  while ((await kept.next()) !== 'end');
  await server.restart()
})
