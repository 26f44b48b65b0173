/** Operations on the world, its clock and its snapshots. */
import { setTimeout as sleep } from 'node:timers/promises'
import { send, sendAttempts, hasActed } from './requests.ts'
import type { Model, Replacement, Value } from './model.ts'
import { type Session, endReplacement, freshName, certainNames } from './scenario.ts'
import type { Operation } from './account-operations.ts'

const RATES_HZ = [1, 2, 4, 7.3, 10]

/** High enough for a digest every second or two. */
const SCALES = [50, 73.1, 100]

const PAUSE_MS_MAX = 500
const OBJECTS_MAX = 30

async function createStation({ scenario, admin, random }: Session): Promise<void> {
  if (certainNames(scenario, 'station:station_').length >= OBJECTS_MAX) return
  const name = freshName(scenario, 'station')
  const altitude = 300e3 + random.below(1e6)
  const made = await send(scenario, [['world', `station:${name}`, true]], () =>
    admin.stations.create({ name, parent_body: 'Earth', altitude }),
  )
  if (made) scenario.ids.set(`station:${name}`, made.station_id)
}

async function createGate({ scenario, admin, random }: Session): Promise<void> {
  if (certainNames(scenario, 'gate:gate_').length >= OBJECTS_MAX) return
  const name = freshName(scenario, 'gate')
  const lagrange_point = random.pick([1, 2, 3, 4, 5] as const)
  const made = await send(scenario, [['world', `gate:${name}`, true]], () =>
    admin.jumpgates.create({ name, primary_body: 'Sun', secondary_body: 'Earth', lagrange_point }),
  )
  if (made) scenario.ids.set(`gate:${name}`, made.jumpgate_id)
}

async function removeStation({ scenario, admin, random }: Session): Promise<void> {
  const all = certainNames(scenario, 'station:station_')
  if (all.length === 0) return
  const { name, id } = random.pick(all)
  await send(scenario, [['world', `station:${name}`, null]], () => admin.stations.remove(id))
}

async function removeGate({ scenario, admin, random }: Session): Promise<void> {
  const all = certainNames(scenario, 'gate:gate_')
  if (all.length === 0) return
  const { name, id } = random.pick(all)
  await send(scenario, [['world', `gate:${name}`, null]], () => admin.jumpgates.remove(id))
}

async function transfer({ scenario, admin, random, systems }: Session): Promise<void> {
  if (scenario.pilots.length === 0) return
  const { shipId } = random.pick(scenario.pilots)
  const system = random.pick(systems)
  await send(scenario, [['world', `system:${shipId}`, system]], () =>
    admin.ships.transfer(shipId, system),
  )
}

async function changeRate({ scenario, admin, random }: Session): Promise<void> {
  const rate = random.pick(RATES_HZ)
  await send(scenario, [['server', 'rate', rate]], () => admin.game.changeTickRate(rate))
}

async function changeScale({ scenario, admin, random }: Session): Promise<void> {
  const scale = random.pick(SCALES)
  await send(scenario, [['server', 'scale', scale]], () => admin.game.changeTimeScale(scale))
}

async function rest({ scenario, admin, random }: Session): Promise<void> {
  await send(scenario, [['server', 'paused', true]], () => admin.game.pause())
  await sleep(random.below(PAUSE_MS_MAX))
  await send(scenario, [['server', 'paused', false]], () => admin.game.resume())
}

async function switchSync({ scenario, admin, random }: Session): Promise<void> {
  const enabled = random.share() < 0.5
  await send(scenario, [['server', 'sync', enabled]], () => admin.game.switchTimeSync(enabled))
}

/** Returns whether it was acknowledged; then all earlier commands are durable. */
export async function changeLevel({ scenario, admin, random }: Session): Promise<boolean> {
  const level = random.pick(['off', 'normal', 'verbose'] as const)
  const changed = await send(scenario, [['world', 'level', level]], () =>
    admin.maneuverLog.changeLevel(level),
  )
  return changed !== undefined
}

export async function snapshot({ scenario, admin }: Session): Promise<void> {
  const captured = scenario.model.capture()
  const attempt = scenario.model.attemptUnnamed('snapshot')
  const stored = await sendAttempts(scenario, [attempt], () => admin.snapshots.create())
  const capture = captured()
  if (!stored) return
  scenario.captures.set(stored.snapshot_id, capture)
  scenario.model.settle('server', `snapshot:${stored.snapshot_id}`, true)
}

export async function restore(session: Session): Promise<void> {
  const { scenario, admin, random } = session
  if (scenario.captures.size === 0) await snapshot(session)
  if (scenario.captures.size === 0) return
  const [id, capture] = random.pick([...scenario.captures])
  const { model } = scenario
  await replace(
    session,
    { scope: 'world', after: (key, now) => restored(model, capture, key, now) },
    () => admin.snapshots.restore(id),
  )
}

/** Possible values of a thing after a restore. */
function restored(
  model: Model,
  capture: ReadonlyMap<string, ReadonlySet<Value>>,
  key: string,
  now: ReadonlySet<Value>,
): Value[] {
  const [kind] = key.split(':', 1)
  const then = [...(capture.get(key) ?? [null])]
  const isShips = kind === 'name' || kind === 'system'
  if (!isShips || !then.includes(null)) return then
  // A ship that the snapshot lacks is created again, with its present name, at the spawn.
  const remade = kind === 'name' ? now : []
  return [...then.filter((value) => value !== null), ...remade, model.origin(key)]
}

export async function reset(session: Session): Promise<void> {
  const initial = new Map<string, Value>([
    ['rate', 1],
    ['scale', 1],
    ['paused', false],
    ['open', true],
    ['sync', false],
    ['level', 'normal'],
  ])
  const gone = /^(?:account|station|gate|snapshot):/
  await replace(
    session,
    {
      scope: 'server',
      after: (key) => {
        const value = gone.test(key) ? null : initial.get(key)
        return value === undefined ? undefined : [value]
      },
    },
    () => session.admin.game.reset(),
  )
}

/** Requests a replacement. Without an answer the next one waits for the next inspection. */
async function replace(
  { scenario }: Session,
  replacement: Replacement,
  request: () => Promise<unknown>,
): Promise<void> {
  if (scenario.model.replacing) return
  scenario.model.beginReplacement(replacement)
  const acted = await hasActed(scenario, request)
  if (acted !== undefined) endReplacement(scenario, acted)
}

/** Every operation and its weight; resets happen only at a moment of a kill. */
export const WORLD_OPERATIONS: ReadonlyMap<Operation, number> = new Map<Operation, number>([
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
  // Rarely, so that eras become long.
  [async (session) => session.random.share() < 0.25 && restore(session), 1],
])
