// Law: a ship arrives soon after the clock has reached its departure, also where that was while
// another one arrived.
// Method: rows of a real database, and an engine that the test answers for; no long wait ends.
import { type Engine, systemClock } from '@orrery/engine/testing'
import { migrations } from '@orrery/store'
import { openFreshDatabase } from '@orrery/testkit'
import { expect, test } from 'vitest'
import { Arrivals, type HandOff } from '../../src/hosting/arrivals.ts'

const { sql, close } = await openFreshDatabase({ schema: 'game', migrations })

const FROM = 'sol'

/** Departures, each with what it is to be there. */
type Coming = Map<HandOff, ReturnType<Engine['followed']['arrival']>>

async function departed(shipId: string, index: number): Promise<HandOff> {
  await sql`insert into hand_off (era, system, lattice, ship_id, ship, checksum, state)
    values (1, ${FROM}, ${index}, ${shipId}, '', '', 'departed')`
  return { from: FROM, to: 'alpha-centauri', shipId, index } as HandOff
}

test('a ship whose departure is reached while another arrives is not left for later', async () => {
  const [first, second] = [await departed('a', 1), await departed('b', 2)]
  const coming: Coming = new Map([
    [first, 'now'],
    [second, 'later'],
  ])
  const hasArrived = Promise.withResolvers<void>()
  const arrivals = new Arrivals({
    sql,
    era: () => 1,
    engine: {
      followed: {
        underWay: () => [...coming.keys()],
        arrival: (one: HandOff) => coming.get(one) ?? 'elsewhere',
      } as Engine['followed'],
      completeHandOffs: (isMeant = () => false) => {
        for (const one of coming.keys()) if (isMeant(one)) coming.delete(one)
        if (coming.has(second)) coming.set(second, 'now')
        else hasArrived.resolve()
        return Promise.resolve()
      },
    },
    // What waits for nothing in particular waits for ever.
    clock: {
      ...systemClock,
      after: (ms, act) => systemClock.after(ms < 500 ? ms : 2 ** 31 - 1, act),
    },
    logger: { info: () => undefined, error: () => undefined, fatal: () => undefined },
  })
  arrivals.start()
  await hasArrived.promise
  await arrivals.stop()
  expect(coming.size).toBe(0)
  await close()
})
