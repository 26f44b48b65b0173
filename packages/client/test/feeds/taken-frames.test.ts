/**
 * Law: each value of a frame stands in the record of its ship, and a step or a burn begins as the
 * one before ended. Method: blocks of random values for several ships, compared by hand.
 */
import { FrameError, createBlock } from '@orrery/protocol'
import { COURIER } from '@orrery/sim'
import { createChance } from '@orrery/testkit/chance'
import { beforeEach, expect, it, test } from 'vitest'
import { takeFrame } from '../../src/feeds/frame-intake.ts'
import { ARC, ARC_DOUBLES } from '../../src/scene/arc.ts'
import { HULL_DOUBLES, RECEIVED_HULL } from '../../src/scene/received-hull.ts'
import { Scene } from '../../src/scene/scene.ts'
import { PAIR, anchorOf, identities, pairAt, readFrame } from '../flight/sent-frames.ts'

const { share } = createChance(3)
const NUMBERS = [3, 5, 9]
const INDEX = 6400

let scene: Scene
/** the last record of each ship */
let arcs: number[][]

/** So many random values. */
const some = (count: number): number[] => Array.from({ length: count }, () => share())

/** The values of one ship among those of all. */
const part = (values: ArrayLike<number>, i: number, width = 3): number[] =>
  Array.from({ length: width }, (_, k) => values[width * i + k])

const recorded = (number: number): number[] => {
  const { arcs: records } = scene.received
  const at = records.last(scene.received.row(number))
  return [...records.values.subarray(at, at + ARC_DOUBLES)]
}

beforeEach(() => {
  scene = new Scene()
  scene.enter(PAIR, [COURIER])
  const block = createBlock('arcs', NUMBERS.length)
  const { columns } = block
  columns.number.set(NUMBERS)
  columns.reference.set([0, 1, 1])
  columns.start.set([10, 20, 30])
  columns.end.set([1000, 2000, 3000])
  const triples = [
    columns.position,
    columns.velocity,
    columns.acceleration,
    columns.endPosition,
    columns.endVelocity,
    columns.endAcceleration,
  ]
  for (const triple of triples) triple.set(some(triple.length))
  takeFrame(scene, readFrame(INDEX, [block]))
  arcs = NUMBERS.map((_, i) => [
    columns.start[i],
    columns.end[i],
    ...triples.flatMap((triple) => part(triple, i)),
    columns.reference[i],
  ])
})

test('whole steps', () => {
  expect(ARC).toMatchObject({ start: 0, end: 1, r0: 2, v0: 5, a0: 8, r1: 11, v1: 14, a1: 17 })
  expect(NUMBERS.map(recorded)).toEqual(arcs)
})

test.each(['steps', 'burns'] as const)('%s', (name) => {
  // One ship is not known, and of one only the attitude is.
  const hulls = createBlock('hulls', 1)
  hulls.columns.number[0] = 7
  const [unknown, turning, ...others] = [77, 7, 9, 5]
  const block = createBlock(name, 4)
  const { columns } = block
  columns.number.set([unknown, turning, ...others])
  columns.end.set([1, 2, 300, 400])
  const ends = [columns.endPosition, columns.endVelocity, columns.endAcceleration]
  for (const triple of ends) triple.set(some(triple.length))
  const acceleration = 'acceleration' in columns ? columns.acceleration : undefined
  acceleration?.set(some(acceleration.length))
  takeFrame(scene, readFrame(INDEX, [hulls, block]))
  for (const [i, number] of others.entries()) {
    const before = arcs[NUMBERS.indexOf(number)]
    expect(recorded(number)).toEqual([
      before[ARC.end],
      INDEX + columns.end[2 + i],
      ...before.slice(ARC.r1, ARC.a1),
      ...(acceleration ? part(acceleration, 2 + i) : before.slice(ARC.a1, ARC.reference)),
      ...ends.flatMap((triple) => part(triple, 2 + i)),
      before[ARC.reference],
    ])
  }
  expect(recorded(3)).toEqual(arcs[0])
  expect(scene.received.arcs.kept[scene.received.row(turning)]).toBe(0)
  expect(scene.received.row(unknown)).toBe(-1)
})

