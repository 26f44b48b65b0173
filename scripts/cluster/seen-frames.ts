/** Frames as players saw them, compared bit for bit with what the journal leads to. */
import { type ShipView, createMirror, systemClock } from '@orrery/engine'
import type { GameModules } from '@orrery/engine/modules'
import { createFlownPast } from '@orrery/game'
import type { TickMessage } from '@orrery/client'
import type { Sql } from '../trials/game-directory.ts'

/** Of the frames that come in their time one in so many is kept. */
const ONE_IN = 10

/** A gap, after which all frames are kept for a while, and the one before it is [ms]. */
const GAP_MS = 250
const AFTER_GAP_MS = 2000

/** Differences that are described, and steps back of one client. */
const SHOWN_MAX = 10

type Shown = Pick<
  TickMessage['ships'][number],
  'ship_id' | 'position' | 'velocity' | 'attitude' | 'thrust_level' | 'fuel'
>

/** Ships of a star system at one moment, as a player saw them. */
export interface SeenFrame extends Pick<TickMessage, 'era' | 'tick' | 'index' | 'offset'> {
  readonly systemId: string
  readonly ships: readonly Shown[]
}

/** The frames of one client that are kept. */
export class SeenFrames {
  readonly kept: SeenFrame[] = []
  /** frames of an earlier lattice index than one before, as of an owner whose fence is old */
  readonly undone: string[] = []
  #latest = -1
  #count = 0
  #lastMs = -Infinity
  #gapMs = -Infinity
  #last: SeenFrame | undefined

  saw(systemId: string, { era, tick, index, offset, ships }: TickMessage, nowMs: number): void {
    const frame = { systemId, era, tick, index, offset, ships }
    if (index >= this.#latest) this.#latest = index
    else if (this.undone.length < SHOWN_MAX) {
      this.undone.push(`${systemId} is shown at ${index} after ${this.#latest}`)
    }
    const isGap = nowMs - this.#lastMs > GAP_MS
    if (isGap) {
      this.#gapMs = nowMs
      if (this.#last) this.kept.push(this.#last)
    }
    const isKept = this.#count++ % ONE_IN === 0 || nowMs - this.#gapMs < AFTER_GAP_MS
    if (isKept) this.kept.push(frame)
    this.#last = isKept ? undefined : frame
    this.#lastMs = nowMs
  }
}

/** What comparing frames has found. */
export interface FramesCompared {
  /** ships in them */
  readonly ships: number
  readonly differences: readonly string[]
}

/** Flies a star system again to each moment that was seen. */
export async function compareFrames(
  { sql, modules, shipsMax }: { sql: Sql; modules: GameModules | undefined; shipsMax: number },
  systemId: string,
  frames: readonly SeenFrame[],
): Promise<FramesCompared> {
  const ignored = (): void => undefined
  const refused = (): Promise<never> => Promise.reject(new Error('The past takes no command'))
  const mirror = createMirror({
    clock: systemClock,
    shipsMax,
    settings: () => ({ adaptiveTickRate: false, timeSyncEnabled: false, goalMs: undefined }),
    commands: { execute: refused, control: refused },
    onPublish: ignored,
    onCommand: ignored,
    onOrdered: ignored,
    onEvent: ignored,
    onReplaced: ignored,
  })
  mirror.stop()
  const past = createFlownPast({ sql, systemId, shipsMax, modules, mirror, onStride: ignored })
  const changed = await changedShips(sql, systemId)
  const differences: string[] = []
  let compared = 0
  for (const frame of frames.toSorted((a, b) => a.index - b.index)) {
    const { era, index, offset, tick } = frame
    await past.flyTo(index)
    const clock = { tickRate: 1, timeScale: 1, paused: true, ageSeconds: 0 }
    mirror.reached({ era, index, tick, remainder: rational(offset), ...clock })
    const [fleet] = mirror.sky().fleets.values()
    const [{ roster }] = mirror.universe.worlds
    for (const seen of frame.ships) {
      const number = roster.byId.get(seen.ship_id)?.number
      // It was seen before the command or after it, at the same moment.
      if (changed.has(`${index} ${seen.ship_id}`) || changed.has(`${index} ${number}`)) continue
      const place = fleet.indexOf(seen.ship_id)
      const found = place < 0 ? 'no such ship' : textOf(shownOf(seen.ship_id, fleet.view(place)))
      compared++
      if (found === textOf(seen)) continue
      differences.push(`${systemId} at ${index} + ${offset}: seen ${textOf(seen)}, is ${found}`)
    }
  }
  return { ships: compared, differences: differences.slice(0, SHOWN_MAX) }
}

/** Ships, by id or number, that a command has changed, each after the index at which it acted. */
async function changedShips(sql: Sql, systemId: string): Promise<ReadonlySet<string>> {
  const rows = await sql<{ index: number; ship: string }[]>`
    select lattice::float8 as index, coalesce(
      command ->> 'shipId', command -> 'handOff' ->> 'shipId', command ->> 'ship'
    ) as ship
    from journal where system = ${systemId}`
  return new Set(rows.map(({ index, ship }) => `${index} ${ship}`))
}

/** A double as numerator and denominator. */
function rational(value: number): readonly [string, string] {
  const scale = 2 ** 200
  return [String(BigInt(value * scale)), String(BigInt(scale))]
}

function shownOf(shipId: string, view: ShipView): Shown {
  const [w, ...turn] = view.attitude
  return {
    ship_id: shipId,
    position: vector(view.position),
    velocity: vector(view.velocity),
    attitude: { w, ...vector(turn) },
    thrust_level: view.thrustLevel,
    fuel: view.fuel,
  }
}

function vector([x, y, z]: readonly [number, number, number]): Shown['position'] {
  return { x, y, z }
}

function textOf({ position, velocity, attitude, thrust_level: thrust, fuel }: Shown): string {
  return JSON.stringify([position, velocity, attitude, thrust, fuel])
}
