import {
  CHUNK_SLOTS,
  EMPTY,
  FLYING,
  TURNING,
  advanceChunk,
  columnBytes,
  columnViews,
  cutShip,
  reopenSteps,
  updateChunkDue,
} from '@orrery/sim'
import * as v from 'valibot'
import type { Views } from './byte-planes.ts'
import { EngineError } from '../engine-error.ts'
import { FORMAT, assertFits, imageHeader } from './image-header.ts'
import { COMMANDED_DOUBLES, anchorDoubles, shipRows } from './image-layout.ts'
import { type OpenedImage, openBytes } from './image-opening.ts'
import { count, wellFormed, whole } from './image-schema.ts'
import type { World } from '../world/world.ts'

/** Of the release before: all systems in one state, each chunk with ships of one of them. */
const FORMER_FORMAT = 3

const railed = v.looseObject({ system: count })

const formerHeader = v.looseObject({
  format: v.literal(FORMER_FORMAT),
  /** system of each used chunk, -1 when empty */
  chunkSystems: v.array(whole),
  systems: v.pipe(v.array(v.unknown()), v.minLength(1)),
  stations: v.array(railed),
  jumpgates: v.array(railed),
})

export function isFormer(header: unknown): boolean {
  return v.is(v.looseObject({ format: v.literal(FORMER_FORMAT) }), header)
}

/**
 * Opens an image of the release before as one image per system: a system's chunks are numbered
 * from 0, in their order.
 *
 * @throws {EngineError} 'ERR_IMAGE'
 */
export function openFormerImage(stored: unknown, bytes: Uint8Array): OpenedImage[] {
  const former = wellFormed(formerHeader, stored, 'header')
  const { chunkSystems, systems, stations, jumpgates, ...common } = former
  const chunksOf = (system: number): number[] =>
    [...chunkSystems.keys()].filter((chunk) => chunkSystems[chunk] === system)
  const heads = systems.map((system, place) => {
    const isHere = (object: { readonly system: number }): boolean => object.system === place
    const own = { stations: stations.filter(isHere), jumpgates: jumpgates.filter(isHere) }
    const chunks = chunksOf(place).length
    const head = { ...common, ...own, format: FORMAT, chunks, commanded: 0, system }
    return wellFormed(imageHeader, head, 'header')
  })
  for (const head of heads) assertFits(head)
  const size = { ...heads[0], chunks: chunkSystems.length }
  const doubles = heads.reduce((sum, { system }) => sum + anchorDoubles(system), 0)
  const all = openBytes(stored, bytes, size, doubles)
  const memory = new SharedArrayBuffer(columnBytes(size.columns, shipRows(size)))
  const ships = columnViews(size.columns, memory, 0, shipRows(size))
  all.readShips(ships)
  let at = 0
  const parts = heads.map((head, place) => {
    const begin = at
    at += anchorDoubles(head.system)
    const own = { ...all, head, doubles: all.doubles.subarray(begin, at) }
    return partOf(own, ships, chunksOf(place))
  })
  const found = parts.reduce((sum, { roster }) => sum + roster.length, 0)
  if (found === all.roster.length) return parts
  const message = `The image names ${all.roster.length} ships when its systems have ${found}.`
  throw new EngineError('ERR_IMAGE', message)
}

/** What an image of all systems holds of some chunks. */
function partOf(all: OpenedImage, ships: Views, chunks: readonly number[]): OpenedImage {
  const { head, maneuvers } = all
  const { condition, shipNumber, attitudeMode, targetAttitude } = ships
  const numbers = new Set<number>()
  const commanded: number[] = []
  for (const [to, from] of chunks.entries()) {
    for (let place = 0; place < CHUNK_SLOTS; place++) {
      const slot = from * CHUNK_SLOTS + place
      if (condition[slot] === EMPTY) continue
      numbers.add(shipNumber[slot])
      if (attitudeMode[slot] !== TURNING) continue
      commanded.push(to * CHUNK_SLOTS + place, ...targetAttitude.subarray(4 * slot, 4 * slot + 4))
    }
  }
  const slotHere = (slot: number): number => {
    const chunk = chunks.indexOf(Math.floor(slot / CHUNK_SLOTS))
    return chunk < 0 ? -1 : chunk * CHUNK_SLOTS + (slot % CHUNK_SLOTS)
  }
  return {
    ...all,
    head: { ...head, commanded: commanded.length / COMMANDED_DOUBLES },
    doubles: Float64Array.of(...all.doubles, ...commanded),
    roster: all.roster.filter(({ number }) => numbers.has(number)),
    maneuvers: {
      level: maneuvers.level,
      debugged: maneuvers.debugged.filter((number) => numbers.has(number)),
      open: maneuvers.open.filter(({ ship }) => numbers.has(ship)),
      ended: maneuvers.ended.filter(({ ship }) => numbers.has(ship)),
    },
    readShips(into) {
      for (const { name, components } of head.columns) {
        const perChunk = components * CHUNK_SLOTS
        for (const [to, from] of chunks.entries()) {
          const values = ships[name].subarray(from * perChunk, (from + 1) * perChunk)
          into[name]?.set(values, to * perChunk)
        }
      }
    },
    readSightings(into) {
      all.readSightings(into)
      const { watcher, watched } = into
      for (let row = 0; row < head.sightings; row++) {
        watcher[row] = slotHere(watcher[row])
        if (watched[row] < 0) continue
        const target = slotHere(watched[row])
        // One that has left the system is lost at the next beat: its slot holds another ship.
        watched[row] = target < 0 ? watcher[row] : target
      }
    },
  }
}

/**
 * Begins a step of every ship at the index of the image, which only cuts what is not committed yet:
 * the open steps crossed other boundaries than those that chunks have now. Ships that a broken tick
 * has brought further go on from where they are.
 */
export function restartSteps({ flight, index, state }: World): void {
  const { condition, stepStart } = state.ships
  for (let slot = 0; slot < state.slots; slot++) {
    if (condition[slot] === FLYING && stepStart[slot] < index) cutShip(flight, slot, index)
  }
  for (let chunk = 0; chunk < state.chunks; chunk++) {
    advanceChunk(flight, chunk, index)
    reopenSteps(flight, chunk)
    updateChunkDue(flight, chunk, index)
  }
}
