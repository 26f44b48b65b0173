import { EngineError } from '../engine-error.ts'
import { PHYSICS, SHIP_COLUMNS, SIGHTING_COLUMNS, START_COLUMNS, anchorAt } from '@orrery/sim'
import type { Views } from './byte-planes.ts'
import type { GameClock } from '../time/game-clock.ts'
import { type PackedImage, imagesBytes } from './image-bytes.ts'
import { FORMAT, type ImageHeader } from './image-header.ts'
import { commandedAttitudes } from './commanded-attitudes.ts'
import {
  CLASSED_DOUBLES,
  COMMANDED_DOUBLES,
  PLANNED_DOUBLES,
  TIMED_DOUBLES,
  anchorParts,
  imageLength,
  sealedText,
  shipRows,
} from './image-layout.ts'
import { type Kept, keptText } from './image-text.ts'
import { keptClasses } from './kept-classes.ts'
import { keptBurns, keptPlans } from './kept-plans.ts'
import { sealPending } from '../world/intake.ts'
import { isDefault } from '../world/ship-classes.ts'
import { type StartViews, usedChunks } from './ship-copy.ts'
import { compactSightings } from '../world/watchers.ts'
import { type World, startNode } from '../world/world.ts'

/** Few ships have timed burns or another class than the first, which are kept apart. */
const BROKEN_COLUMNS = SHIP_COLUMNS.filter(
  ({ name }) => name !== 'burnNodes' && name !== 'shipClass',
)

/** A star system at rest: a readable header, and all state as bytes. */
export interface WorldImage {
  readonly header: ImageHeader
  readonly bytes: Uint8Array
}

/** A star system at one moment without its ships' columns, to be written while it runs. */
export interface ImageMoment {
  readonly header: Omit<ImageHeader, 'text'>
  readonly kept: Kept
  readonly sightings: Views
  readonly doubles: readonly Float64Array[]
}

/**
 * Prepares a world for an image, while no tick runs: waiting commands accept no more merges, since
 * a journal continues after the last one in the image; equal worlds get equal images.
 */
export function readyForImage({ intake, state }: World): void {
  sealPending(intake)
  compactSightings(state)
}

/**
 * Whether a tick has broken, and the next has not completed it. Then some ships are ahead, and what
 * their open steps were made from may be gone: those are a part of the image.
 */
export function hasBroken({ index, settled }: World): boolean {
  return settled > index
}

/**
 * Refuses what no replay could take up: after a broken tick some ships are ahead of others.
 *
 * @throws {EngineError} 'ERR_TICK_BROKEN'
 */
export function requireWhole(worlds: readonly World[]): void {
  if (!worlds.some(hasBroken)) return
  throw new EngineError('ERR_TICK_BROKEN', 'A tick has broken; the next one has to complete it.')
}

/** Collects the contents of a prepared world; little is copied, the rest is immutable. */
export function imageMoment(world: World, clock: GameClock, tick: number): ImageMoment {
  const { state, roster, intake, integration, maneuvers } = world
  const commanded = commandedAttitudes(state)
  const plans = keptPlans(state)
  const burns = keptBurns(state)
  const classes = keptClasses(state)
  const anchor = anchorAt(integration, startNode(world.index))
  const modules = world.modules?.kept(world.index)
  const sightings = state.sightings.watcher.findLastIndex((watcher) => watcher >= 0) + 1
  return {
    header: {
      format: FORMAT,
      physics: PHYSICS,
      ...(world.physicsBefore !== undefined && { before: world.physicsBefore }),
      seed: world.setup.seed,
      index: world.index,
      ...(world.settled > world.index && { settled: world.settled }),
      tick,
      remainder: [String(clock.remainder), String(clock.denominator)],
      sequence: intake.sequence,
      nextNumber: roster.nextNumber,
      columns: hasBroken(world) ? BROKEN_COLUMNS : START_COLUMNS,
      sightingColumns: SIGHTING_COLUMNS,
      sightings,
      shards: 1,
      chunks: usedChunks(state),
      commanded: commanded.length / COMMANDED_DOUBLES,
      plans: plans.length / PLANNED_DOUBLES,
      ...(burns.length > 0 && { timed: burns.length / TIMED_DOUBLES }),
      ...(!isDefault(state.classes) && { classes: [...state.classes] }),
      ...(classes.length > 0 && { classed: classes.length / CLASSED_DOUBLES }),
      system: {
        id: state.system.id,
        bodies: state.system.bodies.length,
        node: anchor.node,
      },
      ...(modules && modules.stored.length > 0 && { modules: modules.stored }),
      stations: [...world.stations.values()],
      jumpgates: [...world.jumpgates.values()],
      ships: roster.byId.size,
      pending: intake.pending.length,
    },
    kept: {
      roster: [...roster.byId.values()],
      level: maneuvers.level,
      debugged: [...maneuvers.debugged],
      open: [...maneuvers.open],
      ended: [...maneuvers.ended],
      rules: [...world.rules.ofShip].map(([ship, rules]) => ({ ship, rules })),
      pending: [...intake.pending],
    },
    sightings: Object.fromEntries(
      SIGHTING_COLUMNS.map(({ name, components }) => [
        name,
        state.sightings[name].slice(0, sightings * components),
      ]),
    ),
    doubles: [
      ...anchorParts(anchor),
      integration.reference,
      commanded,
      plans,
      burns,
      classes,
      ...(modules ? [modules.doubles] : []),
    ],
  }
}

/** An image whose bytes are not assembled yet. */
export interface UnwrittenImage extends PackedImage {
  readonly header: ImageHeader
}

/**
 * @param ships  as they were at the moment
 * @param text   as `keptText` writes it
 */
export function unwrittenImage(
  { header: head, sightings, doubles }: ImageMoment,
  ships: StartViews,
  text: readonly Uint8Array[],
): UnwrittenImage {
  const header = { ...head, text: text.reduce((sum, { length }) => sum + length, 0) }
  const tables = [
    { columns: header.columns, rows: shipRows(header), views: ships },
    { columns: SIGHTING_COLUMNS, rows: header.sightings, views: sightings },
  ]
  const parts = { tables, text, doubles, header: sealedText(header) }
  return { header, parts, length: imageLength(header) }
}

/** Makes the image of a world between ticks; blocks this thread until it is done. */
export function worldImage(world: World, clock: GameClock, tick: number): WorldImage {
  readyForImage(world)
  const moment = imageMoment(world, clock, tick)
  const writing = keptText(moment.kept)
  let slice = writing.next()
  while (!slice.done) slice = writing.next()
  const { header, parts, length } = unwrittenImage(moment, world.state.ships, slice.value)
  return { header, bytes: imagesBytes([{ parts, length }]) }
}
