// A program beside the server: counts the maneuvers that pilots complete, and prints the score, as
// JSON, whenever it changes. Its service token needs the scopes `maneuvers` and `accounts`:
//   ORRERY_SERVICE_TOKEN=... node leaderboard.ts http://127.0.0.1:3000
import { createGameClient } from '@orrery/client'
import { api } from '@orrery/client/routes'
import { setTimeout as sleep } from 'node:timers/promises'

/** Between two looks at the log, each of which reads 500 events at most. */
const LOOK_MS = 1000

const [url = 'http://127.0.0.1:3000'] = process.argv.slice(2)
const service = createGameClient({ url }).service(process.env['ORRERY_SERVICE_TOKEN'] ?? '')
const asked = { event_type: 'completed', limit: 500 }
const names = new Map<string, string>()
const score: Record<string, number> = {}

async function pilotOf(shipId: string): Promise<string> {
  const { players } = await service.call(api.readPlayers, { search: shipId, limit: 1 })
  return players[0]?.username ?? shipId
}

for (let last = 0; ; await sleep(LOOK_MS)) {
  const { events } = await service.call(api.readManeuverEvents, asked)
  const fresh = events.filter(({ id }) => id > last)
  if (fresh.length === 0) continue
  last = fresh[0].id
  for (const { ship_id: shipId } of fresh) {
    const name = names.get(shipId) ?? (await pilotOf(shipId))
    names.set(shipId, name)
    score[name] = (score[name] ?? 0) + 1
  }
  process.stdout.write(`${JSON.stringify(score)}\n`)
}
