// Goal: an error of an unreachable database is distinguished from one of a statement, by its code
// or that of a cause; the reason is in words.
import { expect, it } from 'vitest'
import { isAway, reasonOf } from '../src/index.ts'

const fault = (fields: object, cause?: unknown): Error =>
  Object.assign(new Error('a fault', { cause }), fields)

it.each([
  ['08006', '08001', '28P01', '28000', '53100', '53300', '25006', '3D000', '58030', '42501'],
  ['57P01', '57P02', '57P03', '57P05'],
  ['CONNECTION_CLOSED', 'CONNECTION_DESTROYED', 'CONNECTION_ENDED', 'CONNECT_TIMEOUT'],
  [
    'ERR_DATABASE_UNREACHABLE',
    'ERR_DATABASE_WITHOUT_TLS',
    'ECONNREFUSED',
    'ECONNRESET',
    'ECONNABORTED',
    'EHOSTDOWN',
  ],
  ['EHOSTUNREACH', 'ENETDOWN', 'ENETUNREACH', 'EAI_AGAIN', 'ENOTFOUND', 'EPIPE', 'ETIMEDOUT'],
])('unreachable: %s', (...codes) => {
  expect(codes.filter((code) => !isAway(fault({ code })))).toEqual([])
})

it.each([
  ['23505', '42601', '22P02', '40001', '57014', '57P04', 'ERR_DATABASE_OWNED'],
  ['', '0800', '080061', 'EACCES', 'CONNECTION'],
])('a statement or something else: %s', (...codes) => {
  expect(codes.filter((code) => isAway(fault({ code })))).toEqual([])
})

it('a missing socket file is unreachable, a missing file is not', () => {
  expect(isAway(fault({ code: 'ENOENT', syscall: 'connect' }))).toBe(true)
  expect(isAway(fault({ code: 'ENOENT', syscall: 'open' }))).toBe(false)
})

it('causes count, and what is no error does not', () => {
  const cut = fault({ code: 'ECONNRESET' })
  expect(isAway(fault({ code: '23505' }, fault({}, cut)))).toBe(true)
  const own: Error & { cause?: unknown } = fault({})
  own.cause = own
  expect(isAway(own)).toBe(false)
  for (const value of [undefined, null, 'ECONNRESET', 8006]) expect(isAway(value)).toBe(false)
})

it('the reason is that of the code, or of a cause, without the text of the driver', () => {
  const full = fault({ code: '53100' })
  expect(reasonOf(full)).toBe('its disk is full (53100)')
  expect(reasonOf(fault({ code: 'ERR_OTHER' }, full))).toBe('its disk is full (53100)')
  const unnamed = Object.assign(new Error('connect postgres://chief:secret@db'), { code: 'EPIPE' })
  expect(reasonOf(unnamed)).toBe('it failed (EPIPE)')
  expect(reasonOf(undefined)).toBe('it failed (unknown)')
})