test('attitudes and engines', () => {
  const block = createBlock('hulls', 2)
  const { columns } = block
  const { number, start, fuel, flow, attitude, rate, wheels, thrustLevel, ...codes } = columns
  number.set([9, 3])
  start.set([64, 128])
  for (const column of [fuel, flow, attitude, rate, wheels, thrustLevel]) {
    column.set(some(column.length))
  }
  const { condition, mode, pointing, aimKind, aim } = codes
  for (const [i, column] of [condition, mode, pointing, aimKind, aim].entries()) {
    column.set([i + 1, i + 6])
  }
  takeFrame(scene, readFrame(INDEX, [block]))
  const { hulls } = scene.received
  const found = [9, 3].map((one) => {
    const at = hulls.last(scene.received.row(one))
    return [...hulls.values.subarray(at, at + HULL_DOUBLES)].slice(0, RECEIVED_HULL.aim + 1)
  })
  expect(found).toEqual(
    [0, 1].map((i) => [
      start[i],
      fuel[i],
      flow[i],
      ...part(attitude, i, 4),
      ...part(rate, i),
      ...part(wheels, i),
      thrustLevel[i],
      ...[condition, mode, pointing, aimKind, aim].map((column) => column[i]),
    ]),
  )
})

test('identities', () => {
  const ships = [
    { number: 9, id: '01234567-89ab-4cde-8f01-23456789abcd', name: 'Ida ø' },
    { number: 5, id: 'fedcba98-7654-4210-8fed-cba987654321', name: '' },
    { number: 3, id: '0badcafe-0000-4000-8000-00000000000a', name: 'Eros' },
  ]
  takeFrame(scene, readFrame(INDEX, identities(ships)))
  expect(scene.ships().map(({ number, id, name }) => ({ number, id, name }))).toEqual(
    ships.toReversed(),
  )
})

test('what a clock counts, where there is one', () => {
  const clock = createBlock('clock', 1)
  clock.columns.inView[0] = 7
  clock.columns.waiting[0] = 4
  takeFrame(scene, readFrame(INDEX, [clock, createBlock('clock', 0)]))
  expect(scene.completeness()).toEqual({ known: 3, inView: 7, waiting: 4 })
})

it.each([-1, 2])('a reference body of %d is refused', (reference) => {
  const block = createBlock('arcs', 1)
  block.columns.reference[0] = reference
  expect(() => takeFrame(scene, readFrame(INDEX, [block]))).toThrow(FrameError)
  expect(scene.received.count).toBe(3)
})

it.each([
  ['ends before it begins', [4, 3], 'Ada'],
  ['ends behind all', [2, 5], 'Ada'],
])('a name that %s is refused', (_, ends, text) => {
  const [ships, names] = [createBlock('ships', 2), createBlock('names', text.length)]
  ships.columns.nameEnd.set(ends)
  expect(() => takeFrame(scene, readFrame(INDEX, [ships, names]))).toThrow(FrameError)
})

test('names without ships are passed over', () => {
  takeFrame(scene, readFrame(INDEX, [createBlock('names', 3)]))
  expect(scene.ships().map(({ name }) => name)).toEqual(['', '', ''])
})

test('an anchor of all bodies at a whole node is taken, and no other', () => {
  const take = (block: ReturnType<typeof anchorOf>): void =>
    takeFrame(scene, readFrame(INDEX, [block]))
  const between = anchorOf(pairAt(0))
  between.columns.node[0] = 0.5
  expect(() => take(between)).toThrow(FrameError)
  expect(() => take(createBlock('anchor', 1))).toThrow(FrameError)
  expect(scene.bodies?.reach(INDEX)).toBe(false)
  take(anchorOf(pairAt(0)))
  expect(scene.bodies?.reach(INDEX)).toBe(true)
})
