import { ANY, type Model, type Scope, type Value } from './model.ts'
import type { Observation } from './observation.ts'

/** Kinds of keys that have a value only while an account or a ship exists. */
const DEPENDENT: Readonly<Record<string, string>> = {
  ship: 'account',
  role: 'account',
  name: 'name',
  system: 'name',
}

const WORLD = new Set(['name', 'system', 'station', 'gate', 'level'])

/** Kinds of things that only this run creates. */
const MADE = new Set(['account', 'station', 'gate', 'snapshot'])

/**
 * Compares an observation with the model and returns the differences. Afterwards the model holds
 * the observed values.
 *
 * @param initial  keys that existed before the first operation
 */
export function check(model: Model, observed: Observation, initial: ReadonlySet<string>): string[] {
  const found: string[] = []
  for (const key of model.keys('')) {
    const possible = model.possible(key)
    const actual = observed.things.get(key) ?? null
    if (isMeaningless(key, observed) || possible.has(actual) || possible.has(ANY)) continue
    const wanted = [...possible].map((value) => JSON.stringify(value)).join(' or ')
    found.push(`${key} is ${JSON.stringify(actual)}, must be ${wanted}`)
  }
  for (const [key, value] of observed.things) {
    const isNew = model.possible(key).size === 0
    if (isNew && MADE.has(kindOf(key))) {
      if (initial.has(key)) continue
      if (!model.claimUnnamed(kindOf(key))) found.push(`${key} was not created by this run`)
    }
    model.settle(scopeOf(key), key, value)
  }
  for (const key of model.keys('')) {
    if (!observed.things.has(key) && !key.startsWith('password:')) {
      model.settle(scopeOf(key), key, null)
    }
  }
  model.endInspection()
  return [...found, ...strayShips(observed)]
}

/** Every account's ship is in the world, and every ship belongs to an account. */
function strayShips({ things, ships }: Observation): string[] {
  const owned = new Set<Value>(
    [...things]
      .filter(([key, value]) => kindOf(key) === 'ship' && value !== '')
      .map(([, id]) => id),
  )
  return [
    ...[...owned].filter((id) => !ships.has(String(id))).map((id) => `ship ${id} is not there`),
    ...[...ships.keys()]
      .filter((id) => !owned.has(id))
      .map((id) => `ship ${id} belongs to no account`),
  ]
}

function isMeaningless(key: string, { things }: Observation): boolean {
  const kind = kindOf(key)
  // A password cannot be observed; tryPasswords checks it.
  if (kind === 'password') return true
  const owner = DEPENDENT[kind]
  return owner !== undefined && !things.has(`${owner}:${key.slice(kind.length + 1)}`)
}

function scopeOf(key: string): Scope {
  return WORLD.has(kindOf(key)) ? 'world' : 'server'
}

function kindOf(key: string): string {
  return key.split(':', 1)[0]
}
