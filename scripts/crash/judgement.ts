import { ANY, type Ledger, type Realm, type Value } from './ledger.ts'
import type { Sight } from './sight.ts'

/** What only means something while an account, or a ship, is there. */
const DEPENDENT: Readonly<Record<string, string>> = {
  ship: 'account',
  role: 'account',
  name: 'name',
  system: 'name',
}

const WORLD = new Set(['name', 'system', 'station', 'gate', 'level'])

/** What nobody can have made but those who keep the ledger. */
const MADE = new Set(['account', 'station', 'gate', 'snapshot'])

/**
 * Compares what a server shows with what it must; returns the differences. From then on the ledger
 * knows things as they are.
 *
 * @param known  keys of what was there before anybody made anything
 */
export function judge(ledger: Ledger, sight: Sight, known: ReadonlySet<string>): string[] {
  const found: string[] = []
  for (const key of ledger.keys('')) {
    const possible = ledger.possible(key)
    const actual = sight.things.get(key) ?? null
    if (isMeaningless(key, sight) || possible.has(actual) || possible.has(ANY)) continue
    const wanted = [...possible].map((value) => JSON.stringify(value)).join(' or ')
    found.push(`${key} is ${JSON.stringify(actual)}, must be ${wanted}`)
  }
  for (const [key, value] of sight.things) {
    const isNew = ledger.possible(key).size === 0
    if (isNew && MADE.has(kindOf(key))) {
      if (known.has(key)) continue
      if (!ledger.claimUnnamed(kindOf(key))) found.push(`${key} is from nowhere`)
    }
    ledger.settle(realmOf(key), key, value)
  }
  for (const key of ledger.keys('')) {
    if (!sight.things.has(key) && !key.startsWith('password:')) {
      ledger.settle(realmOf(key), key, null)
    }
  }
  ledger.endLook()
  return [...found, ...strayShips(sight)]
}

/** Every account's ship is in the world, and every ship is an account's. */
function strayShips({ things, ships }: Sight): string[] {
  const owned = new Set<Value>(
    [...things]
      .filter(([key, value]) => kindOf(key) === 'ship' && value !== '')
      .map(([, id]) => id),
  )
  return [
    ...[...owned].filter((id) => !ships.has(String(id))).map((id) => `ship ${id} is not there`),
    ...[...ships.keys()].filter((id) => !owned.has(id)).map((id) => `ship ${id} is nobody's`),
  ]
}

function isMeaningless(key: string, { things }: Sight): boolean {
  const kind = kindOf(key)
  // Nobody can look at a password; whoever changed it tries it.
  if (kind === 'password') return true
  const owner = DEPENDENT[kind]
  return owner !== undefined && !things.has(`${owner}:${key.slice(kind.length + 1)}`)
}

function realmOf(key: string): Realm {
  return WORLD.has(kindOf(key)) ? 'world' : 'house'
}

function kindOf(key: string): string {
  return key.split(':', 1)[0]
}
