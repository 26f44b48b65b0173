/**
 * Law: an order of one's own ship acts here at once, and is sent for that index; what the server
 * answers otherwise is put right.
 * Method: a real socket to a server on a real port that flies the ship with the core.
 */
import { ACTIVITIES, PLAN, TARGETS, clearRail, segmentAttitude } from '@orrery/sim'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createShipSample } from '../../src/flight/index.ts'
import { WELCOME } from '../local-server.ts'
import {
  type FlownShip,
  INDEX,
  OTHER,
  SHIP,
  SLOT,
  STATION,
  next,
  openFlownShip,
} from './flown-ship.ts'
import { seedOf } from './sent-frames.ts'

const out = createShipSample()
const attitude = new Float64Array(4)
let me: FlownShip

beforeEach(async () => {
  me = await openFlownShip()
})

afterEach(() => me.close())

/** Docks the server's ship at the station. */
function dock(): void {
  const { ships, slots } = me.core.state
  const at = (ships.plan.length / slots) * SLOT
  ships.activity[SLOT] = ACTIVITIES.indexOf('docked')
  ships.plan[at + PLAN.targetKind] = TARGETS.indexOf('rail')
  ships.plan[at + PLAN.target] = STATION.row
  for (const never of [PLAN.wake, PLAN.deadline, PLAN.sampledAt]) ships.plan[at + never] = Infinity
}

