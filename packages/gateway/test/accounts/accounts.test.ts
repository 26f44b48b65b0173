// Goal: nobody gets in where they do not belong, and every refusal of registration, login and
// tokens is the interface's own, in its order. Method: one server process whose login limit is out
// of the way; tokens of every wrong kind are made with its key. At the end everything secret is
// looked for in all it has written.
import { adminLoginResponse, loginResponse } from '@orrery/protocol'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { type Answer, type Ask, PASSWORD, adminToken, ask, register } from '../player-client.ts'
import { refusalOf } from '../refusal.ts'
import { secretsIn } from '../secrets.ts'
import { ADMIN, type ServerProcess, randomKey } from '../server-process.ts'
import { usedServer } from '../used-server.ts'
import { tokenLaws } from './token-laws.ts'

const key = randomKey()

let server: ServerProcess
let admin: string
let ida: Awaited<ReturnType<typeof register>>

/** Everything that must never be written anywhere. */
const secrets = new Set([key, ADMIN.password, PASSWORD])

usedServer({ JWT_SECRET_KEY: key, LOG_LEVEL: 'debug' }, async (started) => {
  server = started
  admin = await adminToken(server)
  ida = await register(server, 'Ida')
  secrets.add(admin).add(ida.token)
})

const post = (path: string, options: Ask): Promise<Answer> => ask(server, 'POST', path, options)
const registration = (body: unknown): Promise<Answer> => post('/api/auth/register', { body })
const login = (username: unknown, password: unknown): Promise<Answer> =>
  post('/api/auth/login', { body: { username, password } })

describe('registration', () => {
  const taken = { username: 'iDA', password: 'short' }

  test.each([
    ['missing', undefined],
    ['null', null],
    ['number', 12345],
    ['list', ['Max']],
    ['empty', ''],
    ['two characters', 'ab'],
    ['21 characters', 'a'.repeat(21)],
    ['space', 'Max Planck'],
    ['leading space', ' Max'],
    ['trailing line break', 'Max\n'],
    ['hyphen', 'Max-Planck'],
    ['letter beyond ASCII', 'Zo\u00eb'],
    ['NUL', 'Max\u0000'],
    ['markup', '<b>Max</b>'],
  ])('a username that is %s is E011, whatever the password', async (_, username) => {
    expect(refusalOf(await registration({ username, password: PASSWORD }))).toBe('400 E011')
    expect(refusalOf(await registration({ username, password: 'short' }))).toBe('400 E011')
  })

  test.each([
    ['missing', undefined],
    ['null', null],
    ['number', 1234567890],
    ['object', { length: 9 }],
    ['empty', ''],
    ['seven characters', '1234567'],
    ['seven characters of two units each', '🚀'.repeat(7)],
    ['1025 bytes', 'x'.repeat(1025)],
  ])('a password that is %s is E012, even for a taken name', async (_, password) => {
    expect(refusalOf(await registration({ username: 'Newcomer', password }))).toBe('400 E012')
    expect(refusalOf(await registration({ ...taken, password }))).toBe('400 E012')
  })

  test('a taken name is E010 in any case, the name of the admin too', async () => {
    for (const username of ['Ida', 'ida', 'IDA', ADMIN.username.toLowerCase()]) {
      expect(refusalOf(await registration({ username, password: PASSWORD }))).toBe('409 E010')
    }
  })

  test('names and passwords at the edges of what is allowed are taken as they are', async () => {
    for (const [username, password] of [
      ['a_0', '12345678'],
      ['Abcdefghij_123456789', ' '.repeat(8)],
      ['long_pass', 'x'.repeat(1024)],
      ['rockets', '🚀'.repeat(8)],
      ['nul_pass', 'nul\u0000inside'],
    ]) {
      const made = await register(server, username, password)
      expect(made.username).toBe(username)
      const { status, body } = await login(username, password)
      expect(status).toBe(200)
      const { token, ...account } = v.parse(loginResponse, body)
      const { player_id, ship_id } = made
      expect(account).toEqual({ player_id, username, ship_id, is_admin: false })
      secrets.add(token).add(made.token)
      if (password.trim() !== '' && !password.includes('\u0000')) secrets.add(password)
    }
  })

  test('of twenty at once for one name, one gets it, and only his password opens it', async () => {
    const passwords = Array.from({ length: 20 }, (_, i) => `racing-password-${i}`)
    const answers = await Promise.all(
      passwords.map((password, i) => {
        const username = i % 2 === 0 ? 'Racer' : 'rACER'
        return registration({ username, password })
      }),
    )
    const winners = answers.filter(({ status }) => status === 201)
    expect(winners).toHaveLength(1)
    const losers = answers.filter(({ status }) => status !== 201)
    expect(losers.map(refusalOf)).toEqual(Array(19).fill('409 E010'))
    const winner = answers.findIndex(({ status }) => status === 201)
    const logins = await Promise.all(passwords.map((password) => login('racer', password)))
    expect(logins.findIndex(({ status }) => status === 200)).toBe(winner)
    expect(logins.filter(({ status }) => status === 401)).toHaveLength(19)
  })

  test('while closed everything is E020, and what was open before is open again', async () => {
    const closed = { success: true, registration_open: false }
    const open = { success: true, registration_open: true }
    const change = (path: string, body?: unknown): Promise<Answer> =>
      post(`/api/admin/registrations${path}`, { token: admin, body })
    for (const [shut, reopen] of [
      [() => change('', { open: false }), () => change('', { open: true })],
      [() => change('/disable'), () => change('/enable')],
    ]) {
      expect((await shut()).body).toEqual(closed)
      for (const body of [
        { username: '!', password: '' },
        { username: 'Newcomer', password: 'short' },
        taken,
        { username: 'Newcomer', password: PASSWORD },
      ]) {
        expect(refusalOf(await registration(body))).toBe('403 E020')
      }
      expect(refusalOf(await post('/api/auth/register', { text: '{' }))).toBe('403 E020')
      expect((await ask(server, 'GET', '/api/status')).body).toMatchObject({
        registration_open: false,
      })
      const { body } = await ask(server, 'GET', '/api/admin/registrations', { token: admin })
      expect(body).toEqual({ registration_open: false })
      expect((await login('ida', PASSWORD)).status).toBe(200)
      expect((await reopen()).body).toEqual(open)
    }
    for (const value of ['true', 1, null, undefined]) {
      expect(refusalOf(await change('', { open: value }))).toBe('400 E001')
    }
    expect((await registration({ username: 'Newcomer', password: PASSWORD })).status).toBe(201)
  })
})

