// Law: the example of a program beside the server counts what pilots complete, by its service token
// alone, sends a message of a prize, and ends when that is revoked.
import { type ServiceTokenResponse, SERVICE_SCOPES, serviceTokenResponse } from '@orrery/protocol'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import * as v from 'valibot'
import { expect, onTestFinished, test } from 'vitest'
import { openSocket, register } from '../player-client.ts'
import { sharedServer } from '../used-server.ts'

const EXAMPLE = fileURLToPath(new URL('../../../client/examples/leaderboard.ts', import.meta.url))
const TOKENS = '/api/admin/service-tokens'

const server = sharedServer()

async function makeToken(): Promise<ServiceTokenResponse> {
  const wanted = { name: 'leaderboard', scopes: SERVICE_SCOPES }
  return v.parse(serviceTokenResponse, await server.order('POST', TOKENS, wanted))
}

test('the leaderboard counts completed maneuvers while its token is good', async () => {
  await server.order('PUT', '/api/admin/game/time-scale', { time_scale: 100 })
  const { token, token_id: id } = await makeToken()
  const { token: pilots } = await register(server, 'Ida')
  const pilot = await openSocket(server, pilots)
  const env = { ...process.env, ORRERY_SERVICE_TOKEN: token }
  const program = spawn(process.execPath, [EXAMPLE, server.url, '2'], { env, stdio: 'pipe' })
  onTestFinished(() => void program.kill())
  const lines = createInterface(program.stdout)[Symbol.asyncIterator]()
  for (const [turns, pointing] of ['retrograde', 'normal'].entries()) {
    await pilot.answer({ type: 'maneuver_start', maneuver: 'attitude', pointing })
    // The server may have flown other ships before.
    let counts: { readonly Ida?: number } = {}
    while (counts.Ida !== turns + 1) counts = JSON.parse((await lines.next()).value ?? '')
    expect(counts).toMatchObject({ Ida: turns + 1 })
  }
  expect(await pilot.next('said')).toMatchObject({ text: 'That was maneuver 2: a prize!' })
  const ended = once(program, 'exit')
  await server.order('DELETE', `${TOKENS}/${id}`)
  expect(await ended).toEqual([1, null])
  await pilot.close()
})
