// Law: what the build makes of other packages' files shows the same sky.
import { readFile } from 'node:fs/promises'
import { inflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { eighth } from '../../build/jpeg.ts'
import { encodedPng, paletteOpacity, reduced } from '../../build/png.ts'
import { milkyWayImage, starBytes } from '../../build/sky.ts'

const PACKAGES = new URL('../../node_modules/', import.meta.url)

async function celestial<Content>(name: string): Promise<Content> {
  return JSON.parse(await readFile(new URL(`d3-celestial/data/${name}`, PACKAGES), 'utf8'))
}

test('5,044 stars, Sirius first, each in its place', async () => {
  const bytes = Buffer.from(starBytes(await celestial('stars.6.json')))
  expect(bytes.length / 8).toBe(5044)
  const [x, y, z] = [0, 2, 4].map((at) => bytes.readInt16LE(at) / 32_767)
  expect((Math.atan2(y, x) * 180) / Math.PI).toBeCloseTo(101.287, 1)
  expect((Math.asin(z) * 180) / Math.PI).toBeCloseTo(-16.716, 1)
  expect(bytes[6] / 30 - 2).toBeCloseTo(-1.44, 1)
})

test('the Milky Way is brightest in Sagittarius and dark at its poles', async () => {
  const { width, pixels } = milkyWayImage(await celestial('mw.json'), 180)
  const at = (rightAscension: number, declination: number): number => {
    const x = Math.round((((rightAscension + 180) % 360) * width) / 360)
    return pixels[Math.round(90 - declination) * width + x]
  }
  expect(at(270, -29)).toBeGreaterThan(120)
  expect(at(310, 42)).toBeGreaterThan(60)
  expect(at(193, 27)).toBe(0)
  expect(at(13, -27)).toBe(0)
})

test('an image is read back as it was written', () => {
  const pixels = Uint8Array.from({ length: 64 * 16 }, (_, i) => (i * i * 31) % 256)
  const png = Buffer.from(encodedPng({ width: 64, height: 16, pixels }))
  const length = png.readUInt32BE(33)
  expect(png.toString('latin1', 37, 41)).toBe('IDAT')
  const rows = inflateSync(png.subarray(41, 41 + length))
  const back = new Uint8Array(64 * 16)
  for (let i = 0; i < back.length; i++) {
    const above = i < 64 ? 0 : back[i - 64]
    back[i] = rows[Math.floor(i / 64) * 65 + 1 + (i % 64)] + above
  }
  expect(back).toEqual(pixels)
})

test('clouds cover a third of Earth, and fewer pixels cover as much', async () => {
  const file = await readFile(new URL('three-globe/example/clouds/clouds.png', PACKAGES))
  const clouds = paletteOpacity(file)
  const mean = (pixels: Uint8Array): number =>
    pixels.reduce((sum, pixel) => sum + pixel, 0) / pixels.length / 255
  expect(mean(clouds.pixels)).toBeGreaterThan(0.1)
  expect(mean(clouds.pixels)).toBeLessThan(0.4)
  expect(mean(reduced(clouds, 4).pixels)).toBeCloseTo(mean(clouds.pixels), 2)
})

test('an eighth of the image of Earth has its places in their colours', async () => {
  const file = await readFile(new URL('three-globe/example/img/earth-blue-marble.jpg', PACKAGES))
  const { width, height, pixels } = eighth(file)
  expect([width, height]).toEqual([512, 256])
  const at = (longitude: number, latitude: number): readonly number[] => {
    const x = Math.floor(((longitude + 180) / 360) * width)
    const y = Math.floor(((90 - latitude) / 180) * height)
    return [...pixels.subarray(3 * (y * width + x), 3 * (y * width + x) + 3)]
  }
  expect(Math.min(...at(60, -82))).toBeGreaterThan(200)
  const [red, green, blue] = at(10, 24)
  expect(red).toBeGreaterThan(green)
  expect(green).toBeGreaterThan(blue + 20)
  const [amazonRed, amazonGreen, amazonBlue] = at(-63, -5)
  expect(amazonGreen).toBeGreaterThan(Math.max(amazonRed, amazonBlue))
  const [seaRed, , seaBlue] = at(-130, 0)
  expect(seaBlue).toBeGreaterThan(2 * seaRed)
  expect(seaRed).toBeLessThan(40)
})
