// Law: the same through fifty kills.
import { expect, test } from 'vitest'
import { sharedServer } from '../used-server.ts'
import { readThroughKills } from './event-reader.ts'

const server = sharedServer()

test('each event comes once through fifty kills', async () => {
  const kill = async (): Promise<void> => {
    await server.kill()
    await server.restart()
  }
  const kills = Array.from({ length: 50 }, () => kill)
  const { begun, turns } = await readThroughKills(server, kills)
  expect(begun).toBe(turns)
})
