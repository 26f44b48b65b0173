// Law: kills of the server, of its PostgreSQL, or of both lose no acknowledged change and leave
// each ship in exactly one star system. The world equals a replay of its journal to the bit, and
// no process is left. The long version is `npx pnpm crash-loop`.
import { testSeed } from '@orrery/testkit'
import { expect, test } from 'vitest'
import { crashLoop } from '../crash/crash-loop.ts'
import { transferLoop } from '../crash/transfer-loop.ts'

const SEED = testSeed('crash loop')
const KILLS = 6

test(`${KILLS} kills lose no acknowledged change`, async () => {
  const lines: string[] = []
  const result = await crashLoop({
    victims: ['server', 'both', 'database'],
    kills: KILLS,
    seed: SEED,
    clients: 10,
    loadMsMax: 1500,
    replayEvery: KILLS,
    readEvery: KILLS,
    isFirstStartKilled: false,
    print: (line) => void lines.push(line),
  })
  const output = lines.join('\n')
  expect(result.violations, `seed ${SEED}\n${output}`).toEqual([])
  expect(result.kills, `seed ${SEED}\n${output}`).toBe(KILLS)
  expect(result.acknowledged, `seed ${SEED}\n${output}`).toBeGreaterThan(0)
  expect(result.digests, `seed ${SEED}\n${output}`).toBeGreaterThan(0)
}, 240_000)

test('a ship that a kill leaves between two systems arrives once', async () => {
  const lines: string[] = []
  const result = await transferLoop({
    kills: 3,
    seed: SEED,
    clients: 40,
    transfers: 50,
    loadMsMax: 1000,
    print: (line) => void lines.push(line),
  })
  const output = lines.join('\n')
  expect(result.violations, `seed ${SEED}\n${output}`).toEqual([])
  expect(result.ships, `seed ${SEED}\n${output}`).toBe(40)
  expect(result.transfers, `seed ${SEED}\n${output}`).toBeGreaterThanOrEqual(50)
  expect(result.inTransit, `seed ${SEED}\n${output}`).toBeGreaterThan(0)
  expect(result.digests, `seed ${SEED}\n${output}`).toBeGreaterThan(0)
}, 240_000)
