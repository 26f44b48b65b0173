// Law: the committed data of stars show the sky: 5,044 of them, the brightest first, each in place.
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'

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
