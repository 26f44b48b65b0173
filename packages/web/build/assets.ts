/** The images and star data of the page, made from files inside npm packages. */
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { eighth } from './jpeg.ts'
import { encodedPng, paletteOpacity, reduced } from './png.ts'
import { type MilkyWayFeatures, type StarFeatures, milkyWayImage, starBytes } from './sky.ts'

/** By the name that the page imports from `virtual:assets`. */
export const ASSETS = {
  earthDay: 'earth-day.jpg',
  earthSmall: 'earth-small.png',
  earthNight: 'earth-night.jpg',
  earthClouds: 'earth-clouds.png',
  stars: 'stars.bin',
  milkyWay: 'milky-way.png',
} as const

/** The clouds are a quarter as wide as their source, 1,024 pixels. */
const CLOUDS_FACTOR = 4

/** Pixels; the outlines are not finer. */
const MILKY_WAY_HEIGHT = 512

const PACKAGES = new URL('../node_modules/', import.meta.url)
const EARTH = new URL('three-globe/example/', PACKAGES)
const SKY = new URL('d3-celestial/data/', PACKAGES)

export async function writeAssets(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true })
  const path = (name: keyof typeof ASSETS): string => join(directory, ASSETS[name])
  const day = await readFile(new URL('img/earth-blue-marble.jpg', EARTH))
  const clouds = paletteOpacity(await readFile(new URL('clouds/clouds.png', EARTH)))
  const stars: StarFeatures = await json('stars.6.json')
  const milkyWay: MilkyWayFeatures = await json('mw.json')
  await Promise.all([
    writeFile(path('earthDay'), day),
    writeFile(path('earthSmall'), encodedPng(eighth(day))),
    copyFile(fileURLToPath(new URL('img/earth-night.jpg', EARTH)), path('earthNight')),
    writeFile(path('earthClouds'), encodedPng(reduced(clouds, CLOUDS_FACTOR))),
    writeFile(path('stars'), starBytes(stars)),
    writeFile(path('milkyWay'), encodedPng(milkyWayImage(milkyWay, MILKY_WAY_HEIGHT))),
  ])
}

async function json<Content>(name: string): Promise<Content> {
  return JSON.parse(await readFile(new URL(name, SKY), 'utf8'))
}
