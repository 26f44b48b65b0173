/** Names that people type in place of ids. */
import type { AdminClient } from '@orrery/client'
import { oneNamed } from '@orrery/client/named'

/** The id of what is named. @throws {NameFault | ClientError} */
export type FindId = (admin: AdminClient, text: string) => Promise<string>

export { accountId, shipId } from '@orrery/client/named'

export const systemId: FindId = async (admin, text) =>
  oneNamed('star system', (await admin.systems()).systems, text).id

export const stationId: FindId = async ({ stations }, text) => {
  const named = (await stations.list()).stations.map((one) => ({ ...one, id: one.station_id }))
  return oneNamed('station', named, text).id
}

export const jumpgateId: FindId = async ({ jumpgates }, text) => {
  const named = (await jumpgates.list()).jumpgates.map((one) => ({ ...one, id: one.jumpgate_id }))
  return oneNamed('jump gate', named, text).id
}
