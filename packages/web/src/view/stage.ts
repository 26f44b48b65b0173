/** What panels and parts of the picture may ask of the page. */
import type { ReadonlySignal } from '@preact/signals'
import type { Thing } from '../readings/thing.ts'
import type { Berths } from '../craft/berths.ts'
import type { Frame, Lens } from '../scene/frame.ts'
import type { SceneLayer } from '../scene/scene-layer.ts'
import type { Surroundings } from '../scene/surroundings.ts'
import type { Vector } from '@orrery/page-kit'
import type { Outlook } from './view-camera.ts'
import type { LabelSource } from './label-source.ts'
import type { PlaceBuffer } from './place-finder.ts'

/** The picture alone, at its resolution, and the game time that it shows [Unix ms]. */
export interface Picture {
  readonly png: Blob
  readonly gameTimeMs: number
}

export interface Stage {
  /** as last drawn; undefined before the first picture and between two star systems */
  readonly frame: Frame | undefined
  readonly lens: Lens
  /** where docked ships stand */
  readonly berths: Berths
  /** the star system shown; undefined before the first one */
  readonly surroundings: ReadonlySignal<Surroundings | undefined>
  /** Shows a star system from now on; what is looked at stays where the new one has it too. */
  show(around: Surroundings): void
  /** Adds a part of the picture; returns how to take it away. */
  addLayer(layer: SceneLayer): () => void
  /** Adds names; returns how to take them away. */
  addLabels(source: LabelSource): () => void
  /** Calls back before each picture, when all bodies are placed; returns how to stop. */
  onFrame(listener: (frame: Frame) => void): () => void
  /**
   * Writes where a point is on the canvas [px].
   *
   * @param point  from the camera [m]
   * @returns false for one that is not ahead
   */
  project(out: { x: number; y: number }, point: Vector): boolean
  /**
   * Writes where a thing is as last advanced, from the body that holds it: so things that are near
   * one another differ by small numbers.
   *
   * @returns false when it is not known here
   */
  placeOf(out: PlaceBuffer, thing: Thing): boolean
  /** Turns the camera about what it looks at [rad]. */
  turn(yaw: number, pitch: number): void
  /** Multiplies the height of the camera above what it looks at. */
  zoom(factor: number): void
  /** from where the camera looks now at what it looks at */
  readonly outlook: Outlook
  /** address that shows others the same */
  readonly link: string
  /** The next picture that is drawn; undefined without WebGL 2. */
  picture(): Promise<Picture | undefined>
  /** Looks at a thing from a given side and distance. */
  lookFrom(thing: Thing, outlook: Outlook): void
  /** Looks at the home of the star system, as at the start. */
  goHome(): void
  /** Looks at the whole star system. */
  showAll(): void
  /** What is at a point of the canvas, within a reach [px]. */
  thingAt(x: number, y: number, reach: number): Thing | undefined
}
