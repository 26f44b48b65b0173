import type { Database } from '@orrery/database'
import { listHosts, listOwners } from '@orrery/store'

/** Who owns which star system, as the database has it. */
export interface Owners {
  /** URL of the owner of a system; undefined without one */
  readOwner(this: void, systemId: string): Promise<string | undefined>
  /** of the claim on each system */
  fences(this: void): Promise<ReadonlyMap<string, number>>
}

export function ownersIn(sql: Database['sql']): Owners {
  return {
    readOwner: async (systemId) => {
      const rows = await listHosts(sql)
      return rows.find(({ systems }) => systems.includes(systemId))?.address
    },
    fences: async () =>
      new Map((await listOwners(sql)).map(({ system, fence }) => [system, fence])),
  }
}
