// Law: a ship that a kill of the server leaves between two star systems arrives once. Method: kills
// under many transfers, at random moments and between the batches of a departure and its arrival.
import { testSeed } from '@orrery/testkit'
import { testPatience } from '@orrery/testkit/tier'
import { expect, test } from 'vitest'
import { transferLoop } from '../../crash/transfer-loop.ts'

const SEED = testSeed('transfer loop')
const PILOTS = 40
const TRANSFERS = 400

test(
  'a ship that a kill leaves between two systems arrives once',
  async () => {
    const lines: string[] = []
    const result = await transferLoop({
      kills: 20,
      seed: SEED,
      clients: PILOTS,
      transfers: TRANSFERS,
      loadMsMax: 1000,
      print: (line) => void lines.push(line),
    })
    const output = [`seed ${SEED}`, ...lines].join('\n')
    expect(result.violations, `output\n${output}`).toEqual([])
    expect(result.ships, `output\n${output}`).toBe(PILOTS)
    expect(result.transfers, `output\n${output}`).toBeGreaterThanOrEqual(TRANSFERS)
    expect(result.inTransit, `output\n${output}`).toBeGreaterThan(0)
    expect(result.digests, `output\n${output}`).toBeGreaterThan(0)
  },
  // Twenty kills take two minutes.
  1_200_000 * testPatience(),
)
