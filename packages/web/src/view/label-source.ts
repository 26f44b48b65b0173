/** Names in space, wherever they come from. */
import type { Thing } from '../readings/thing.ts'
import type { Vector } from '@orrery/page-kit'

export interface LabelItem {
  readonly key: string
  readonly text: string
  /** class of its element: how it looks */
  readonly kind:
    | 'star'
    | 'planet'
    | 'minor_planet'
    | 'moon'
    | 'ship'
    | 'own'
    | 'station'
    | 'jumpgate'
    | 'mark'
    | 'fixed-star'
    | 'constellation'
  /** from the camera [m] */
  readonly position: Vector
  /** radius of what it names on the screen [px] */
  readonly pixels: number
  /** the higher one stays where two would overlap */
  readonly priority: number
  /** it is named only where it is looked at or the target */
  readonly isFaint?: boolean
  /** its name ends so far left of it, and does not stand right above it [px] */
  readonly leftBy?: number | undefined
  /** what is chosen by a click on it; a mark has none */
  readonly thing: Thing | undefined
}

/** Something that can be clicked on. */
export type SeenThing = Pick<LabelItem, 'position' | 'pixels' | 'thing'>

/** Something that others are hidden by. */
export interface CoveringBody extends Pick<LabelItem, 'position' | 'pixels'> {
  /** [m] */
  readonly radius: number
}

export interface LabelSource {
  /** those that may be shown now, asked for each frame; many more than 300 make frames slow */
  items(): readonly LabelItem[]
  /** all that can be clicked on, where those are more than the items */
  readonly things?: () => Iterable<SeenThing>
  /** what others are hidden by */
  readonly covers?: () => Iterable<CoveringBody>
}
