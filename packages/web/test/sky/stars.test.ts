// Law: the committed data of stars show the sky: 5,044 of them, the brightest first, each in place,
// and constellations are lines between them.
import { readFile } from 'node:fs/promises'
import { angleBetween, vector, type Vector } from '@orrery/page-kit'
import { expect, test } from 'vitest'
import type { Catalogue } from '../../src/labels/constellations.ts'
import { starDirections } from '../../src/sky/star-directions.ts'

/** Right ascension and declination in degrees (J2000) and visual magnitude, from XHIP. */
const BRIGHTEST = [
  [101.287, -16.716, -1.44],
  [95.988, -52.696, -0.62],
  [213.915, 19.182, -0.05],
] as const

test('5,044 stars, Sirius, Canopus and Arcturus first', async () => {
  const bytes = await readFile(new URL('../../assets/stars.bin', import.meta.url))
  expect(bytes.length / 8).toBe(5044)
  const magnitudes = Array.from({ length: 5044 }, (_, i) => bytes[8 * i + 6])
  expect(magnitudes).toEqual(magnitudes.toSorted((a, b) => a - b))
  const found = Array.from({ length: 8 }, (_, i) => {
    const [x, y, z] = [0, 2, 4].map((at) => bytes.readInt16LE(8 * i + at) / 32_767)
    const rightAscension = (Math.atan2(y, x) * 180) / Math.PI
    return [(rightAscension + 360) % 360, (Math.asin(z) * 180) / Math.PI, magnitudes[i] / 30 - 2]
  })
  for (const [rightAscension, declination, magnitude] of BRIGHTEST) {
    const star = found.find(([a]) => Math.abs(a - rightAscension) < 0.05) ?? []
    expect(star[1]).toBeCloseTo(declination, 1)
    expect(star[2]).toBeCloseTo(magnitude, 1)
  }
  expect(found[0][0]).toBeCloseTo(101.287, 1)
})

test('88 constellations of short lines, and names of the brightest hundred', async () => {
  const [stars, text] = await Promise.all(
    ['stars.bin', 'constellations.json'].map((name) =>
      readFile(new URL(`../../assets/${name}`, import.meta.url)),
    ),
  )
  const catalogue = JSON.parse(text.toString()) as Catalogue
  expect(new Set(catalogue.stars).size).toBe(100)
  expect(catalogue.stars.slice(0, 3)).toEqual(['Sirius', 'Canopus', 'Arcturus'])
  expect(new Set(catalogue.constellations.map(({ name }) => name)).size).toBe(88)
  const directions = starDirections(
    stars.buffer.slice(stars.byteOffset, stars.byteOffset + stars.length),
  )
  const at = (star: number): Vector => vector(...directions.subarray(3 * star, 3 * star + 3))
  const lengths = catalogue.constellations.flatMap(({ lines }) =>
    lines.flatMap((line) => line.slice(1).map((star, i) => angleBetween(at(line[i]), at(star)))),
  )
  expect(lengths.length).toBeGreaterThan(600)
  expect(Math.max(...lengths)).toBeLessThan(0.5)
  expect(Math.min(...lengths)).toBeGreaterThan(0)
})
