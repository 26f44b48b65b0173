/** Flies the scripted world as the tick engine does, on a clock that waits for nothing. */
import { type EventKind, QUANTA_PER_SECOND, type ShipEvent, takeEvents } from '@orrery/sim'
import { type SystemDigest, flyWorlds } from '../../src/flown-universe.ts'
import { type GameClock, MICRO, createGameClock, nextTick } from '../../src/time/game-clock.ts'
import { type RestoredWorld, restoreWorld } from '../../src/image/image-restore.ts'
import { worldImage } from '../../src/image/image.ts'
import { addPending, writeOrders } from '../../src/world/intake.ts'
import type { Pool } from '../../src/pool/pool.ts'
import { type SystemSetup, type World, completeNear, extendHorizon } from '../../src/world/world.ts'
import { closingDigest } from './closing-digest.ts'
import { commandCompany, companyWorlds } from './company.ts'
import {
  QUARRY,
  type Kernels,
  SLOTS,
  START_INDEX,
  type ScriptedCommand,
  scriptedCommands,
  scriptedWorld,
} from './script.ts'

/** One way to fly the script. */
export interface Course {
  /** span of game time [s] */
  readonly seconds: number
  readonly tickRate: number
  readonly timeScale: number
  /** stored and restored at the first tick's end at or past this share of the span; 1 is never */
  readonly restoreAt: number
  readonly kernels: Kernels | undefined
  /** the script's when left out */
  readonly commands?: readonly ScriptedCommand[]
  /** every other ship is of a second class */
  readonly mixed: boolean
  /** systems that are flown beside the scripted one */
  readonly company: readonly SystemSetup[]
}

/** What a flight leaves of the scripted system. */
export interface Flown {
  readonly digests: readonly SystemDigest[]
  /** of all state at the end and of all that happened to ships */
  readonly closing: string
  readonly ticks: number
  /** how often what happened to ships */
  readonly happened: Readonly<Partial<Record<EventKind, number>>>
  /** ships that see the ship they chase at the end */
  readonly chasing: number
  /** index of the image that the world was restored from */
  readonly restoredAt: number | undefined
}

/** Flies ships: a pool of threads, or the calling one. */
export interface Flier extends Pick<Pool, 'advance'> {
  close(): void | Promise<void>
}

/** Commands reach the world so many quanta before they act. */
const NOTICE_QUANTA = 2 * QUANTA_PER_SECOND

/** So many slices of the ephemeris are made between ticks; a few ticks have fewer. */
const HORIZON_SLICES = 32

export async function flown(
  course: Course,
  system: SystemSetup,
  createFlier: (worlds: readonly World[]) => Flier,
): Promise<Flown> {
  return (await flownWorlds(course, system, createFlier)).flown
}

/** The same, with all worlds at the end, the scripted one last. */
export async function flownWorlds(
  course: Course,
  system: SystemSetup,
  createFlier: (worlds: readonly World[]) => Flier,
): Promise<{ readonly flown: Flown; readonly worlds: readonly World[] }> {
  const end = START_INDEX + course.seconds * QUANTA_PER_SECOND
  const restoreAt = START_INDEX + Math.floor(course.restoreAt * (end - START_INDEX))
  const commands = [...(course.commands ?? scriptedCommands(course.seconds))]
  const digests: SystemDigest[] = []
  const events: ShipEvent[] = []
  const { company, kernels } = course
  const systems = [...company, system]
  let world = scriptedWorld(system, kernels, course.mixed)
  let worlds = [...companyWorlds(company, kernels), world]
  // The script names ships by place; their entries are those of whichever world flies.
  const numbers = [...world.roster.byId.values()].map(({ number }) => number)
  let flier = createFlier(worlds)
  let clock = createGameClock(START_INDEX)
  let ticks = 0
  let restoredAt: number | undefined
  while (world.index < end) {
    const next = clipped(nextTick(clock, course.tickRate * MICRO, course.timeScale * MICRO), end)
    deliver(world, commands, numbers, next.index + NOTICE_QUANTA)
    commandCompany(worlds.slice(0, -1), next.index, course.seconds)
    await tick(worlds, flier, next.index, (digest) => {
      if (digest.systemId === system.system.id) digests.push(digest)
    })
    events.push(...worlds.map(({ state }) => takeEvents(state).events).at(-1)!)
    // In between, the engine makes the ephemeris on; how far it comes must not matter.
    if (ticks < HORIZON_SLICES) worlds.forEach(extendHorizon)
    clock = next
    ticks++
    if (restoredAt === undefined && clock.index >= restoreAt && clock.index < end) {
      await flier.close()
      const stored = { clock, tick: ticks }
      const all = worlds.map((one, i) => restored(one, stored, { system: systems[i], kernels }))
      worlds = all.map((one) => one.world)
      ;({ world, gameClock: clock } = all.at(-1)!)
      flier = createFlier(worlds)
      restoredAt = clock.index
    }
  }
  await flier.close()
  const closing = closingDigest(world, events)
  const happened = counts(events)
  const left = { digests, closing, ticks, happened, chasing: chasing(world), restoredAt }
  return { flown: left, worlds }
}

function counts(events: readonly ShipEvent[]): Partial<Record<EventKind, number>> {
  const happened: Partial<Record<EventKind, number>> = {}
  for (const { kind } of events) happened[kind] = (happened[kind] ?? 0) + 1
  return happened
}

function chasing({ state, index }: World): number {
  const { sighting } = state.ships
  const { sightedAt, watcher } = state.sightings
  const sees = (slot: number, row: number): boolean =>
    sighting[slot] === row && index - sightedAt[row] < QUANTA_PER_SECOND
  return watcher.reduce((sum, slot, row) => sum + (slot >= 0 && sees(slot, row) ? 1 : 0), 0)
}

/** One round of the tick engine. */
async function tick(
  worlds: readonly World[],
  flier: Flier,
  target: number,
  onDigest: (digest: SystemDigest) => void,
): Promise<void> {
  for (const world of worlds) {
    completeNear(world, target)
    writeOrders(world.intake, world.roster, world.state, target)
  }
  await flyWorlds(worlds, flier, target, onDigest)
  for (const world of worlds) world.index = target
}

function clipped(clock: GameClock, end: number): GameClock {
  return clock.index > end ? createGameClock(end) : clock
}

function deliver(
  { intake, roster }: World,
  commands: ScriptedCommand[],
  numbers: readonly number[],
  until: number,
): void {
  while (commands.length > 0 && commands[0].index <= until) {
    const { index, ship, quarry, control } = commands.shift()!
    const { maneuver } = control
    const isPlaced = control.body !== undefined || control.stationId !== undefined
    const target =
      control.pointing === 'target' && !isPlaced
        ? { target: numbers[quarry] }
        : maneuver?.ship === QUARRY && { maneuver: { ...maneuver, ship: numbers[quarry] } }
    addPending(intake, {
      ship: roster.byNumber.get(numbers[ship])!,
      index,
      sequence: ++intake.sequence,
      control: { ...control, ...target },
    })
  }
}

/** A world as another process finds it: an image through a structured clone. */
function restored(
  world: World,
  { clock, tick }: { readonly clock: GameClock; readonly tick: number },
  { system, kernels }: { readonly system: SystemSetup; readonly kernels: Kernels | undefined },
): RestoredWorld {
  const image = structuredClone(worldImage(world, clock, tick))
  return restoreWorld(image, { system, shipsMax: SLOTS, ...kernels })
}
