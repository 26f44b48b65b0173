// Law: three hosts and two gateways whose leader, flying host, gateway and broker are killed under
// load lose nothing acknowledged, do nothing twice, have each ship in one star system, and their
// digests, and the frames that players saw, are those of a replay in one process. Method:
// `scripts/orrery cluster` with one kill of each kind; more of them, the database and stopped hosts
// come with the command itself.
import { testSeed } from '@orrery/testkit'
import { NATS_SERVER } from '@orrery/testkit/nats-server'
import { expect, test } from 'vitest'
import { runCluster } from '../../cluster/cluster.ts'

const SEED = testSeed('cluster')

test.skipIf(!NATS_SERVER)('a cluster loses nothing while each of its kinds is killed', async () => {
  const lines: string[] = []
  const result = await runCluster({
    kills: 7,
    seed: SEED,
    hasMines: false,
    cutsLinks: false,
    failsOver: true,
    clients: 6,
    msMax: Infinity,
    loadMsMax: 500,
    print: (line) => void lines.push(line),
  })
  const output = [`seed ${SEED}`, ...lines].join('\n')
  expect(result.violations, `output\n${output}`).toEqual([])
  expect(result.kills).toEqual({
    leader: 1,
    flyer: 1,
    gateway: 1,
    broker: 1,
    database: 1,
    stopped: 1,
    primary: 1,
  })
  expect(result.acknowledged, `output\n${output}`).toBeGreaterThan(0)
  expect(result.moves, `output\n${output}`).toBe(7)
  expect(result.digests, `output\n${output}`).toBeGreaterThan(0)
  expect(result.seen, `output\n${output}`).toBeGreaterThan(0)
})
