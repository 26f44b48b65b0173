// A program beside the server: counts the maneuvers that pilots complete, prints the score as JSON
// whenever it changes, and writes to a pilot at each tenth. Its service token needs the scopes
// `events`, `accounts` and `commands`:
//   ORRERY_SERVICE_TOKEN=... node leaderboard.ts http://127.0.0.1:3000 10
import { ClientError, createGameClient } from '@orrery/client'
import { api } from '@orrery/client/routes'
import { setTimeout as sleep } from 'node:timers/promises'

/** Between two looks at the events, while there are no more. */
const LOOK_MS = 1000

const [url = 'http://127.0.0.1:3000', prizeEach = '10'] = process.argv.slice(2)
const service = createGameClient({ url }).service(process.env['ORRERY_SERVICE_TOKEN'] ?? '')
const names = new Map<string, string>()
const score: Record<string, number> = {}

async function pilotOf(shipId: string): Promise<string> {
  const { players } = await service.call(api.readPlayers, { search: shipId, limit: 1 })
  return players[0]?.username ?? shipId
}

/** Under the event as its key: a program that starts again and counts again pays none twice. */
async function pay(shipId: string, count: number, event: string): Promise<void> {
  const text = `That was maneuver ${count}: a prize!`
  await service
    .once(event)(api.announce, { ship_id: shipId, text })
    .catch((error: unknown) => {
      // The pilot has gone.
      if (!(error instanceof ClientError && error.code === 'E006')) throw error
    })
}

for (let asked: { limit: number; after?: string } = { limit: 500 }; ;) {
  const { events, cursor } = await service.call(api.readEvents, asked)
  asked = { ...asked, after: cursor }
  const completed = events.filter(({ event_type: type }) => type === 'completed')
  for (const { id, ship_id: shipId, system } of completed) {
    const name = names.get(shipId) ?? (await pilotOf(shipId))
    names.set(shipId, name)
    const count = (score[name] ?? 0) + 1
    score[name] = count
    if (count % Number(prizeEach) === 0) await pay(shipId, count, `${system} ${id}`)
  }
  if (completed.length > 0) process.stdout.write(`${JSON.stringify(score)}\n`)
  if (events.length === 0) await sleep(LOOK_MS)
}