describe('an order', () => {
  it('acts here and on the server at the boundary before what is shown', async () => {
    await me.seed()
    me.clock.pass(1010)
    const { answer, sent } = await me.given()
    expect(sent).toMatchObject({ thrust_level: 1, at: INDEX + 64 })
    expect([me.throttle(INDEX + 63), me.throttle(INDEX + 66)]).toEqual([0, 1])
    me.obey({ thrustLevel: 1 }, INDEX + 64)
    me.accept(sent, INDEX + 64)
    expect(await answer).toMatchObject({ index: INDEX + 64 })
    const [shown, expected] = me.places(INDEX + 6400)
    expect(shown).toEqual(expected)
    expect(me.corrections).toEqual([])
  })

  it.each([
    [0, 4],
    [3, 4],
    [4, 8],
  ])('acts after what is published: %d, %d', async (published, at) => {
    await me.seed()
    await me.publish(INDEX + published)
    const { sent } = await me.given()
    expect(sent.at).toBe(INDEX + at)
  })

  it('that the server lets act later moves the ship to where it is then', async () => {
    await me.seed()
    me.clock.pass(1000)
    const { answer, sent } = await me.given()
    me.places(INDEX + 640)
    me.accept(sent, INDEX + 128)
    await answer
    expect(me.corrections).toEqual([['later', expect.any(Number)]])
    expect(me.corrections[0][1]).toBeGreaterThan(1)
    me.obey({ thrustLevel: 1 }, INDEX + 128)
  })

  it('that is refused is taken back', async () => {
    await me.seed()
    me.clock.pass(1000)
    const { answer, sent } = await me.given()
    expect(me.throttle(INDEX + 640)).toBe(1)
    me.refuse(sent, 'E003')
    await expect(answer).rejects.toMatchObject({ code: 'E003' })
    expect(me.throttle(INDEX + 640)).toBe(0)
    expect(me.corrections).toEqual([['refused', expect.any(Number)]])
    const [shown, expected] = me.places(INDEX + 640)
    expect(shown).toEqual(expected)
  })

  it('of which nothing is known acts until another seed shows it', async () => {
    await me.seed()
    me.clock.pass(1000)
    const { answer, sent } = await me.given()
    me.refuse(sent, 'E008')
    await expect(answer).rejects.toMatchObject({ code: 'E008' })
    await me.side.next('seed_request')
    expect(me.throttle(INDEX + 640)).toBe(1)
    await me.publish(INDEX + 128, seedOf(me.core, SLOT, INDEX + 128))
    expect(me.throttle(INDEX + 640)).toBe(0)
    expect(me.corrections).toEqual([['unknown', expect.any(Number)]])
  })

  it('that is too far ahead is given again for as soon as it can act', async () => {
    await me.seed()
    me.clock.pass(3000)
    const { answer, sent } = await me.given()
    expect(sent.at).toBe(INDEX + 192)
    expect(me.throttle(INDEX + 640)).toBe(1)
    me.refuse(sent, 'E001')
    const again = await me.side.next('control')
    expect(again).toMatchObject({ thrust_level: 1, at: INDEX + 4 })
    me.accept(again, INDEX + 4)
    await answer
    expect(me.corrections).toEqual([['later', expect.any(Number)]])
    me.obey({ thrustLevel: 1 }, INDEX + 4)
    const [shown, expected] = me.places(INDEX + 640)
    expect(shown).toEqual(expected)
  })

  it('is far ahead only beyond what the server grants whatever it has published', async () => {
    await me.seed()
    me.clock.pass(1875)
    const { answer, sent } = await me.given()
    expect(sent.at).toBe(INDEX + 120)
    me.refuse(sent, 'E001')
    await expect(answer).rejects.toMatchObject({ code: 'E001' })
    expect(await me.sent()).toEqual(['control'])
  })

  it('whose connection is lost acts until another seed shows it', async () => {
    await me.seed()
    me.clock.pass(1000)
    const { answer } = await me.given()
    expect(me.throttle(INDEX + 640)).toBe(1)
    me.side.cut()
    await expect(answer).rejects.toMatchObject({ code: 'connection_lost' })
    expect(me.throttle(INDEX + 640)).toBe(1)
    expect(me.corrections).toEqual([])
  })

  it('that is answered once another ship is flown moves nothing', async () => {
    await me.seed()
    me.clock.pass(1000)
    const { answer, sent } = await me.given()
    expect(me.throttle(INDEX + 640)).toBe(1)
    me.side.send({ type: 'reset', era: 1, tick: 1, game_time: WELCOME.game_time })
    await next((listener) => me.socket.on('reset', listener))
    await me.seed()
    me.refuse(sent, 'E003')
    await expect(answer).rejects.toMatchObject({ code: 'E003' })
    expect(me.corrections).toEqual([])
    expect(me.modes).toEqual(['flown', 'no_seed', 'flown'])
  })

  it('of a docked ship is to undock, or about its wheels, before any other', async () => {
    await me.station()
    dock()
    await me.seed()
    const thrust = me.flight.ship.order({ type: 'control', thrust_level: 1 })
    await expect(thrust).rejects.toThrow('The ship is docked')
    const both = me.flight.ship.order({ type: 'control', thrust_level: 1, wheel_unloading: true })
    await expect(both).rejects.toMatchObject({ code: 'E003' })
    await me.given({ type: 'control', wheel_unloading: true })
    const undocking = me.flight.ship.order({ type: 'undock' })
    undocking.catch(() => undefined)
    await me.side.next('undock')
    const { sent } = await me.given()
    expect(sent).toMatchObject({ thrust_level: 1, at: INDEX + 4 })
    expect(me.throttle(INDEX + 64)).toBe(1)
    expect(await me.sent()).toEqual(['control', 'undock', 'control'])
  })

  it('that is not one is refused here, and the ship flies on', async () => {
    await me.seed()
    const nowhere = { type: 'control', pointing: 'target', target_body: 'Pluto' } as const
    const refused = me.flight.ship.order(nowhere)
    await expect(refused).rejects.toThrow('target_body names no body in this star system')
    expect(me.modes).toEqual(['flown'])
  })

  it('that is refused for another reason, or is not the latest, is not given again', async () => {
    await me.seed()
    me.clock.pass(1000)
    const near = await me.given()
    me.refuse(near.sent, 'E001')
    await expect(near.answer).rejects.toMatchObject({ code: 'E001' })
    me.clock.pass(2000)
    const [older, newer] = [
      await me.given(),
      await me.given({ type: 'control', thrust_level: 0.5 }),
    ]
    me.refuse(older.sent, 'E001')
    await expect(older.answer).rejects.toMatchObject({ code: 'E001' })
    me.accept(newer.sent, newer.sent.at)
    await newer.answer
    expect(me.throttle(INDEX + 640)).toBe(0.5)
    expect(await me.sent()).toEqual(['control', 'control', 'control'])
  })

  it.each([
    [0.9, 140],
    [1.1, 152],
  ])('names its index two seconds ahead at most, at a scale of %d', async (scale, ahead) => {
    await me.seed()
    me.clock.pass(2900)
    const shown = me.flight.clock.now()
    // The clock stands until the server's has come so far.
    await me.publish(INDEX + 20, [], scale)
    expect(me.flight.clock.now()).toBe(shown)
    const { sent } = await me.given()
    expect(sent.at).toBe(INDEX + ahead)
  })

  it('aims at a station as the server does', async () => {
    await me.station()
    await me.seed()
    await me.given({ type: 'control', pointing: 'target', target_station_id: STATION.id })
    me.obey({ pointing: 'target', stationId: STATION.id }, INDEX + 4)
    const index = INDEX + 6400
    const [shown, due] = me.places(index)
    expect(shown).toEqual(due)
    expect(me.flight.world.shipAt(out, SHIP, index)).toBe(true)
    segmentAttitude(attitude, me.core, SLOT, out, index, 0)
    expect(out.attitude).toEqual(attitude)
    expect(Math.abs(attitude[0])).toBeLessThan(0.99)
  })

  it('aims at nothing where the station was', async () => {
    await me.station()
    await me.seed()
    await me.given({ type: 'control', pointing: 'target', target_station_id: STATION.id })
    me.obey({ pointing: 'target', stationId: STATION.id }, INDEX + 4)
    me.places(INDEX + 640)
    clearRail(me.core.state.rails, STATION.row)
    me.side.send({ type: 'objects', system_id: me.core.state.system.id, objects: [] })
    await next((listener) => me.socket.on('objects', listener))
    const index = INDEX + 6400
    const [shown, due] = me.places(index)
    expect(shown).toEqual(due)
    expect(me.flight.world.shipAt(out, SHIP, index)).toBe(true)
    segmentAttitude(attitude, me.core, SLOT, out, index, 0)
    expect(out.attitude).toEqual(attitude)
  })

  it('that the ship cannot take is not sent', async () => {
    await me.seed()
    const undock = me.flight.ship.order({ type: 'undock' })
    await expect(undock).rejects.toThrow('The ship is not docked')
    await expect(undock).rejects.toMatchObject({ code: 'E003' })
    const dock = me.flight.ship.order({ type: 'dock', station_id: OTHER })
    await expect(dock).rejects.toMatchObject({ code: 'E002' })
    expect(await me.sent()).toEqual([])
  })

  it('to watch another ship is sent as it is, and the ship shown as received', async () => {
    await me.seed()
    const watch = { type: 'control', pointing: 'target', target_ship_id: OTHER } as const
    const { answer, sent } = await me.given(watch)
    expect(sent).toMatchObject(watch)
    expect(sent).not.toHaveProperty('at')
    me.accept(sent)
    await answer
    expect(me.flight.ship.mode).toEqual({ mode: 'received', reason: 'watching' })
    // It may end the watch once it has acted: in the tick after the one under way.
    await me.publish(INDEX + 64)
    await me.publish(INDEX + 64)
    expect(await me.sent()).toEqual(['control'])
    await me.publish(INDEX + 128)
    expect(await me.sent()).toEqual(['control', 'seed_request'])
    await me.publish(INDEX + 192)
    expect(await me.sent()).toEqual(['control', 'seed_request'])
  })

  it('that was given elsewhere is found with another seed', async () => {
    await me.seed()
    const elsewhere = async (): Promise<void> => {
      me.side.send({ type: 'accepted', id: 'elsewhere', game_time: WELCOME.game_time })
      await next((listener) => me.socket.on('accepted', listener))
    }
    await elsewhere()
    expect(await me.sent()).toEqual(['seed_request'])
    // The seed that is awaited may be of before it.
    await elsewhere()
    expect(await me.sent()).toEqual(['seed_request'])
    await me.publish(INDEX + 64, seedOf(me.core, SLOT, INDEX))
    expect(await me.sent()).toEqual(['seed_request', 'seed_request'])
    await me.publish(INDEX + 64, seedOf(me.core, SLOT, INDEX))
    expect(await me.sent()).toEqual(['seed_request', 'seed_request'])
  })
})
