// Goal: a leg of the voyage that `scripts/orrery fly` shows is flown by journalled orders alone,
// and as predicted. Method: one change of orbit; a replay of its journal in another new world.
import { createReplay, shipDifferences } from '@orrery/engine/testing'
import { IS_NIGHT } from '@orrery/testkit/tier'
import { expect, test } from 'vitest'
import type { Leg } from '../fly/legs.ts'
import { newWorlds, openVoyage } from '../fly/voyage.ts'

const START_MS = Date.UTC(2027, 2, 1, 12)

const leg: Leg = {
  title: 'up',
  orders: [
    { maneuver: { maneuver: 'set_orbit', timeout: 1e5, params: [7.5e6, 0.002, -2, 0, 0, 0] } },
  ],
}

test.runIf(IS_NIGHT)('a voyage is predicted, and replayed to the same bits', async () => {
  const phases: unknown[] = []
  const voyage = await openVoyage({
    startMs: START_MS,
    aheadSeconds: 20_000,
    onManeuver: (_, { phase }) => phases.push(phase),
    onTick: () => undefined,
    onError: (error) => expect.fail(String(error)),
  })
  const { marks } = await voyage.predict(leg)
  const end = await voyage.fly(leg)
  expect(end.failure).toBeUndefined()
  expect(marks).toContainEqual({ kind: 'maneuver_completed', index: end.index })
  expect(phases).toContain('burning')
  const [flown] = voyage.worlds
  const [world] = (await newWorlds(START_MS)).universe.worlds
  const replay = createReplay({ world, pool: undefined })
  for (const row of voyage.rows) await replay.apply({ ...row, command: row.seal() })
  await replay.flyTo(flown.index, 0)
  expect([...shipDifferences(world, flown)]).toEqual([])
  await voyage.close()
})
