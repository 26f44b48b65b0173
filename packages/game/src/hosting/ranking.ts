import { hash } from 'node:crypto'

/** A host with more load gives systems away; one that gets a system has less than the second. */
const LOAD_GIVES = 0.7
const LOAD_TAKES = 0.6

/** Share of its cores that counts as free at least, so that a full host has a rank, too. */
const FREE_MIN = 0.01

/** Of the hash that becomes a number. */
const HASH_BYTES = 6

/** A host that may own star systems. */
export interface RankedHost {
  readonly incarnation: string
  /** decides about its ranks with its capacity: a host that starts again has the same */
  readonly address: string
  readonly cores: number
  /** share of the time that ticks take */
  readonly load: number
}

/**
 * Hosts in the order in which they are to own a system: by rendezvous hash, weighted by free cores.
 * When one leaves, only its systems have another first; of equal hosts each is first for as many.
 */
export function rankedHosts<One extends RankedHost>(
  systemId: string,
  hosts: readonly One[],
): readonly One[] {
  const score = new Map(hosts.map((host) => [host, scoreOf(systemId, host)]))
  return hosts.toSorted((a, b) => (score.get(b) ?? 0) - (score.get(a) ?? 0))
}

function scoreOf(systemId: string, { address, cores, load }: RankedHost): number {
  const drawn = hash('sha256', `${systemId} ${address}`, 'buffer').readUIntBE(0, HASH_BYTES)
  const share = (drawn + 0.5) / 2 ** (8 * HASH_BYTES)
  return (-cores * Math.max(FREE_MIN, 1 - load)) / Math.log(share)
}

/** Whether a host is to give systems away. */
export function isLoaded({ load }: Pick<RankedHost, 'load'>): boolean {
  return load > LOAD_GIVES
}

/** A star system of a host, and its share of that host's load. */
export interface LoadingSystem {
  readonly systemId: string
  readonly share: number
}

/** A star system that is to go to another host. */
export interface Move {
  readonly systemId: string
  readonly host: string
}

/**
 * What a host with too much load gives away first, and to which other: one that has room for it, so
 * that no system goes back and forth.
 */
export function moveOf(
  own: RankedHost,
  systems: readonly LoadingSystem[],
  others: readonly RankedHost[],
): Move | undefined {
  if (!isLoaded(own)) return undefined
  for (const { systemId, share } of systems.toSorted((a, b) => b.share - a.share)) {
    const hasRoom = ({ cores, load }: RankedHost): boolean =>
      load + (share * own.load * own.cores) / cores <= LOAD_TAKES
    const host = rankedHosts(systemId, others).find(hasRoom)
    if (host) return { systemId, host: host.incarnation }
  }
  return undefined
}
