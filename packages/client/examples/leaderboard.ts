// A program beside the server: counts the maneuvers that pilots complete, and prints the score, as
// JSON, whenever it changes. Its service token needs the scopes `events` and `accounts`:
//   ORRERY_SERVICE_TOKEN=... node leaderboard.ts http://127.0.0.1:3000
import { createGameClient } from '@orrery/client'
import { api } from '@orrery/client/routes'
import { setTimeout as sleep } from 'node:timers/promises'

/** Between two looks at the events, while there are no more. */
const LOOK_MS = 1000

const [url = 'http://127.0.0.1:3000'] = process.argv.slice(2)
const service = createGameClient({ url }).service(process.env['ORRERY_SERVICE_TOKEN'] ?? '')
const names = new Map<string, string>()
const score: Record<string, number> = {}

async function pilotOf(shipId: string): Promise<string> {
  const { players } = await service.call(api.readPlayers, { search: shipId, limit: 1 })
  return players[0]?.username ?? shipId
}

for (let asked: { limit: number; after?: string } = { limit: 500 }; ;) {
  const { events, cursor } = await service.call(api.readEvents, asked)
  asked = { ...asked, after: cursor }
  const completed = events.filter(({ event_type: type }) => type === 'completed')
  for (const { ship_id: shipId } of completed) {
    const name = names.get(shipId) ?? (await pilotOf(shipId))
    names.set(shipId, name)
    score[name] = (score[name] ?? 0) + 1
  }
  if (completed.length > 0) process.stdout.write(`${JSON.stringify(score)}\n`)
  if (events.length === 0) await sleep(LOOK_MS)
}
