// Law: in a crowded system a client sees the 10,000 ships nearest to its own, those within its
// radius, or those it names, its own always among them; a pilot is heard by the nearest 100 of many
// others. Method: ships of a real world, found by a
// plain sort of where they are.
import { Engine, addShip, createGameClock } from '@orrery/engine/testing'
import { launch, placeOnSpawnOrbit } from '@orrery/sim'
import { createChance, simulatedClock } from '@orrery/testkit'
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { Channel } from '../../../src/binary/channel.ts'
import { ClientInterest } from '../../../src/binary/kept-interest.ts'
import type { Moment } from '../../../src/binary/moment.ts'
import { Interests } from '../../../src/binary/nearest-ships.ts'
import { PilotsInView } from '../../../src/talk/pilots-in-view.ts'
import { callingThread, smallUniverse } from '../small-universe.ts'

const COUNT = 10_500

const universe = smallUniverse(COUNT + 256)
const [world] = universe.worlds
const entries = Array.from({ length: COUNT }, (_, i) => addShip(world, randomUUID(), `Ship ${i}`))
// They begin in even rows, where two at a time are as far: scattered along their orbit.
const { below } = createChance(20_261)
const { flight, index, state } = world
for (const { slot } of entries) {
  state.ships.spawnKey[2 * slot] = below(2 ** 32)
  placeOnSpawnOrbit(state, slot, 0, index)
  launch(flight, slot, index)
}
const channel = new Channel(world, 0)
const engine = new Engine({
  universe,
  pool: callingThread(universe),
  clock: simulatedClock(0),
  gameClock: createGameClock(world.index),
  tick: 0,
  tickRate: 1,
  timeScale: 1,
  paused: true,
  onPublish: () => undefined,
  onFault: () => undefined,
})
const places = engine.sky().fleets.get('sol')!.positions()
const interests = new Interests(() => 0)

const away = (a: number, b: number): number =>
  Math.hypot(...[0, 1, 2].map((axis) => places[3 * a + axis] - places[3 * b + axis]))

/** Numbers of the nearest ships, the own one first. */
function nearest(own: number): readonly number[] {
  const far = entries.map((_, place) => away(own, place))
  return entries
    .map((_, place) => place)
    .toSorted((a, b) => far[a] - far[b])
    .map((place) => entries[place].number)
}

const rising = (numbers: Iterable<number>): number[] => [...numbers].toSorted((a, b) => a - b)

test('the nearest 10,000 of a crowd, in order of distance', () => {
  expect(channel.whole).toBeUndefined()
  for (const own of [0, 5000, COUNT - 1]) {
    const ships = interests.ships(channel, entries[own], {})
    const expected = nearest(own).slice(0, 10_000)
    expect([...ships.numbers]).toEqual(rising(expected))
    const order = interests.order(channel, entries[own], ships)
    expect(Array.from(order, (place) => ships.numbers[place])).toEqual(expected)
    for (const [place, number] of ships.numbers.entries()) {
      expect(world.roster.byNumber.get(number)?.slot).toBe(ships.slots[place])
    }
  }
})

test('a radius, ids, both, and an observer', () => {
  const own = entries[17]
  const radius = 3e6
  const near = entries.filter((_, place) => away(17, place) <= radius)
  const numbersOf = (list: typeof entries): number[] => rising(list.map(({ number }) => number))
  expect([...interests.ships(channel, own, { radius }).numbers]).toEqual(numbersOf(near))
  const some = [entries[3], own, entries[9000], entries[10_400]]
  const ids = [...some.map(({ shipId }) => shipId), randomUUID()]
  expect([...interests.ships(channel, own, { ids }).numbers]).toEqual(numbersOf(some))
  const both = some.filter((entry) => near.includes(entry))
  expect([...interests.ships(channel, own, { ids, radius }).numbers]).toEqual(numbersOf(both))
  const observed = interests.ships(channel, undefined, {})
  expect([...observed.numbers]).toEqual(numbersOf(entries.slice(0, 10_000)))
})

test('a decision holds for a second, and of ships that are named until some come or go', () => {
  const [, own, other] = entries
  const radius = { radius: 3e6 }
  const named = { ids: [entries[3].shipId] }
  for (const [subscription, isLasting] of [
    [{}, false],
    [radius, false],
    [named, true],
  ] as const) {
    const interest = new ClientInterest()
    const moment = { nowMs: 0, interests, hasTime: () => true } as unknown as Moment
    const ships = interest.ships(channel, own, subscription, moment)
    const settled = (nowMs: number, more: Partial<{ own: typeof own; ships: typeof ships }> = {}) =>
      interest.isSettled(more.ships ?? ships, channel, more.own ?? own, { subscription, nowMs })
    expect(settled(999)).toBe(true)
    expect(settled(1000)).toBe(isLasting)
    expect(settled(0, { own: other })).toBe(false)
    expect(settled(0, { ships: { ...ships } })).toBe(false)
    const another = { subscription: { ...subscription }, nowMs: 0 }
    expect(interest.isSettled(ships, channel, own, another)).toBe(false)
  }
})

test('the nearest 100 of those whose pilots are connected hear a pilot', () => {
  const online = entries.filter((_, place) => place % 7 === 0)
  const ships = [...online.map(({ shipId }) => shipId), randomUUID()]
  const inView = new PilotsInView({ universe, sky: () => engine.sky() }, () => 0)
  for (const own of [17, 7000]) {
    const isHeard = new Set(online.map(({ number }) => number))
    isHeard.delete(entries[own].number)
    const expected = nearest(own).filter((number) => isHeard.has(number))
    const heard = inView.of(entries[own].shipId, ships)
    expect(heard.map((id) => world.roster.byId.get(id)?.number)).toEqual(expected.slice(0, 100))
    const few = ships.slice(-90)
    expect(inView.of(entries[own].shipId, few)).toEqual(few.slice(0, -1))
  }
  expect(inView.of(randomUUID(), ships)).toEqual([])
})
