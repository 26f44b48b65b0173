// A server that is killed again and again, alone, with its PostgreSQL, or PostgreSQL without it,
// has lost nothing that it acknowledged; its world is to the bit what its journal gives, and no
// process is left. The long version is `npx pnpm crash-loop`.
import { testSeed } from '@orrery/testkit'
import { expect, test } from 'vitest'
import { crashLoop } from '../crash/crash-loop.ts'

const SEED = testSeed('crash loop')
const KILLS = 6

test(`${KILLS} kills lose nothing that was acknowledged`, async () => {
  const lines: string[] = []
  const result = await crashLoop({
    victims: ['server', 'both', 'database'],
    kills: KILLS,
    seed: SEED,
    clients: 10,
    loadMsMax: 1500,
    replayEvery: KILLS,
    readEvery: KILLS,
    isMadeTwice: false,
    tell: (line) => void lines.push(line),
  })
  const said = lines.join('\n')
  expect(result.violations, `seed ${SEED}\n${said}`).toEqual([])
  expect(result.kills, `seed ${SEED}\n${said}`).toBe(KILLS)
  expect(result.acknowledged, `seed ${SEED}\n${said}`).toBeGreaterThan(0)
  expect(result.digests, `seed ${SEED}\n${said}`).toBeGreaterThan(0)
}, 240_000)
