// Law: a request for a station or gate has one place, whole, and a name that people can read;
// nothing else parses.
import { jumpgateRequest, stationRequest, transferRequest } from '@orrery/protocol'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'

const ORBIT = { name: 'Halfway', parent_body: 'Earth', altitude: 420_000 }
const POINT = { name: 'Trojan', parent_body: 'Sun', secondary_body: 'Earth', lagrange_point: 4 }
const GATE = { name: 'Door', primary_body: 'Sun', secondary_body: 'Earth' }

const messageOf = (schema: v.GenericSchema, body: object): string | undefined =>
  v.safeParse(schema, body).issues?.[0].message

describe('a station', () => {
  test('is on an orbit or at a point, with its names trimmed', () => {
    expect(v.parse(stationRequest, ORBIT)).toEqual(ORBIT)
    expect(v.parse(stationRequest, POINT)).toEqual(POINT)
    const loose = { ...POINT, name: '  Tro\u006a\u0061n ', parent_body: ' sun', extra: 1 }
    expect(v.parse(stationRequest, loose)).toEqual({ ...POINT, parent_body: 'sun' })
    expect(v.parse(stationRequest, { ...ORBIT, name: 'Cafe\u0301' }).name).toBe('Caf\u00e9')
    expect(v.parse(stationRequest, { ...ORBIT, name: '\u{1f6f0}'.repeat(64) }).name.length).toBe(
      128,
    )
  })

  test.each([
    [{ ...ORBIT, ...POINT }],
    [{ ...ORBIT, secondary_body: 'Moon' }],
    [{ ...ORBIT, lagrange_point: 4 }],
    [{ name: 'A', parent_body: 'Earth' }],
    [{ ...POINT, lagrange_point: undefined }],
    [{ ...POINT, secondary_body: undefined }],
  ])('of %j is at no one place', (body) => {
    expect(messageOf(stationRequest, JSON.parse(JSON.stringify(body)))).toMatch(/^Either altitude/)
  })

  test.each([
    ['name', ''],
    ['name', '   '],
    ['name', 7],
    ['name', null],
    ['name', 'x'.repeat(65)],
    ['name', 'bell\u0007'],
    ['name', '\u200b\u200b\u200b'],
    ['name', '\u3164\u3164\u3164'],
    ['name', '\u2800\u2800\u2800'],
    ['name', `Z${'\u0335'.repeat(5)}`],
    ['name', 'left\u202eright'],
    ['name', 'two\u2028lines'],
    ['name', 'half\ud800'],
    ['parent_body', ''],
    ['parent_body', ['Earth']],
    ['parent_body', 'x'.repeat(65)],
    ['altitude', '420000'],
    ['altitude', null],
    ['altitude', Infinity],
    ['altitude', NaN],
  ])('with %s %j is refused by that field', (field, value) => {
    expect(messageOf(stationRequest, { ...ORBIT, [field]: value })).toMatch(
      RegExp(`^${field} must`),
    )
  })
})

test.each(['משֶׁה', 'नमस्ते', 'กำลัง', 'བོད་ཡིག', '👩‍🚀', '🇩🇪', 'Ⅷ', '†', '\ue000'])(
  '%s is a name',
  (name) => {
    expect(v.is(stationRequest, { ...ORBIT, name })).toBe(true)
  },
)

describe('a gate', () => {
  test('is at the fourth point when none is named', () => {
    expect(v.parse(jumpgateRequest, GATE)).toEqual({ ...GATE, lagrange_point: 4 })
    for (const point of [1, 2, 3, 4, 5]) {
      const body = { ...GATE, lagrange_point: point }
      expect(v.parse(jumpgateRequest, body)).toEqual(body)
    }
  })

  test.each([0, 6, 1.5, -1, '4', null, true, [4], Infinity])('has no point %j', (point) => {
    const body = { ...GATE, lagrange_point: point }
    expect(messageOf(jumpgateRequest, body)).toBe('lagrange_point must be an integer from 1 to 5')
  })

  test('may lead to another, by its id', () => {
    const paired_jumpgate_id = '6d0d2b0e-64d0-4a5e-8a6f-2f5c1b6f5f10'
    const body = { ...GATE, lagrange_point: 5, paired_jumpgate_id }
    expect(v.parse(jumpgateRequest, body)).toEqual(body)
    for (const id of ['far', null, 7, '']) {
      const message = messageOf(jumpgateRequest, { ...body, paired_jumpgate_id: id })
      expect(message).toBe('paired_jumpgate_id must be a UUID')
    }
  })

  test.each(['name', 'primary_body', 'secondary_body'])('needs its %s', (field) => {
    for (const value of [undefined, '', ' ', 1, {}]) {
      expect(v.is(jumpgateRequest, { ...GATE, [field]: value })).toBe(false)
    }
  })
})

test('a transfer names a system', () => {
  expect(v.parse(transferRequest, { system_id: 'sol' })).toEqual({ system_id: 'sol' })
  for (const body of [{}, { system_id: 7 }, { system_id: null }]) {
    expect(v.is(transferRequest, body)).toBe(false)
  }
})
