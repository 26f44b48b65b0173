/** What a picture of space is made of. */
import type { Object3D } from 'three'
import type { Frame, Lens } from './frame.ts'

/**
 * One thing that is drawn, in the axes of the star system from the camera [m]. The picture is drawn
 * far to near in spans of distance: a surface lies whole within one span, and whatever is no
 * surface is drawn in each span that it reaches into.
 */
export interface Drawable {
  readonly mesh: Object3D
  readonly isSurface: boolean
  /** within a span, higher ones are drawn later */
  readonly order: number
  isVisible: boolean
  /** nearest and farthest distance from the camera [m] */
  near: number
  far: number
  /** called before each span that it is drawn in, with two elements of the projection matrix */
  readonly beforeSpan?: (m22: number, m32: number) => void
}

/** A part of the picture: bodies, ships, a trajectory. */
export interface SceneLayer {
  /** the same ones, in this order, until `version` changes */
  readonly drawables: readonly Drawable[]
  readonly version: number
  /** moves all that it draws to the moment of a frame; must allocate nothing that grows */
  place(frame: Frame, lens: Lens): void
  dispose(): void
}
