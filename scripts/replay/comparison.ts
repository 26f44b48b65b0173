/** Compares a replay with stored digests and snapshots, line by line and as a report. */
import { type ShipDifference, type World, shipDifferences, systemDifferences } from '@orrery/engine'
import { BLOCK_QUANTA, QUANTA_PER_SECOND, type WorldDigest, utcFromLattice } from '@orrery/sim'
import type { Flight } from './flight.ts'

/** Ships that are shown of a state that differs. */
const SHIPS_SHOWN = 20

interface DigestReport {
  readonly index: number
  readonly utc: string
  /** null when the flight made none where one is stored */
  readonly digest: string | null
  /** null when none is stored */
  readonly stored: string | null
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
  readonly shipsDiffering: number
  readonly ships: readonly ShipDifference[]
}

/** A replay, as `--json` prints it. */
export interface Report {
  readonly era: number
  readonly from: { readonly index: number; readonly utc: string }
  readonly to: { readonly index: number; readonly utc: string }
  readonly ships: number
  readonly commands: number
  readonly workers: number
  readonly gameSeconds: number
  readonly flownSeconds: number
  readonly digests: readonly DigestReport[]
  readonly snapshots: readonly SnapshotReport[]
  readonly digestsCompared: number
  readonly differences: number
}

/** Receives the results of a replay. */
export interface Comparison {
  digest(this: void, made: WorldDigest): void
  /** @param stored  the world of a snapshot, or why it does not open */
  snapshot(place: { id: number; lattice: number }, flown: World, stored: World | string): void
  report(flight: Flight): Report
}

/** Game time of a lattice index, ISO 8601. */
export function utcText(index: number): string {
  return new Date(utcFromLattice(index)).toISOString()
}

/**
 * @param since   digests up to this index are not made
 * @param stored  digests by index
 * @param print   receives each line
 */
export function createComparison(
  { era, index, since }: { readonly era: number; readonly index: number; readonly since: number },
  stored: ReadonlyMap<number, string>,
  print: (line: string) => void,
): Comparison {
  const digests: DigestReport[] = []
  const snapshots: SnapshotReport[] = []
  const addDigest = (one: DigestReport): void => {
    digests.push(one)
    print(digestLine(one))
  }
  return {
    digest: ({ index: at, digest }) =>
      addDigest({ index: at, utc: utcText(at), digest, stored: stored.get(at) ?? null }),
    snapshot({ id, lattice }, flown, found) {
      const unusable = typeof found === 'string' ? found : null
      const systems = typeof found === 'string' ? [] : systemDifferences(flown, found)
      const differing = typeof found === 'string' ? [] : [...shipDifferences(flown, found)]
      const ships = differing.slice(0, SHIPS_SHOWN)
      const place = { id, index: lattice, utc: utcText(lattice) }
      const one = { ...place, unusable, systems, shipsDiffering: differing.length, ships }
      snapshots.push(one)
      for (const line of snapshotLines(one)) print(line)
    },
    report({ opened: { world }, commands, workers, flownSeconds }) {
      const made = new Set(digests.map(({ index: at }) => at))
      for (const [at, digest] of stored) {
        if (at <= since || at > world.index - BLOCK_QUANTA || made.has(at)) continue
        addDigest({ index: at, utc: utcText(at), digest: null, stored: digest })
      }
      const compared = digests.filter((one) => one.stored !== null)
      const wrong =
        compared.filter((one) => one.digest !== one.stored).length +
        snapshots.filter((one) => !isSame(one)).length
      return {
        era,
        from: { index, utc: utcText(index) },
        to: { index: world.index, utc: utcText(world.index) },
        ships: world.roster.byId.size,
        commands,
        workers,
        gameSeconds: (world.index - index) / QUANTA_PER_SECOND,
        flownSeconds,
        digests,
        snapshots,
        digestsCompared: compared.length,
        differences: wrong,
      }
    },
  }
}

/** What was flown, how fast, and what came of it. */
export function closingLines(report: Report): string[] {
  const { from, to, gameSeconds, flownSeconds, differences } = report
  const speed = gameSeconds / flownSeconds
  const what = [counted(report.ships, 'ship'), counted(report.commands, 'command')].join(', ')
  return [
    `${from.utc} to ${to.utc}: ${gameSeconds.toFixed(1)} s of game time, ${what},` +
      ` in ${flownSeconds.toFixed(1)} s on ${counted(report.workers, 'worker')}:` +
      ` ${speed.toFixed(0)} game seconds per second`,
    `${counted(report.digestsCompared, 'digest')} and` +
      ` ${counted(report.snapshots.length, 'snapshot')} compared: ` +
      (differences === 0 ? 'all equal' : `${differences} DIFFER`),
  ]
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

function isSame({ unusable, systems, shipsDiffering }: SnapshotReport): boolean {
  return unusable === null && systems.length === 0 && shipsDiffering === 0
}

function digestLine({ index, utc, digest, stored }: DigestReport): string {
  const verdict =
    stored === null ? 'none stored' : stored === digest ? 'equal' : `DIFFERS: ${stored} is stored`
  return `${index}  ${utc}  ${digest ?? 'not made'.padEnd(32)}  ${verdict}`
}

function snapshotLines(one: SnapshotReport): string[] {
  const { id, index, utc, unusable, systems, shipsDiffering, ships } = one
  const head = `${index}  ${utc}  ${`snapshot ${id}`.padEnd(32)}  `
  if (unusable !== null) return [`${head}UNUSABLE: ${unusable}`]
  if (isSame(one)) return [`${head}equal`]
  const lines = [`${head}DIFFERS in ${counted(shipsDiffering, 'ship')}`]
  for (const system of systems) lines.push(`  massive bodies of ${system}`)
  for (const { number, shipId, columns, first } of ships) {
    const { column, component, left, right } = first
    lines.push(
      `  ship ${number} (${shipId}): ${columns.join(', ')}`,
      `    first ${column}[${component}]: ${left} flown, ${right} stored`,
    )
  }
  if (shipsDiffering > ships.length) lines.push(`  and ${shipsDiffering - ships.length} more`)
  return lines
}
