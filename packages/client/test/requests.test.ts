// Whatever a server answers, or does not, ends in the promised answer or in one kind of error, and
// no error quotes a token or a password.
import type { ErrorCode, Route } from '@orrery/protocol'
import * as v from 'valibot'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ClientError, type GameClient, createGameClient } from '../src/index.ts'
import { type LocalServer, localServer } from './local-server.ts'

const TOKEN = 'head.body-of-a-secret.tail'
const PASSWORD = 'a secret word'

let server: LocalServer
let game: GameClient

beforeEach(async () => {
  server = await localServer()
  game = createGameClient({ url: server.url })
})

afterEach(() => server.close())

async function failure(requested: Promise<unknown>): Promise<ClientError> {
  const error = await requested.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(ClientError)
  const { stack, cause } = error as ClientError
  expect(`${stack} ${JSON.stringify(error)} ${String(cause)}`).not.toMatch(/secret/)
  return error as ClientError
}

const showThing: Route<
  { readonly name: string },
  { path: 'thing_id'; query: { readonly limit: number } }
> = {
  request: 'GET /api/admin/things/:thing_id',
  access: 'admin',
  status: 200,
  answer: v.object({ name: v.string() }),
}

/** The envelope of a code. */
function envelope(code: ErrorCode, message: string): string {
  return JSON.stringify({ error: { code, message } })
}

describe('an answer', () => {
  it('is given as it came', async () => {
    const body = JSON.stringify({ success: true, registration_open: false })
    server.reply(() => ({ status: 200, body }))
    expect(await game.admin(TOKEN).registrations.close()).toEqual(JSON.parse(body))
    expect(server.requests).toEqual(['POST /api/admin/registrations/disable'])
  })

  it('without a body is nothing', async () => {
    server.reply(() => ({ status: 204 }))
    expect(await game.player(TOKEN).deleteAccount()).toBeUndefined()
  })

  it('to a prediction of a part of an hour is awaited', async () => {
    server.reply(() => ({ status: 503, body: envelope('E005', 'Later') }))
    await failure(game.player(TOKEN).predict({ hours: 0.01 }))
    expect(server.requests).toEqual(['POST /api/player/predict'])
  })

  it('of a route that has no function is checked by its declaration', async () => {
    const { call } = game.admin(TOKEN)
    server.reply(() => ({ status: 200, body: '{"name":"Ida"}' }))
    expect(await call(showThing, { thing_id: 'a/b', limit: 3 })).toEqual({ name: 'Ida' })
    expect(server.requests).toEqual(['GET /api/admin/things/a%2Fb?limit=3'])
    server.reply(() => ({ status: 200, body: '{"name":7}' }))
    const refused = await failure(call(showThing, { thing_id: 'a', limit: 3 }))
    expect(refused).toMatchObject({ code: 'bad_answer' })
    expect(refused.message).toMatch(/ at name$/)
  })

  it('in text is a text', async () => {
    server.reply(() => ({ status: 200, body: 'ticks 7\n' }))
    expect(await game.admin(TOKEN).metrics()).toBe('ticks 7\n')
  })

  it.each([
    ['of another shape', `{"player_id":"${PASSWORD}","token":"${TOKEN}"}`],
    ['that is no JSON', `<p>${TOKEN}</p>`],
    ['that is empty', ''],
  ])('%s is bad', async (_, body) => {
    server.reply(() => ({ status: 200, body }))
    const error = await failure(game.login('Ripley', PASSWORD))
    expect(error).toMatchObject({ code: 'bad_answer', status: 200 })
    expect(error.message).toMatch(/^POST \/api\/auth\/login: /)
  })
})

describe('a refusal', () => {
  it('has the code, the text and the status of the server, and its wait', async () => {
    const body = envelope('E004', 'Too many logins')
    server.reply(() => ({ status: 429, body, headers: { 'retry-after': '42' } }))
    const error = await failure(game.login('Ripley', PASSWORD))
    expect(error).toMatchObject({
      code: 'E004',
      message: 'Too many logins',
      status: 429,
      retryAfter: 42,
    })
  })

  it('of metrics has a code as well', async () => {
    server.reply(() => ({ status: 401, body: envelope('E005', 'No') }))
    expect(await failure(game.admin(TOKEN).metrics())).toMatchObject({ code: 'E005', status: 401 })
  })

  it.each(['<h1>Bad gateway</h1>', '{"error":{"code":"E999","message":"?"}}', '{"error":"E004"}'])(
    'in the words %s is a bad answer with its status',
    async (body) => {
      server.reply(() => ({ status: 502, body }))
      expect(await failure(game.status())).toMatchObject({ code: 'bad_answer', status: 502 })
    },
  )
})

describe('a request', () => {
  it('without an answer in time rejects with a timeout', async () => {
    server.reply(() => ({ status: 0 }))
    const hasty = createGameClient({ url: server.url, timeoutMs: 50 })
    expect(await failure(hasty.login('Ripley', PASSWORD))).toMatchObject({
      code: 'timeout',
      status: undefined,
    })
  })

  it('to a closed port rejects as a failure of the network', async () => {
    await server.close()
    const error = await failure(game.player(TOKEN).ship())
    expect(error).toMatchObject({ code: 'network' })
    expect(error.message).toContain('ECONNREFUSED')
  })

  it('is not sent with a token that no header can carry', async () => {
    for (const token of ['', `${TOKEN}\n`, 'secret ä']) {
      expect(await failure(game.admin(token).status())).toMatchObject({ code: 'E005' })
    }
    expect(server.requests).toEqual([])
  })

  it('does not follow a redirect', async () => {
    server.reply(() => ({ status: 302, headers: { location: 'http://127.0.0.1:1/' } }))
    expect(await failure(game.player(TOKEN).ship())).toMatchObject({ code: 'network' })
  })
})

it('an id cannot leave its part of a path', async () => {
  server.reply(() => ({ status: 204 }))
  await game.admin(TOKEN).players.remove('../admins/1?x')
  expect(server.requests).toEqual(['DELETE /api/admin/players/..%2Fadmins%2F1%3Fx'])
})
