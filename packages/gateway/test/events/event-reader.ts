// A program that reads events by cursor while a pilot turns a ship and the server is killed.
import { type StreamedEventEntry, eventsResponse, serviceTokenResponse } from '@orrery/protocol'
import * as v from 'valibot'
import { expect } from 'vitest'
import { ask, openSocket, register } from '../player-client.ts'
import type { UsedServer } from '../used-server.ts'

const EVENTS = '/api/service/events'
const POINTINGS = ['prograde', 'retrograde', 'normal'] as const

export interface ReadThroughKills {
  /** events that a turn of the pilot began, and turns that were accepted */
  readonly begun: number
  readonly turns: number
}

/**
 * Reads events page by page while the server is killed right behind its answers to a pilot. Each
 * comes once, in the order in which one gets them who begins at the end.
 *
 * @param kills  each kills it and starts it again
 */
export async function readThroughKills(
  server: UsedServer,
  kills: readonly (() => Promise<void>)[],
): Promise<ReadThroughKills> {
  const wanted = { name: 'reader', scopes: ['events'] }
  const made = await server.order('POST', '/api/admin/service-tokens', wanted)
  const { token } = v.parse(serviceTokenResponse, made)
  const pilot = await register(server, 'Turner')
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
  for (const kill of [...kills, undefined]) {
    const socket = await openSocket(server, pilot.token)
    for (const pointing of POINTINGS) {
      // Of orders in one tick only the last begins a turn.
      await socket.freshTick()
      await socket.answer({ type: 'maneuver_start', maneuver: 'attitude', pointing })
      turns++
      await goOn()
    }
    await kill?.()
  }
  while (begun() < turns) await goOn()
  const all: StreamedEventEntry[] = []
  for (let cursor: string | undefined; ;) {
    const { events, cursor: next } = await page(cursor)
    all.push(...events.filter(({ id }) => id <= (read.at(-1)?.id ?? 0)))
    cursor = next
    if (events.length === 0) break
  }
  expect(read).toEqual(all)
  expect(new Set(read.map(({ id }) => id)).size).toBe(read.length)
  return { begun: begun(), turns }
}
