// Law: what is drawn of a line is the part of it in the picture, however far its ends are.
import { expect, test } from 'vitest'
import { LinePen } from '../../src/map/line-pen.ts'

const [WIDTH, HEIGHT, MARGIN] = [640, 480, 20]

/** Segments that a pen has drawn. */
function drawn(points: readonly (readonly [number, number])[]): number[][] {
  const segments: number[][] = []
  let at: readonly number[] = []
  const target = {
    moveTo: (x: number, y: number): void => void (at = [x, y]),
    lineTo: (x: number, y: number): void => {
      segments.push([...at, x, y])
      at = [x, y]
    },
  }
  const pen = new LinePen(target, WIDTH, HEIGHT)
  for (const [i, [x, y]] of points.entries()) {
    if (i === 0) pen.moveTo(x, y)
    else pen.lineTo(x, y)
  }
  return segments
}

test('a line of which nothing is in the picture is not drawn', () => {
  expect(
    drawn([
      [-1e9, -50],
      [1e9, -50],
    ]),
  ).toEqual([])
  expect(
    drawn([
      [-500, 240],
      [-100, 300],
      [-30, 5000],
    ]),
  ).toEqual([])
})

test('a line through the picture is cut at its edges', () => {
  expect(
    drawn([
      [-1e12, 240],
      [1e12, 240],
    ]),
  ).toEqual([[-MARGIN, 240, WIDTH + MARGIN, 240]])
  expect(
    drawn([
      [320, 240],
      [320, -1e15],
    ]),
  ).toEqual([[320, 240, 320, -MARGIN]])
})

test('what is inside is drawn as it is, in one stroke', () => {
  const line = [
    [10, 10],
    [200, 300],
    [630, 20],
  ] as const
  expect(drawn(line)).toEqual([
    [10, 10, 200, 300],
    [200, 300, 630, 20],
  ])
})
