// Goal: an admin, and no one else, reads what runs. Method: a real server, whose answer is compared
// with the files that it runs from.
import { api } from '@orrery/protocol'
import { COMMIT } from '@orrery/http'
import { PHYSICS } from '@orrery/sim'
import { exactAnswer } from '@orrery/testkit/exact-answer'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { adminToken, ask, register } from '../player-client.ts'
import { refusalOf } from '../refusal.ts'
import { sharedServer } from '../used-server.ts'

const PATH = '/api/admin/version'

const server = sharedServer()

test('it is the release, commit, physics, Node and database that run', async () => {
  const manifest = new URL('../../../../package.json', import.meta.url)
  const { version: release }: { version: string } = JSON.parse(readFileSync(manifest, 'utf8'))
  const { status, body } = await ask(server, 'GET', PATH, { token: await adminToken(server) })
  expect(status).toBe(200)
  const { database, ...rest } = await exactAnswer(api.readVersion.answer, body)
  expect(rest).toEqual({ release, commit: COMMIT, physics: PHYSICS, node: process.version })
  expect(database).toMatch(/^\d+\.\d+/)
})

test('a player and a void token are refused', async () => {
  const { token } = await register(server, 'Lambert')
  for (const refused of [undefined, '', 'a.void.token', token]) {
    expect(refusalOf(await ask(server, 'GET', PATH, { token: refused }))).toBe('401 E005')
  }
})
