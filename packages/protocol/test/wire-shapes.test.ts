// Goal: answers keep the shapes of the specification: snake_case fields, `type` first on the
// socket, the error envelope, and the documented handshake.
// Method: one example of each through its schema, each field taken away in turn; examples
// of SOCKET.md are parsed, so that the page cannot drift from the code.
import { readFileSync } from 'node:fs'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import {
  CLOSE_CODES,
  ERRORS,
  type ServerMessage,
  adminLoginResponse,
  adminStatusResponse,
  encodeServerMessage,
  errorEnvelope,
  loginResponse,
  ownShipState,
  parseClientMessage,
  parseHandshake,
  registerResponse,
  serverMessage,
  statusResponse,
} from '../src/index.ts'

const ID = '0b9f6a0e-6a55-4f5c-9d53-0a3c1f7c2f11'
const ZERO = { x: 0, y: 0, z: 0 }
const PARABOLA = {
  plane: 'icrf',
  semi_major_axis: null,
  eccentricity: 1,
  inclination: null,
  ascending_node: null,
  argument_of_periapsis: null,
  true_anomaly: null,
  altitude: 5,
  periapsis_altitude: 4,
  apoapsis_altitude: null,
  period: null,
  time_to_periapsis: null,
  time_to_apoapsis: null,
}

const EXAMPLES: [string, v.GenericSchema, Record<string, unknown>][] = [
  [
    'status',
    statusResponse,
    {
      status: 'online',
      server_name: 'Orrery',
      tick: 3,
      game_time: '2026-03-01T12:00:00.000Z',
      players_online: 0,
      paused: false,
      time_sync_enabled: true,
      time_drift_seconds: -0.5,
      effective_time_scale: 1,
      registration_open: true,
      talk_enabled: false,
    },
  ],
  [
    'admin status',
    adminStatusResponse,
    {
      current_tick: 3,
      tick_rate: 1,
      time_scale: 1,
      actual_rate: 0.98,
      paused: false,
      ticks_behind: 0,
      game_time: '2026-03-01T12:00:00.000Z',
      energy_drift: 1e-15,
      momentum_drift: -1e-16,
      time_sync_enabled: false,
      time_drift_seconds: 0,
      effective_time_scale: 1,
      adaptive_tick_rate: false,
      registration_open: true,
      talk_enabled: false,
      version: '1.0.0',
      stopped_systems: [{ system_id: 'sol', reason: 'its journal cannot be kept' }],
      planned: null,
    },
  ],
  ['register', registerResponse, { player_id: ID, username: 'abc', ship_id: ID, token: 't' }],
  [
    'login',
    loginResponse,
    { player_id: ID, username: 'abc', ship_id: '', token: 't', is_admin: true },
  ],
  [
    'admin login',
    adminLoginResponse,
    { success: true, admin_id: ID, token: 't', role: 'admin', is_admin: true },
  ],
  [
    'ship',
    ownShipState,
    {
      ship_id: ID,
      name: 'Ida',
      system_id: 'sol',
      ship_class: 'courier',
      position: ZERO,
      velocity: ZERO,
      reference_body: 'Earth',
      relative_position: ZERO,
      relative_velocity: ZERO,
      attitude: { w: 1, x: 0, y: 0, z: 0 },
      angular_velocity: ZERO,
      thrust_level: 0,
      fuel: 1,
      fuel_capacity: 2,
      mass: 3,
      wheel_saturation: ZERO,
      delta_v: 4,
      maneuver: null,
      last_maneuver: null,
      docked_at: null,
      steering: { pointing: 'spin', mode: 'free', wheel_unloading: true, burn_delta_v: null },
      orbit: PARABOLA,
      mean_orbit: PARABOLA,
    },
  ],
]

test.each(EXAMPLES)('%s has exactly the fields of its table', (_, schema, example) => {
  expect(v.parse(schema, example)).toEqual(example)
  const dispensable = Object.keys(example).filter((field) => {
    const { [field]: _taken, ...rest } = example
    return v.is(schema, rest)
  })
  expect(dispensable).toEqual([])
})

test('a server message starts with its type, in whatever order it was built', () => {
  const message: ServerMessage = { server_time: 1, id: 'a', type: 'pong' }
  expect(encodeServerMessage(message)).toBe('{"type":"pong","server_time":1,"id":"a"}')
})

