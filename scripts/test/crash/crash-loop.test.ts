// Law: kills of the server, of its PostgreSQL, or of both lose no acknowledged change and leave
// each ship in exactly one star system. The world equals a replay of its journal to the bit, and no
// process is left. Method: two kills in the gate, one of them under load, a hundred at night, while
// pilots fly and admins change the world and move ships, as `scripts/orrery crash-loop` does.
import { testSeed } from '@orrery/testkit'
import { IS_NIGHT, byTier, testPatience } from '@orrery/testkit/tier'
import { expect, test } from 'vitest'
import { crashLoop } from '../../crash/crash-loop.ts'

const SEED = testSeed('crash loop')
const KILLS = byTier({ gate: 2, night: 100 })

/** A hundred kills take ten minutes. */
const LOOP_MS_MAX = byTier({ gate: 60_000, night: 1_800_000 }) * testPatience()

test(
  `${KILLS} kills lose no acknowledged change`,
  async () => {
    const lines: string[] = []
    const result = await crashLoop({
      victims: byTier({ gate: ['both', 'server'], night: ['database', 'both', 'server'] }),
      kills: KILLS,
      seed: SEED,
      hasMines: false,
      clients: byTier({ gate: 5, night: 40 }),
      loadMsMax: byTier({ gate: 500, night: 1500 }),
      replayEvery: byTier({ gate: KILLS, night: 10 }),
      readEvery: byTier({ gate: KILLS, night: 3 }),
      isFirstStartKilled: IS_NIGHT,
      print: (line) => void lines.push(line),
    })
    const output = lines.join('\n')
    expect(result.violations, `seed ${SEED}\n${output}`).toEqual([])
    expect(result.kills, `seed ${SEED}\n${output}`).toBe(KILLS)
    expect(result.acknowledged, `seed ${SEED}\n${output}`).toBeGreaterThan(0)
    expect(result.digests, `seed ${SEED}\n${output}`).toBeGreaterThan(0)
  },
  LOOP_MS_MAX,
)
