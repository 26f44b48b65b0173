import { hash } from 'node:crypto'

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
