// Law: what a guest sees moves on the orbit about its body between two answers of the server.
// Method: circles and an ellipse about Earth against their closed forms, forth and back.
import { vector } from '@orrery/page-kit'
import { expect, test } from 'vitest'
import { coasted } from '../../src/guests/coasted.ts'

const GM = 3.986004418e14

const distance = (a: Float64Array, b: Float64Array): number =>
  Math.hypot(...a.map((value, axis) => value - b[axis]))

test('a circle is followed within a metre for as long as an answer may be late', () => {
  const radius = 6.8e6
  const speed = Math.sqrt(GM / radius)
  const from = { r: vector(radius, 0, 0), v: vector(0, speed, 0) }
  const out = { r: vector(), v: vector() }
  for (const seconds of [0, 0.02, 5, 60, 600, -5, -60]) {
    coasted(out, from, seconds, GM)
    const angle = (speed * seconds) / radius
    const place = vector(radius * Math.cos(angle), radius * Math.sin(angle), 0)
    expect(distance(out.r, place)).toBeLessThan(seconds <= 60 ? 0.1 : 10)
  }
})

test('half an ellipse ends at its other apsis, and back again where it began', () => {
  const [periapsis, apoapsis] = [7e6, 9e6]
  const axis = (periapsis + apoapsis) / 2
  const speed = Math.sqrt(GM * (2 / periapsis - 1 / axis))
  const from = { r: vector(0, periapsis, 0), v: vector(0, 0, speed) }
  const half = Math.PI * Math.sqrt(axis ** 3 / GM)
  const out = { r: vector(), v: vector() }
  coasted(out, from, half, GM)
  expect(distance(out.r, vector(0, -apoapsis, 0))).toBeLessThan(300)
  coasted(out, { r: out.r.slice(), v: out.v.slice() }, -half, GM)
  expect(distance(out.r, from.r)).toBeLessThan(600)
})
