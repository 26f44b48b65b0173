/** What happens to the world, its clock and its snapshots. */
import { setTimeout as sleep } from 'node:timers/promises'
import { ask, attempted, hasActed } from './asking.ts'
import type { Ledger, Replacement, Value } from './ledger.ts'
import { type Desk, endReplacement, freshName, standing } from './office.ts'
import type { Deed } from './people.ts'

const RATES_HZ = [1, 2, 4, 7.3, 10]

/** Quick enough for a digest each second or two. */
const SCALES = [50, 73.1, 100]

const PAUSE_MS_MAX = 500
const OBJECTS_MAX = 30

async function createStation({ office, admin, random }: Desk): Promise<void> {
  if (standing(office, 'station:station_').length >= OBJECTS_MAX) return
  const name = freshName(office, 'station')
  const altitude = 300e3 + random.below(1e6)
  const made = await ask(office, [['world', `station:${name}`, true]], () =>
    admin.stations.create({ name, parent_body: 'Earth', altitude }),
  )
  if (made) office.ids.set(`station:${name}`, made.station_id)
}

async function createGate({ office, admin, random }: Desk): Promise<void> {
  if (standing(office, 'gate:gate_').length >= OBJECTS_MAX) return
  const name = freshName(office, 'gate')
  const lagrange_point = random.pick([1, 2, 3, 4, 5] as const)
  const made = await ask(office, [['world', `gate:${name}`, true]], () =>
    admin.jumpgates.create({ name, primary_body: 'Sun', secondary_body: 'Earth', lagrange_point }),
  )
  if (made) office.ids.set(`gate:${name}`, made.jumpgate_id)
}

async function removeStation({ office, admin, random }: Desk): Promise<void> {
  const all = standing(office, 'station:station_')
  if (all.length === 0) return
  const { name, id } = random.pick(all)
  await ask(office, [['world', `station:${name}`, null]], () => admin.stations.remove(id))
}

async function removeGate({ office, admin, random }: Desk): Promise<void> {
  const all = standing(office, 'gate:gate_')
  if (all.length === 0) return
  const { name, id } = random.pick(all)
  await ask(office, [['world', `gate:${name}`, null]], () => admin.jumpgates.remove(id))
}

async function transfer({ office, admin, random, systems }: Desk): Promise<void> {
  if (office.pilots.length === 0) return
  const { shipId } = random.pick(office.pilots)
  const system = random.pick(systems)
  await ask(office, [['world', `system:${shipId}`, system]], () =>
    admin.ships.transfer(shipId, system),
  )
}

async function changeRate({ office, admin, random }: Desk): Promise<void> {
  const rate = random.pick(RATES_HZ)
  await ask(office, [['house', 'rate', rate]], () => admin.game.changeTickRate(rate))
}

async function changeScale({ office, admin, random }: Desk): Promise<void> {
  const scale = random.pick(SCALES)
  await ask(office, [['house', 'scale', scale]], () => admin.game.changeTimeScale(scale))
}

async function rest({ office, admin, random }: Desk): Promise<void> {
  await ask(office, [['house', 'paused', true]], () => admin.game.pause())
  await sleep(random.below(PAUSE_MS_MAX))
  await ask(office, [['house', 'paused', false]], () => admin.game.resume())
}

async function switchSync({ office, admin, random }: Desk): Promise<void> {
  const enabled = random.share() < 0.5
  await ask(office, [['house', 'sync', enabled]], () => admin.game.switchTimeSync(enabled))
}

/** Returns whether it was acknowledged; all commands before it are durable then. */
export async function changeLevel({ office, admin, random }: Desk): Promise<boolean> {
  const level = random.pick(['off', 'normal', 'verbose'] as const)
  const changed = await ask(office, [['world', 'level', level]], () =>
    admin.maneuverLog.changeLevel(level),
  )
  return changed !== undefined
}

export async function snapshot({ office, admin }: Desk): Promise<void> {
  const captured = office.ledger.capture()
  const attempt = office.ledger.attemptUnnamed('snapshot')
  const stored = await attempted(office, [attempt], () => admin.snapshots.create())
  const capture = captured()
  if (!stored) return
  office.captures.set(stored.snapshot_id, capture)
  office.ledger.settle('house', `snapshot:${stored.snapshot_id}`, true)
}

export async function restore(desk: Desk): Promise<void> {
  const { office, admin, random } = desk
  if (office.captures.size === 0) await snapshot(desk)
  if (office.captures.size === 0) return
  const [id, capture] = random.pick([...office.captures])
  const { ledger } = office
  await replace(
    desk,
    { realm: 'world', after: (key, now) => restored(ledger, capture, key, now) },
    () => admin.snapshots.restore(id),
  )
}

/** What a thing may be in a world that was put back. */
function restored(
  ledger: Ledger,
  capture: ReadonlyMap<string, ReadonlySet<Value>>,
  key: string,
  now: ReadonlySet<Value>,
): Value[] {
  const [kind] = key.split(':', 1)
  const then = [...(capture.get(key) ?? [null])]
  const isShips = kind === 'name' || kind === 'system'
  if (!isShips || !then.includes(null)) return then
  // A ship the snapshot may lack is made anew: with its present name, where new ships are made.
  const remade = kind === 'name' ? now : []
  return [...then.filter((value) => value !== null), ...remade, ledger.origin(key)]
}

export async function reset(desk: Desk): Promise<void> {
  const known = new Map<string, Value>([
    ['rate', 1],
    ['scale', 1],
    ['paused', false],
    ['open', true],
    ['sync', false],
    ['level', 'normal'],
  ])
  const gone = /^(?:account|station|gate|snapshot):/
  await replace(
    desk,
    {
      realm: 'house',
      after: (key) => {
        const value = gone.test(key) ? null : known.get(key)
        return value === undefined ? undefined : [value]
      },
    },
    () => desk.admin.game.reset(),
  )
}

/** Asks for a replacement. Without an answer, none is begun before the next look at the world. */
async function replace(
  { office }: Desk,
  replacement: Replacement,
  request: () => Promise<unknown>,
): Promise<void> {
  if (office.ledger.replacing) return
  office.ledger.beginReplacement(replacement)
  const acted = await hasActed(office, request)
  if (acted !== undefined) endReplacement(office, acted)
}

/** Every deed and how often it is done, beside each other; a reset only when it is wanted. */
export const WORLD_DEEDS: ReadonlyMap<Deed, number> = new Map<Deed, number>([
  [createStation, 4],
  [removeStation, 2],
  [createGate, 3],
  [removeGate, 2],
  [transfer, 4],
  [changeRate, 2],
  [changeScale, 2],
  [rest, 2],
  [switchSync, 1],
  [changeLevel, 1],
  [snapshot, 2],
  // Or no era would grow old.
  [async (desk) => desk.random.share() < 0.25 && restore(desk), 1],
])
