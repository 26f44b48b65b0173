/** Rules and docking of the scripted world. */
import { QUANTA_PER_SECOND, createStateVector, launch, railState } from '@orrery/sim'
import type { Rule } from '../../src/orders/rule.ts'
import { applyCommand } from '../../src/commands/world-command.ts'
import type { RosterEntry } from '../../src/world/roster.ts'
import type { World } from '../../src/world/world.ts'

/** One ship in so many begins beside the station. */
export const DOCKERS = 30

/** Puts a ship beside the station, at rest but for a little. */
export function placeBeside(world: World, { slot }: RosterEntry, stationId: string): void {
  const { ships, ephemeris } = world.state
  const { rail } = world.stations.get(stationId)!
  const place = createStateVector()
  railState(place, ephemeris, rail, world.index, 0)
  ships.reference[slot] = rail.parent
  ships.position.set([place.r[0] + 20, place.r[1] - 30, place.r[2]], 3 * slot)
  ships.velocity.set([place.v[0] + 0.01, place.v[1], place.v[2]], 3 * slot)
  ships.fuel[slot] = 9000
  launch(world.flight, slot, world.index)
}

/** Gives every fifth ship four rules, which order, warn, watch a ship, and provoke each other. */
export function giveRules(world: World): void {
  const entries = [...world.roster.byId.values()]
  for (const [i, { shipId, number }] of entries.entries()) {
    if (i % 5 !== 1) continue
    const ship = entries[(i + 7) % entries.length].number
    applyCommand(world, { kind: 'set_rules', shipId, rules: rulesOf(world, number, ship) })
  }
}

function rulesOf({ index }: World, number: number, ship: number): Rule[] {
  const rule = (
    name: string,
    condition: Rule['condition'],
    order: Rule['order'],
    once = false,
  ): Rule => {
    return {
      ruleId: `${number} ${name}`,
      name,
      once,
      armed: true,
      source: '',
      condition,
      ...(order && { order }),
    }
  }
  const later = index + (20 + (number % 40)) * QUANTA_PER_SECOND
  return [
    rule('burn', { kind: 'time', above: later }, { thrustLevel: 0.2, pointing: 'prograde' }, true),
    rule('stop', { kind: 'fuel', below: 0.999 }, { thrustLevel: 0 }),
    rule('near', { kind: 'distance', ship, below: 8e6 }, undefined),
    rule(
      'low',
      { kind: 'apsis', below: 0 },
      {
        maneuver: { maneuver: 'circularize', timeout: 1e6, params: [] },
      },
    ),
  ]
}
