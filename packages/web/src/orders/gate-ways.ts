/** Where jump gates lead. */
import type { GameClient } from '@orrery/client'

/** Names of star systems by the ids of the gates that lead there. */
export type GateWays = ReadonlyMap<string, string>

/** @throws {ClientError} */
export async function askGateWays(client: GameClient): Promise<GateWays> {
  const { systems } = await client.systems()
  const known = await Promise.all(systems.map(({ id }) => client.system(id)))
  const homes = new Map<string, string>()
  for (const { name, jumpgates } of known) {
    for (const gate of jumpgates) homes.set(gate.jumpgate_id, name)
  }
  const ways = new Map<string, string>()
  for (const { jumpgates } of known) {
    for (const { jumpgate_id: id, paired_jumpgate_id: pair } of jumpgates) {
      const there = pair === null ? undefined : homes.get(pair)
      if (there !== undefined) ways.set(id, there)
    }
  }
  return ways
}
