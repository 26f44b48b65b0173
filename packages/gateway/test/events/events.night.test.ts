// Law: the same through fifty kills.
import { expect, test } from 'vitest'
import { sharedServer } from '../used-server.ts'
import { readThroughKills } from './event-reader.ts'

const server = sharedServer()

test('each event comes once through fifty kills', async () => {
  const { read, all, begun, turns } = await readThroughKills(server, 50)
  expect(read).toEqual(all)
  expect(new Set(read.map(({ id }) => id)).size).toBe(read.length)
  expect(begun).toBe(turns)
})