describe('login', () => {
  test('an unknown name and a wrong password get the same bytes', async () => {
    const wrong = await login('Ida', 'not her password')
    const unknown = await login('Nobody', 'not her password')
    expect(refusalOf(wrong)).toBe('401 E005')
    expect(unknown.status).toBe(401)
    expect(unknown.text).toBe(wrong.text)
    for (const [username, password] of [
      [undefined, PASSWORD],
      ['Ida', undefined],
      ['Ida', null],
      ['Ida', 12345678],
      [['Ida'], PASSWORD],
      ["Ida' or '1'='1", PASSWORD],
      ['Ida\u0000', PASSWORD],
      ['Ida', `${PASSWORD} `],
      ['Ida', 'x'.repeat(5000)],
    ]) {
      const answer = await login(username, password)
      expect({ status: answer.status, text: answer.text }).toEqual({
        status: 401,
        text: wrong.text,
      })
    }
  })

  test('an admin gets both tokens from the players login', async () => {
    const { status, body } = await login(ADMIN.username.toUpperCase(), ADMIN.password)
    expect(status).toBe(200)
    const { token, admin_token: second, ...account } = v.parse(loginResponse, body)
    expect(account).toMatchObject({ username: ADMIN.username, ship_id: '', is_admin: true })
    secrets.add(token).add(second ?? '')
    expect((await ask(server, 'GET', '/api/admin/status', { token: second ?? '' })).status).toBe(
      200,
    )
    expect(refusalOf(await ask(server, 'GET', '/api/admin/status', { token }))).toBe('401 E005')
    expect(refusalOf(await ask(server, 'GET', '/api/player/ship', { token }))).toBe('404 E006')
  })

  test('both admin logins let admins in, and nobody else: 401 E005', async () => {
    for (const path of ['/api/admin/auth/login', '/api/admin/login']) {
      const { status, body } = await post(path, { body: ADMIN })
      expect(status).toBe(200)
      const { token, admin_id: id, ...rest } = v.parse(adminLoginResponse, body)
      expect(rest).toEqual({ success: true, role: 'admin', is_admin: true })
      const { body: players } = await post('/api/auth/login', { body: ADMIN })
      expect(players).toMatchObject({ player_id: id })
      secrets.add(token)
      const ofPlayer = await post(path, { body: { username: 'Ida', password: PASSWORD } })
      expect(refusalOf(ofPlayer)).toBe('401 E005')
      const wrong = await post(path, { body: { username: ADMIN.username, password: PASSWORD } })
      expect(ofPlayer.text).toBe(wrong.text)
    }
  })
})

tokenLaws({ place: () => server, key, ida: () => ida, admin: () => admin, secrets })

test('nothing secret was written to the logs', async () => {
  expect(await server.stop()).toBe(0)
  const output = server.output()
  expect(secrets.size).toBeGreaterThan(30)
  expect(secretsIn(output, secrets)).toEqual([])
  expect(output).not.toMatch(/"level":"(?:error|fatal)"/)
})
