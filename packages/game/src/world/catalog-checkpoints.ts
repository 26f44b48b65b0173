import { type Checkpoints, STAR_SYSTEMS, parseCheckpoints } from '@orrery/catalog'
import type { StarSystem } from '@orrery/sim'
import { readFile } from 'node:fs/promises'

/** What the catalog has of a star system at even distances of time. */
export interface CatalogCheckpoints {
  readonly system: StarSystem
  readonly checkpoints: Checkpoints
}

const read = new Map<string, Promise<Checkpoints>>()

/** The checkpoints of a star system, read once; undefined for one that the catalog lacks. */
export async function catalogCheckpoints(
  systemId: string,
): Promise<CatalogCheckpoints | undefined> {
  const entry = STAR_SYSTEMS.find(({ system }) => system.id === systemId)
  if (!entry) return undefined
  const known = read.get(systemId) ?? readFile(entry.checkpointsUrl).then(parseCheckpoints)
  read.set(systemId, known)
  try {
    return { system: entry.system, checkpoints: await known }
  } catch (error) {
    read.delete(systemId)
    throw error
  }
}
