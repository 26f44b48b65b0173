/**
 * Law: who follows the records of trajectories knows every ship of a star system and no other,
 * whatever happens to ships: they appear and leave, go to other systems, freeze, fire rules, and
 * lose what they point at, also while time is paused.
 */
import { testSeed } from '@orrery/testkit'
import type { World } from '@orrery/engine'
import { expect, it } from 'vitest'
import { Trajectories } from '../../src/trajectories/trajectories.ts'
import { recordedLife } from '../recorded-life.ts'
import { expectSame } from './comparison.ts'
import { ToldClient } from './told-client.ts'

it('of two systems with traffic between them', async () => {
  const told = new Map<World, { trajectories: Trajectories; client: ToldClient }>()
  let publications = 0
  await recordedLife(testSeed('told life'), ({ worlds }) => {
    for (const world of worlds) {
      const known = told.get(world)
      const trajectories = known?.trajectories ?? new Trajectories(world, 0)
      const client = known?.client ?? new ToldClient()
      told.set(world, { trajectories, client })
      if (known) client.read(trajectories.publish())
      else client.ask(world, trajectories)
      if (publications % 4 === 0) expectSame(world, client, `publication ${publications}`)
    }
    publications++
  })
  expect(publications).toBeGreaterThan(100)
})
