/** Compares a replay with stored digests and snapshots, line by line and as a report. */
import {
  type ShipDifference,
  type SystemDigest,
  type Universe,
  allShips,
  bodiesDiffer,
  shipDifferences,
} from '@orrery/engine/testing'
import { BLOCK_QUANTA, QUANTA_PER_SECOND, combinedDigest, utcFromLattice } from '@orrery/sim'
import type { Flight } from './flight.ts'

/** Ships that are shown of a state that differs. */
const SHIPS_SHOWN = 20

interface DigestReport {
  readonly index: number
  readonly utc: string
  /** of all systems; null when the flight made none where one is stored */
  readonly digest: string | null
  /** null when not every system's is stored */
  readonly stored: string | null
  /** systems whose digests differ */
  readonly systems: readonly string[]
}

interface SnapshotReport {
  readonly id: number
  readonly index: number
  readonly utc: string
  /** why it cannot be compared */
  readonly unusable: string | null
  /** systems whose massive bodies differ */
  readonly systems: readonly string[]
  /** how many ships differ, and the first of them */
  readonly ships_differing: number
  readonly ships: readonly ShipReport[]
}

interface ShipReport {
  readonly number: number
  readonly ship_id: string
  readonly columns: readonly string[]
  readonly first: ShipDifference['first']
}

/** A replay, as `--json` prints it. */
export interface Report {
  readonly era: number
  readonly from: { readonly index: number; readonly utc: string }
  readonly to: { readonly index: number; readonly utc: string }
  readonly ships: number
  readonly commands: number
  readonly workers: number
  readonly game_seconds: number
  readonly flown_seconds: number
  readonly digests: readonly DigestReport[]
  readonly snapshots: readonly SnapshotReport[]
  readonly digests_compared: number
  readonly differences: number
}

/** Receives the results of a replay. */
export interface Comparison {
  digest(this: void, made: SystemDigest): void
  /** @param stored  the universe of a snapshot, or why it does not open */
  snapshot(place: { id: number; lattice: number }, flown: Universe, stored: Universe | string): void
  report(flight: Flight): Report
}

/** Game time of a lattice index, ISO 8601. */
export function utcText(index: number): string {
  return new Date(utcFromLattice(index)).toISOString()
}

/**
 * @param universe  as it is at the beginning
 * @param print   receives each line
 */
export function createComparison(
  { era, universe }: { readonly era: number; readonly universe: Universe },
  stored: readonly SystemDigest[],
  print: (line: string) => void,
): Comparison {
  const { worlds } = universe
  const [{ index }] = worlds
  const since = Math.max(...worlds.map((world) => world.since))
  const digests: DigestReport[] = []
  const snapshots: SnapshotReport[] = []
  const storedAt = Map.groupBy(stored, (one) => one.index)
  const madeAt = new Map<number, SystemDigest[]>()
  const addDigest = (at: number, made: readonly SystemDigest[]): void => {
    const kept = storedAt.get(at) ?? []
    const one = {
      index: at,
      utc: utcText(at),
      digest: whole(made, worlds.length),
      stored: whole(kept, worlds.length),
      systems: kept.filter((row) => isOther(row, made)).map(({ systemId }) => systemId),
    }
    digests.push(one)
    print(digestLine(one))
  }
  return {
    digest: (made) => {
      const all = [...(madeAt.get(made.index) ?? []), made]
      madeAt.set(made.index, all)
      if (all.length === worlds.length) addDigest(made.index, all)
    },
    snapshot({ id, lattice }, flown, found) {
      const unusable = typeof found === 'string' ? found : null
      const { systems, differing } = differences(flown, found)
      const ships = differing
        .slice(0, SHIPS_SHOWN)
        .map(({ shipId: ship_id, ...rest }) => ({ ship_id, ...rest }))
      const place = { id, index: lattice, utc: utcText(lattice) }
      const one = { ...place, unusable, systems, ships_differing: differing.length, ships }
      snapshots.push(one)
      for (const line of snapshotLines(one)) print(line)
    },
    report({ opened, commands, workers, flownSeconds }) {
      const end = opened.universe.worlds[0].index
      const made = new Set(digests.map(({ index: at }) => at))
      for (const at of storedAt.keys()) {
        if (at <= since || at > end - BLOCK_QUANTA || made.has(at)) continue
        addDigest(at, madeAt.get(at) ?? [])
      }
      const compared = digests.filter(({ index: at }) => storedAt.has(at))
      const wrong =
        compared.filter((one) => one.systems.length > 0).length +
        snapshots.filter((one) => !isSame(one)).length
      return {
        era,
        from: { index, utc: utcText(index) },
        to: { index: end, utc: utcText(end) },
        ships: [...allShips(opened.universe)].length,
        commands,
        workers,
        game_seconds: (end - index) / QUANTA_PER_SECOND,
        flown_seconds: flownSeconds,
        digests,
        snapshots,
        digests_compared: compared.length,
        differences: wrong,
      }
    },
  }
}

