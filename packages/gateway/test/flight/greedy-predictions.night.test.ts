// Goal: a short prediction is answered before those of a hundred accounts that ask for long ones
// without end, also from the same address. Method: a real server, HTTP.
import { expect, test } from 'vitest'
import { ask, register } from '../player-client.ts'
import { usedServer } from '../used-server.ts'

const ACCOUNTS = 100

const server = usedServer({ REGISTRATIONS_PER_HOUR: '0' })

test('a short prediction beside a hundred accounts that ask for long ones', async () => {
  const { token } = await register(server, 'Honest')
  const tokens: string[] = []
  for (let i = 0; i < ACCOUNTS; i++) tokens.push((await register(server, `Greedy${i}`)).token)
  const orders = [{ order: { type: 'control', thrust_level: 0.01 } }]
  const over = new AbortController()
  const predict = async (by: string, body: object): Promise<number> =>
    (await ask(server, 'POST', '/api/player/predict', { token: by, body })).status
  const answers: number[] = []
  const greedy = tokens.map(async (by) => {
    while (!over.signal.aborted) answers.push(await predict(by, { hours: 336, orders }))
  })
  // Those that are under way at the stop fail.
  const ended = Promise.allSettled(greedy)
  const honest: number[] = []
  for (let i = 0; i < 10; i++) honest.push(await predict(token, { hours: 2 }))
  const before = answers.filter((status) => status === 200).length
  over.abort()
  expect(honest).toEqual(Array.from({ length: 10 }, () => 200))
  // One thread makes theirs, one after the other.
  expect(before).toBeLessThan(ACCOUNTS)
  await server.stop()
  await ended
  expect(answers).toContain(429)
})
