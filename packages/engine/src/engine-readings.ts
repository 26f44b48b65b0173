import type { Control } from '@orrery/sim'
import { requireReachable } from './commands/reachable-orbit.ts'
import { isManeuverDebugged } from './maneuvers/maneuver-log.ts'
import { type JumpgateView, jumpgateViews } from './objects/jumpgates.ts'
import { type StationView, stationViews } from './objects/stations.ts'
import type { Rule } from './orders/rule.ts'
import { shipRules } from './rules/rule-view.ts'
import { type BodiesView, bodiesView } from './views/bodies-view.ts'
import { type EphemerisView, ephemerisView } from './views/ephemeris-view.ts'
import type { OwnShipView } from './views/ship-view.ts'
import { type ShownShip, keptShip, shownShip } from './views/shown-ship.ts'
import { type Sky, type SystemSummary, skyOf, systemSummaries } from './views/sky.ts'
import { heldShip } from './world/held-ships.ts'
import { type Universe, findShip, isInTransit, requireShip, worldNamed } from './world/universe.ts'

/** What is read of a universe under way. */
export abstract class EngineReadings {
  abstract get universe(): Universe

  abstract whenSettled<Result>(act: () => Result): Promise<Result>

  /** Quanta past the published index that are shown. */
  protected abstract offset(): number

  /**
   * One ship as published, as its pilot sees it; undefined for an unknown one. Waits for a running
   * tick to end.
   *
   * @throws {EngineError} 'ERR_IN_TRANSIT' between two systems
   */
  ship(shipId: string): Promise<OwnShipView | undefined> {
    return this.whenSettled(() => {
      const held = heldShip(this.universe, shipId)
      if (held) return held.entry && ownView(keptShip(held))
      if (isInTransit(this.universe, shipId)) requireShip(this.universe, shipId)
      const place = findShip(this.universe, shipId)
      if (!place) return undefined
      return ownView(shownShip(place.world, place.entry, this.offset()))
    })
  }

  /** All ships as published, by star system; valid while no tick runs. */
  sky(): Sky {
    return skyOf(this.universe, this.offset())
  }

  /** All stations as published; to be read while no tick runs. */
  stations(): StationView[] {
    return this.universe.worlds.flatMap((world) => stationViews(world, this.offset()))
  }

  /** All jump gates as published; to be read while no tick runs. */
  jumpgates(): JumpgateView[] {
    return this.universe.worlds.flatMap((world) => jumpgateViews(world, this.offset()))
  }

  /**
   * The massive bodies of a star system at an instant of UTC [Unix ms], or as published; to be
   * read while no tick runs.
   *
   * @throws {EngineError} 'ERR_SYSTEM_UNKNOWN', 'ERR_MOMENT' outside the ephemeris
   */
  bodies(systemId: string, unixMs?: number): BodiesView {
    return bodiesView(worldNamed(this.universe, systemId), this.offset(), unixMs)
  }

  /**
   * The nodes of the massive bodies around a span of time; to be read while no tick runs.
   *
   * @param from  lattice index; the published one when left out
   * @throws {EngineError} as {@link bodies}
   */
  ephemeris(systemId: string, seconds: number, from?: number): EphemerisView {
    const world = worldNamed(this.universe, systemId)
    return ephemerisView(world, from ?? world.index, seconds)
  }

  /** The star systems with their numbers of ships. */
  systems(): SystemSummary[] {
    return systemSummaries(this.universe)
  }

  /**
   * The rules of a ship, and which of them are armed now; to be read while no tick runs.
   *
   * @throws {EngineError} 'ERR_SHIP_UNKNOWN', 'ERR_IN_TRANSIT'
   */
  rules(shipId: string): Rule[] {
    return shipRules(this.universe, shipId)
  }

  /** Whether every event of a ship's maneuvers is emitted. @throws as {@link rules} */
  isManeuverDebugged(shipId: string): boolean {
    return isManeuverDebugged(this.universe, shipId)
  }

  /**
   * Refuses a maneuver to an orbit that no ship in the system of one can have.
   *
   * @throws {EngineError} 'ERR_CONTROL' naming the field, and as {@link rules}
   */
  requireReachable(shipId: string, control: Control): void {
    requireReachable(requireShip(this.universe, shipId).world, control)
  }
}

function ownView({ view, pilot }: ShownShip): OwnShipView {
  return { ...view, ...pilot }
}
