/** Ships of the past as the server saw them at some moments, and between two of these. */
import type { PastSkyResponse } from '@orrery/client'
import type { Ship, ShipSample } from '@orrery/client/flight'

/** Moments that are kept: those around what is shown. */
const KEPT = 4

/** Apart at most where a curve is drawn between two moments [ms]. */
const GAP_MS = 600_000

/** A moment stands for what is so near [ms]. */
const NEAR_MS = 1000

type Seen = PastSkyResponse['ships'][number]

interface Moment {
  readonly ms: number
  readonly ships: ReadonlyMap<string, Seen>
}

export class PastShips {
  /** by time */
  #moments: Moment[] = []
  /** the same object for each ship: layers know it again */
  readonly #known = new Map<string, Ship>()
  #listed: { readonly moment: Moment; readonly ships: readonly Ship[] } | undefined

  add({ game_time, ships }: PastSkyResponse, shownMs: number): void {
    const ms = Date.parse(game_time)
    const moment = { ms, ships: new Map(ships.map((ship) => [ship.ship_id, ship])) }
    const others = this.#moments.filter((one) => one.ms !== ms)
    const distance = (one: Moment): number => Math.abs(one.ms - shownMs)
    this.#moments = [...others, moment]
      .toSorted((a, b) => distance(a) - distance(b))
      .slice(0, KEPT)
      .toSorted((a, b) => a.ms - b.ms)
  }

  /** Whether ships are known at a date [Unix ms]. */
  isKnown(ms: number): boolean {
    return this.#around(ms) !== undefined
  }

  /** Ships of the moment before a date. */
  ships(ms: number): readonly Ship[] {
    const [moment] = this.#around(ms) ?? []
    if (!moment) return []
    if (this.#listed?.moment === moment) return this.#listed.ships
    const ships = Array.from(moment.ships.values(), (seen) => this.#shipOf(seen))
    this.#listed = { moment, ships }
    return ships
  }

  /** Writes a ship's state from its reference body; false where it is not known. */
  stateAt(out: ShipSample, id: string, ms: number): boolean {
    const [before, after] = this.#around(ms) ?? []
    const a = before?.ships.get(id)
    if (!before || !after || !a) return false
    const b = after.ships.get(id)
    const isCurve = b !== undefined && after.ms > before.ms && b.reference_body === a.reference_body
    if (!isCurve && Math.abs(ms - before.ms) > NEAR_MS) return false
    const span = isCurve ? (after.ms - before.ms) / 1000 : 0
    writeState(out, a, isCurve ? b : a, { span, seconds: (ms - before.ms) / 1000 })
    const { attitude, fuel, thrust_level, reference_body } = a
    out.body = reference_body
    out.attitude.set([attitude.w, attitude.x, attitude.y, attitude.z])
    out.thrustLevel = thrust_level
    out.fuel = fuel
    return true
  }

  #around(ms: number): readonly [Moment, Moment] | undefined {
    const before = this.#moments.findLast((one) => one.ms <= ms)
    const after = this.#moments.find((one) => one.ms >= ms)
    if (before && after && after.ms - before.ms <= GAP_MS) return [before, after]
    const near = this.#moments.find((one) => Math.abs(one.ms - ms) <= NEAR_MS)
    return near && [near, near]
  }

  #shipOf({ name, ship_class: shipClass, ship_id: id }: Seen): Ship {
    const known = this.#known.get(id)
    if (known?.name === name) return known
    const ship = { number: known?.number ?? this.#known.size, id, name, shipClass }
    this.#known.set(id, ship)
    return ship
  }
}

/** A cubic through both states; a line where there is no span between them [s]. */
function writeState(
  out: ShipSample,
  a: Seen,
  b: Seen,
  { span, seconds }: { readonly span: number; readonly seconds: number },
): void {
  for (const [i, axis] of (['x', 'y', 'z'] as const).entries()) {
    const [p, q] = [a.relative_position[axis], b.relative_position[axis]]
    const [v, w] = [a.relative_velocity[axis], b.relative_velocity[axis]]
    const mean = span > 0 ? (q - p) / span : v
    const u = span > 0 ? seconds / span : 0
    const bend = span > 0 ? 3 * mean - 2 * v - w : 0
    const turn = span > 0 ? v + w - 2 * mean : 0
    out.r[i] = p + seconds * (v + u * (bend + u * turn))
    out.v[i] = v + u * (2 * bend + 3 * u * turn)
  }
}
