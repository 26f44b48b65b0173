// A program that reads events by cursor while a pilot turns a ship and the server is killed.
import { type StreamedEventEntry, eventsResponse, serviceTokenResponse } from '@orrery/protocol'
import * as v from 'valibot'
import { expect } from 'vitest'
import { ask, openSocket, register } from '../player-client.ts'
import type { UsedServer } from '../used-server.ts'

const EVENTS = '/api/service/events'
const POINTINGS = ['prograde', 'retrograde', 'normal'] as const

export interface ReadThroughKills {
  /** what the reader got page by page, and what one gets who begins at its end */
  readonly read: readonly StreamedEventEntry[]
  readonly all: readonly StreamedEventEntry[]
  /** events that a turn of the pilot began, and turns that were accepted */
  readonly begun: number
  readonly turns: number
}

/** Reads events while the server is killed right behind its answers to a pilot. */
export async function readThroughKills(
  server: UsedServer,
  kills: number,
): Promise<ReadThroughKills> {
  const wanted = { name: 'reader', scopes: ['events'] }
  const made = await server.order('POST', '/api/admin/service-tokens', wanted)
  const { token } = v.parse(serviceTokenResponse, made)
  const pilot = await register(server, 'Ida')
  const read: StreamedEventEntry[] = []
  let after: string | undefined

  const page = async (
    cursor: string | undefined,
  ): Promise<v.InferOutput<typeof eventsResponse>> => {
    const url = `${EVENTS}?limit=3${cursor === undefined ? '' : `&after=${cursor}`}`
    const { status, body } = await ask(server, 'GET', url, { token })
    expect(status).toBe(200)
    return v.parse(eventsResponse, body)
  }
  const goOn = async (): Promise<void> => {
    const { events, cursor } = await page(after)
    read.push(...events)
    after = cursor
  }
  const begun = (): number =>
    read.filter((event) => event.ship_id === pilot.ship_id && event.event_type === 'started').length

  await server.order('PUT', '/api/admin/game/tick-rate', { tick_rate: 10 })
  let turns = 0
  for (let kill = 0; kill <= kills; kill++) {
    const socket = await openSocket(server, pilot.token)
    for (const pointing of POINTINGS) {
      // Of orders in one tick only the last begins a turn.
      await socket.freshTick()
      await socket.answer({ type: 'maneuver_start', maneuver: 'attitude', pointing })
      turns++
      await goOn()
    }
    if (kill === kills) break
    await server.kill()
    await server.restart()
  }
  while (begun() < turns) await goOn()
  const all: StreamedEventEntry[] = []
  for (let cursor: string | undefined; ;) {
    const { events, cursor: next } = await page(cursor)
    all.push(...events.filter(({ id }) => id <= (read.at(-1)?.id ?? 0)))
    cursor = next
    if (events.length === 0) break
  }
  return { read, all, begun: begun(), turns }
}
