// A server that is killed again and again has lost nothing that it acknowledged, and its world is
// to the bit what its journal gives. The long version is `npx pnpm crash-loop`.
import { expect, test } from 'vitest'
import { crashLoop } from '../crash/crash-loop.ts'

const SEED = Date.now() % 2 ** 31

for (const [kind, kills] of [
  ['postgresql', 7],
  ['pglite', 3],
] as const) {
  test(`${kills} kills on ${kind} lose nothing that was acknowledged`, async (context) => {
    const lines: string[] = []
    const result = await crashLoop({
      kind,
      kills,
      seed: SEED,
      clients: 10,
      loadMsMax: 1500,
      replayEvery: kills,
      readEvery: kills,
      isMadeTwice: false,
      tell: (line) => void lines.push(line),
    }).catch((error: Error) => {
      if (!error.message.startsWith('no PostgreSQL server')) throw error
      return context.skip(error.message)
    })
    const said = lines.join('\n')
    expect(result.violations, `seed ${SEED}\n${said}`).toEqual([])
    expect(result.kills, `seed ${SEED}\n${said}`).toBe(kills)
    expect(result.acknowledged, `seed ${SEED}\n${said}`).toBeGreaterThan(0)
    expect(result.digests, `seed ${SEED}\n${said}`).toBeGreaterThan(0)
  }, 120_000)
}
