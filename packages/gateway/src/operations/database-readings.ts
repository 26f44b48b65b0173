import type { Database } from '@orrery/database'
import { drainHost, listHosts, wantOn } from '@orrery/store'
import type { AppParts } from '../app-parts.ts'

/** What operators read of the database beside its records, and what they ask of hosts by it. */
export function databaseReadings(
  sql: Database['sql'],
): Pick<AppParts, 'drainHost' | 'hosts' | 'probeDatabase' | 'wantOn'> {
  return {
    drainHost: (host, drained) => drainHost(sql, { host, drained }),
    hosts: () => listHosts(sql),
    wantOn: (system, host) => wantOn(sql, { system, host }),
    probeDatabase: async () => {
      const [row] = await sql<[{ server_version: string }]>`show server_version`
      return row.server_version
    },
  }
}
