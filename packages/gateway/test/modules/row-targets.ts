/**
 * Law: orders name rows on rails as they name stations. Goal: a ship is flown to one, a client that
 * flies it, too, has the bits of the server, forecasts and rules know it, and nothing docks there;
 * a kill ends no order.
 */
import { connectSocket, createGameClient } from '@orrery/client'
import { createModulesClient, createShipSample, openFlight } from '@orrery/client/flight'
import { setTimeout } from 'node:timers/promises'
import { expect } from 'vitest'
import { register } from '../player-client.ts'
import type { UsedServer } from '../used-server.ts'

const sample = createShipSample()

/** A ship sets out to a row, and docks at none; returns what holds after a kill. */
export async function shipFliesToRow(server: UsedServer): Promise<() => Promise<void>> {
  const { token, ship_id: shipId } = await register(server, 'Prospector')
  const pilot = () => createGameClient({ url: server.url }).player(token)
  const { tables } = await createModulesClient({ url: server.url, token }).read()
  const id = String(tables['quarry']['pit'][0]['id'])
  const socket = connectSocket({ url: server.url, token, wire: 'binary' })
  const flight = openFlight({ socket })
  try {
    await new Promise((resolve) => flight.ship.on('mode', resolve))
    expect(flight.world.rows().find((row) => row.id === id)?.name).toBe('pit 1')
    await flight.ship.order({ type: 'control', pointing: 'target', target_station_id: id })
    await expect
      .poll(async () => (await pilot().ship()).steering)
      .toMatchObject({ pointing: 'target', target_station_id: id })
    await flight.ship.order({
      type: 'maneuver_start',
      maneuver: 'rendezvous',
      target_station_id: id.toUpperCase(),
    })
    const checks: boolean[] = []
    flight.ship.on('checked', ({ isEqual }) => checks.push(isEqual))
    while (checks.length < 3) {
      flight.world.shipAt(sample, shipId, flight.clock.now())
      await setTimeout(20)
    }
    expect(checks).not.toContain(false)
    await expect(socket.dock(id)).rejects.toMatchObject({ code: 'E002' })
  } finally {
    flight.close()
    socket.close()
  }
  const { marks } = await pilot().predict({ hours: 24, target_station_id: id })
  expect(marks).toContainEqual(expect.objectContaining({ station_id: id }))
  return async () => {
    const { maneuver } = await pilot().ship()
    expect(maneuver).toMatchObject({ maneuver: 'rendezvous', target_id: id })
    expect(maneuver?.distance).toBeGreaterThan(0)
  }
}
