import { bodyIndex, solSystem } from '@orrery/catalog'
import { type Rule, type World, applyCommand } from '@orrery/engine/testing'

/** What pilots want to know of an orbit; of these, only the periapsis comes. */
const CONDITIONS: readonly Rule['condition'][] = [
  { kind: 'altitude', below: 2e5 },
  { kind: 'apsis', above: 0 },
  { kind: 'fuel', below: 0.1 },
  { kind: 'distance', below: 1e7, body: bodyIndex(solSystem, 'Moon') },
]

/** Gives every ship of the solar system so many rules, 4 at most. */
export function giveRules(world: World, count: number): void {
  const rules = CONDITIONS.slice(0, count).map((condition, place): Rule => {
    const ruleId = `rule-${place}`
    return { ruleId, name: 'Rule', once: false, armed: true, condition, source: '' }
  })
  for (const { shipId } of world.roster.byId.values()) {
    applyCommand(world, { kind: 'set_rules', shipId, rules })
  }
}