/** The digest of all systems; null when one is missing. */
function whole(systems: readonly SystemDigest[], count: number): string | null {
  return systems.length === count ? combinedDigest(systems) : null
}

function isOther({ systemId, digest }: SystemDigest, made: readonly SystemDigest[]): boolean {
  return made.find((one) => one.systemId === systemId)?.digest !== digest
}

interface Differences {
  /** systems whose massive bodies differ */
  readonly systems: readonly string[]
  readonly differing: readonly ShipDifference[]
}

function differences(flown: Universe, found: Universe | string): Differences {
  if (typeof found === 'string') return { systems: [], differing: [] }
  const pairs = flown.worlds.map((world, i) => [world, found.worlds[i]] as const)
  return {
    systems: pairs.filter((pair) => bodiesDiffer(...pair)).map(([{ state }]) => state.system.id),
    differing: pairs.flatMap((pair) => [...shipDifferences(...pair)]),
  }
}

/** What was flown, how fast, and what came of it. */
export function closingLines(report: Report): string[] {
  const { from, to, game_seconds: gameSeconds, flown_seconds: flownSeconds, differences } = report
  const speed = gameSeconds / flownSeconds
  const what = [counted(report.ships, 'ship'), counted(report.commands, 'command')].join(', ')
  return [
    `${from.utc} to ${to.utc}: ${gameSeconds.toFixed(1)} s of game time, ${what},` +
      ` in ${flownSeconds.toFixed(1)} s on ${counted(report.workers, 'worker')}:` +
      ` ${speed.toFixed(0)} game seconds per second`,
    `${counted(report.digests_compared, 'digest')} and` +
      ` ${counted(report.snapshots.length, 'snapshot')} compared: ` +
      (differences === 0 ? 'all equal' : `${differences} DIFFER`),
  ]
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

export function isSame({ unusable, systems, ships_differing: ships }: SnapshotReport): boolean {
  return unusable === null && systems.length === 0 && ships === 0
}

function digestLine({ index, utc, digest, stored, systems }: DigestReport): string {
  const verdict =
    systems.length > 0
      ? `DIFFERS in ${systems.join(', ')}: ${stored ?? 'another'} is stored`
      : stored === null
        ? 'none stored'
        : 'equal'
  return `${index}  ${utc}  ${digest ?? 'not made'.padEnd(32)}  ${verdict}`
}

function snapshotLines(one: SnapshotReport): string[] {
  const { id, index, utc, unusable, systems, ships_differing: shipsDiffering, ships } = one
  const head = `${index}  ${utc}  ${`snapshot ${id}`.padEnd(32)}  `
  if (unusable !== null) return [`${head}UNUSABLE: ${unusable}`]
  if (isSame(one)) return [`${head}equal`]
  const lines = [`${head}DIFFERS in ${counted(shipsDiffering, 'ship')}`]
  for (const system of systems) lines.push(`  massive bodies of ${system}`)
  for (const { number, ship_id: shipId, columns, first } of ships) {
    const { column, component, left, right } = first
    lines.push(
      `  ship ${number} (${shipId}): ${columns.join(', ')}`,
      `    first ${column}[${component}]: ${left} flown, ${right} stored`,
    )
  }
  if (shipsDiffering > ships.length) lines.push(`  and ${shipsDiffering - ships.length} more`)
  return lines
}
