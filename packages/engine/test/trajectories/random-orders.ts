import { EngineError, type World } from '@orrery/engine/testing'
import type { Control } from '@orrery/sim'
import type { Chance } from '@orrery/testkit'
import { steerShip } from '../../src/commands/steering.ts'

const POINTINGS = ['prograde', 'normal', 'radial_out', 'hold', 'rest', 'loose'] as const

/**
 * Orders random ships of a busy world to do something; returns the numbers of those that can.
 *
 * @param quanta  in which the orders act
 */
export function orderSome(world: World, count: number, chance: Chance, quanta = 80): number[] {
  const entries = [...world.roster.byId.values()]
  const ordered = new Set<number>()
  for (let i = 0; i < count; i++) {
    const shown = world.index + chance.below(quanta)
    const entry = chance.pick(entries)
    try {
      steerShip(world, entry, someControl(entries.length, chance), shown)
      ordered.add(entry.number)
    } catch (error) {
      if (!(error instanceof EngineError)) throw error
    }
  }
  return [...ordered]
}

function someControl(ships: number, chance: Chance): Control {
  const share = (): number => chance.share() - 0.5
  const thrusts: readonly Control[] = [
    {},
    { thrustLevel: chance.share() },
    { thrustLevel: 0 },
    { thrustLevel: 1, deltaV: 100 * chance.share() },
    { thrustLevel: 0.3, seconds: 10 * chance.share() },
  ]
  const thrust = chance.pick(thrusts)
  const controls: readonly Control[] = [
    { ...thrust, pointing: chance.pick(POINTINGS) },
    { ...thrust, attitude: [share(), share(), share(), 0.6] },
    { ...thrust, angularRate: [0.06 * share(), 0.06 * share(), 0.06 * share()] },
    { ...thrust, pointing: 'target', body: chance.below(2) },
    { ...thrust, pointing: 'target', stationId: 'station' },
    { ...thrust, pointing: 'target', target: 1 + chance.below(ships) },
    { thrustLevel: chance.share() },
    { maneuver: { maneuver: 'circularize', timeout: 1e6, params: [] } },
    { maneuver: { maneuver: 'escape', timeout: 1e6, params: [] } },
    { maneuver: { maneuver: 'dock', stationId: 'station', timeout: 1e6, params: [] } },
    { undock: true },
  ]
  return chance.pick(controls)
}
