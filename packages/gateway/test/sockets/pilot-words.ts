// What a pilot says to others: names, and a ping.
import type { RegisterResponse, ShipState } from '@orrery/protocol'
import { expect, test } from 'vitest'
import { type PlayerSocket, shipOf } from '../player-client.ts'

/** A player and his socket, known when the tests run. */
export interface Pilot extends RegisterResponse {
  readonly socket: PlayerSocket
}

export interface PilotWords {
  readonly ida: () => Pilot
  readonly max: () => Pilot
  readonly ownShip: (token: string) => Promise<ShipState>
}

export function pilotWords({ ida, max, ownShip }: PilotWords): void {
  test("a new ship name is trimmed, answered, and in the others' next tick", async () => {
    ida().socket.send({ type: 'ship_rename', id: 'r', name: '  Ida of Tharsis \n' })
    expect(await ida().socket.next('ship_renamed')).toEqual({
      type: 'ship_renamed',
      id: 'r',
      name: 'Ida of Tharsis',
    })
    expect(shipOf(await max().socket.freshTick(), ida().ship_id).name).toBe('Ida of Tharsis')
    expect((await ownShip(ida().token)).name).toBe('Ida of Tharsis')
    for (const name of ['abc', '🚀'.repeat(32), '<b>&"\'', 'Zoe\u0301']) {
      max().socket.send({ type: 'ship_rename', name })
      const renamed = { type: 'ship_renamed', name: name.normalize('NFC') }
      expect(await max().socket.next('ship_renamed')).toEqual(renamed)
    }
    expect(shipOf(await ida().socket.freshTick(), max().ship_id).name).toBe('Zo\u00e9')
  })

  test('a ship name outside 3 to 32 characters, or with hidden ones, is E030', async () => {
    const bad = ['', '  ', 'ab', ' ab ', 'x'.repeat(33), '🚀'.repeat(33), 'a\nbc', 'a\u202ebc']
    for (const name of [...bad, 'abc\ud800', undefined, null, 12345, ['abc'], { name: 'abc' }]) {
      max().socket.send({ type: 'ship_rename', id: 7, name })
      const error = await max().socket.next('error')
      expect(error).toMatchObject({ id: 7, code: 'E030' })
      expect(error.message).toContain('3-32 characters')
    }
    expect((await ownShip(max().token)).name).toBe('Zo\u00e9')
  })

  test('a ping is answered with what it carried and the time of the server', async () => {
    ida().socket.send({ type: 'ping', id: 'p', client_time: -12.5 })
    const { server_time: time, ...pong } = await ida().socket.next('pong')
    expect(pong).toEqual({ type: 'pong', id: 'p', client_time: -12.5 })
    expect(Math.abs(time - Date.now())).toBeLessThan(60_000)
    ida().socket.send({ type: 'ping' })
    expect(Object.keys(await ida().socket.next('pong'))).toEqual(['type', 'server_time'])
  })
}