test('every code has a status of the 4xx or 5xx and a meaning', () => {
  expect(errorEnvelope('E005')).toEqual({
    error: { code: 'E005', message: 'Authentication failed' },
  })
  expect(errorEnvelope('E001', 'Bad').error.message).toBe('Bad')
  const odd = Object.entries(ERRORS).filter(
    ([code, { status, meaning }]) =>
      !/^E\d{3}$/.test(code) || status < 400 || status > 599 || meaning.length < 5,
  )
  expect(odd).toEqual([])
})

describe('handshake', () => {
  const none = { authorization: undefined, offers: undefined }
  test('header, browser pair, and header over pair', () => {
    expect(parseHandshake({ ...none, authorization: 'Bearer a.b.c' })).toEqual({
      subprotocol: undefined,
      token: 'a.b.c',
    })
    expect(parseHandshake({ ...none, offers: 'orrery.v1, bearer.a.b.c' })).toEqual({
      subprotocol: 'orrery.v1',
      token: 'a.b.c',
    })
    expect(
      parseHandshake({ authorization: 'bearer h.h.h', offers: 'bearer.a.b.c,orrery.v1' }),
    ).toEqual({ subprotocol: 'orrery.v1', token: 'h.h.h' })
    const wanted = ['orrery.v1.binary', 'orrery.v1'] as const
    for (const [first, second] of [wanted, wanted.toReversed()]) {
      const offers = `orrery.v9, ${first}, ${second}`
      expect(parseHandshake({ ...none, offers })?.subprotocol).toBe(first)
    }
    expect(parseHandshake(none)).toEqual({ subprotocol: undefined, token: undefined })
  })
  test.each([
    '',
    'orrery.v2',
    'bearer.a.b.c',
    'orrery.v1,',
    'orrery.v1, bearer.a, bearer.b',
    'a b',
  ])('refuses the offers %j', (offers) => {
    expect(parseHandshake({ ...none, offers })).toBeNull()
  })
  test.each(['Basic abc', 'Bearer', 'Bearer a b', 'Bearer a, Bearer b', ''])(
    'finds no token in %j',
    (authorization) => {
      expect(parseHandshake({ ...none, authorization })?.token).toBeUndefined()
    },
  )
})

const MESSAGES = readFileSync(new URL('../SOCKET.md', import.meta.url), 'utf8')
const [CLIENT_PART, SERVER_PART] = ['## Client to server', '## Server to client'].map((title) => {
  const start = MESSAGES.indexOf(title)
  const part = MESSAGES.slice(start, MESSAGES.indexOf('\n##', start + title.length))
  return [...part.matchAll(/^`(\{"type".*\})`$/gm)].map((match) => match[1])
})

const typesIn = (texts: readonly string[]): string[] =>
  [...new Set(texts.map((text) => v.parse(typed, JSON.parse(text)).type))].toSorted()
const typed = v.looseObject({ type: v.string() })

test('SOCKET.md has a valid example of each message that a client can send', () => {
  for (const text of CLIENT_PART) {
    const result = parseClientMessage(text)
    // Nothing in it is unknown, or it would have been left out.
    expect(result).toEqual({ ok: true, message: JSON.parse(text) })
  }
  expect(typesIn(CLIENT_PART)).toEqual([
    'control',
    'dock',
    'jump',
    'maneuver_abort',
    'maneuver_start',
    'module_command',
    'ping',
    'predict',
    'resume',
    'rule_delete',
    'rule_set',
    'rules_get',
    'say',
    'seed_request',
    'ship_rename',
    'subscribe',
    'undock',
    'vote',
  ])
})

test('SOCKET.md has an exact example of each message that the server sends', () => {
  for (const text of SERVER_PART) {
    // The schema leaves out what it does not know, and has the order of the wire.
    expect(encodeServerMessage(v.parse(serverMessage, JSON.parse(text)))).toBe(text)
  }
  expect(typesIn(SERVER_PART)).toEqual([
    'accepted',
    'clock',
    'error',
    'event',
    'objects',
    'paused',
    'pong',
    'prediction',
    'reset',
    'restored',
    'resumed',
    'resumed_session',
    'rule',
    'rule_deleted',
    'rules',
    'said',
    'ship_assigned',
    'ship_modules',
    'ship_renamed',
    'shutdown',
    'subscribed',
    'system',
    'tick',
    'voted',
    'votes',
    'welcome',
  ])
})

test('SOCKET.md names every close code', () => {
  const rows = [...MESSAGES.matchAll(/^\| (\d{4}) \| \S/gm)].map((match) => Number(match[1]))
  expect(rows).toEqual(Object.values(CLOSE_CODES).toSorted((a, b) => a - b))
})
