// Law: a ship that a kill of the server, of its PostgreSQL or of both leaves between two star
// systems arrives once, and the world equals a replay; in a game with modules ore is neither lost
// nor made, also where a newer version takes over. Method: 100 kills under 10,000 transfers, at
// random moments and between the batches of a departure and its arrival. The gate's crash loop
// compares departures and arrivals, too.
import { testSeed } from '@orrery/testkit'
import { testPatience } from '@orrery/testkit/tier'
import { expect, test } from 'vitest'
import { transferLoop } from '../../crash/transfers/transfer-loop.ts'

const SEED = testSeed('transfer loop')
const PILOTS = 40
const KILLS = 100
const TRANSFERS = 10_000

test.each([
  { game: 'a game', hasMines: false },
  { game: 'a game with mines', hasMines: true },
])(
  'a ship that a kill leaves between two systems of $game arrives once',
  async ({ hasMines }) => {
    const lines: string[] = []
    const result = await transferLoop({
      victims: ['server', 'database', 'both'],
      kills: KILLS,
      seed: SEED,
      hasMines,
      clients: PILOTS,
      transfers: TRANSFERS,
      loadMsMax: 4000,
      print: (line) => void lines.push(line),
    })
    const output = [`seed ${SEED}`, ...lines].join('\n')
    expect(result.violations, `output\n${output}`).toEqual([])
    expect(result.kills, `output\n${output}`).toBeGreaterThanOrEqual(KILLS)
    expect(result.ships, `output\n${output}`).toBe(PILOTS)
    expect(result.transfers, `output\n${output}`).toBeGreaterThanOrEqual(TRANSFERS)
    expect(result.inTransit, `output\n${output}`).toBeGreaterThan(0)
    expect(result.digests, `output\n${output}`).toBeGreaterThan(0)
    expect(result.ledger.sold > 0, `output\n${output}`).toBe(hasMines)
  },
  // A hundred kills take ten minutes.
  3_600_000 * testPatience(),
)
