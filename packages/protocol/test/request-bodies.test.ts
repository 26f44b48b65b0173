// Goal: HTTP bodies are read exactly or refused at the field whose code the answer has to carry.
// Method: tables through the schemas, with texts parsed as JSON so that 1e400 is what a client
// sends.
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import {
  enabledRequest,
  fieldErrorCode,
  loginRequest,
  openRequest,
  registerRequest,
  tickRateRequest,
  timeScaleRequest,
  parseClientMessage,
} from '../src/index.ts'

// The code of the first issue, as a route would answer it; undefined when the body is good.
function code(schema: v.GenericSchema, text: string): string | undefined {
  const result = v.safeParse(schema, JSON.parse(text))
  if (result.success) return undefined
  const key = result.issues[0].path?.[0]?.key
  return fieldErrorCode(typeof key === 'string' ? [key] : [])
}

const register = (username: unknown, password: unknown): string | undefined =>
  code(registerRequest, JSON.stringify({ username, password }))

describe('registration', () => {
  test.each(['abc', 'A_9', 'x'.repeat(20), '___'])('takes the name %s', (name) => {
    expect(register(name, 'longenough')).toBeUndefined()
  })
  test.each([
    [undefined],
    [null],
    [123],
    [''],
    ['ab'],
    ['x'.repeat(21)],
    ['a b'],
    ['abc\n'],
    ['äbc'],
    ['a-b-c'],
    ['abc\u0000'],
  ])('refuses the name %j with E011, even with a bad password', (name) => {
    expect(register(name, 'longenough')).toBe('E011')
    expect(register(name, 'short')).toBe('E011')
  })
  test.each(['12345678', 'x'.repeat(1024), 'é'.repeat(512), '🚀'.repeat(8)])(
    'takes the password %.20s',
    (password) => {
      expect(register('abc', password)).toBeUndefined()
    },
  )
  test.each([
    [undefined],
    [null],
    [12345678],
    [''],
    ['1234567'],
    ['🚀'.repeat(4)],
    ['x'.repeat(1025)],
    ['é'.repeat(513)],
  ])('refuses the password %.20j with E012', (password) => {
    expect(register('abc', password)).toBe('E012')
  })
  test.each(['"x"', 'null', '7'])('refuses the body %s with E001', (text) => {
    expect(code(registerRequest, text)).toBe('E001')
  })
  test('keeps only the fields of its schema', () => {
    const body: unknown = JSON.parse('{"username":"abc","password":"longenough","is_admin":true}')
    expect(v.parse(registerRequest, body)).toEqual({ username: 'abc', password: 'longenough' })
  })
})

const login = (username: unknown, password: unknown): boolean =>
  v.is(loginRequest, { username, password })

test('login takes short passwords, but nothing that no account can have', () => {
  expect(login('abc', 'x')).toBe(true)
  expect(login('abc\u0000', 'x')).toBe(false)
  expect(login('abc', 'x'.repeat(1025))).toBe(false)
  expect(login('abc', undefined)).toBe(false)
})

describe.each([
  ['tick_rate', tickRateRequest, 'E015'],
  ['time_scale', timeScaleRequest, 'E029'],
] as const)('%s', (field, schema, expected) => {
  test.each(['0.1', '1', '100', '100.0', '7.3'])('takes %s', (text) => {
    expect(code(schema, `{"${field}":${text}}`)).toBeUndefined()
  })
  test.each(['0', '-0', '0.0999', '100.001', '-1', '1e400', '"1"', 'null', 'true', '[1]'])(
    'refuses %s',
    (text) => {
      expect(code(schema, `{"${field}":${text}}`)).toBe(expected)
    },
  )
  test('refuses its absence, and a body that is no object with E001', () => {
    expect(code(schema, '{}')).toBe(expected)
    expect(code(schema, '5')).toBe('E001')
  })
})

test.each([
  ['enabled', enabledRequest],
  ['open', openRequest],
] as const)('%s is a boolean and nothing else', (field, schema) => {
  expect(code(schema, `{"${field}":true}`)).toBeUndefined()
  expect(code(schema, `{"${field}":false}`)).toBeUndefined()
  for (const text of ['1', '"true"', 'null']) {
    expect(code(schema, `{"${field}":${text}}`)).toBe('E001')
  }
  expect(code(schema, '{}')).toBe('E001')
})

const BURN = { index: 64, pointing: 'normal', duration: 1 }

test('a rule or a prediction names the field of its message that is wrong', () => {
  const rule = { type: 'rule_set', name: 'a', condition: { type: 'fuel', below: 1 } }
  const sentenceOf = (message: object): string => {
    const parsed = parseClientMessage(JSON.stringify(message))
    return parsed.ok ? 'taken' : parsed.error.message
  }
  for (const [action, sentence] of [
    [{ type: 'control', thrust_level: 3 }, /^action\.thrust_level must be a number/],
    [{ type: 'maneuver_start', maneuver: 'loop' }, /^action\.maneuver must be one of/],
    [{ type: 'undock' }, /^action must be a control/],
    [{ type: 'maneuver_start', maneuver: 'plan', nodes: [BURN] }, /^action starts no maneuver/],
    [{ type: 'event' }, /^taken$/],
  ] as const) {
    expect(sentenceOf({ ...rule, action })).toMatch(sentence)
  }
  const orders = [{ order: { type: 'control', thrust_level: 3 } }]
  expect(sentenceOf({ type: 'predict', hours: 1, orders })).toMatch(
    /^orders\.0\.order\.thrust_level must be a number/,
  )
})
