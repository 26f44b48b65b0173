/** What all parts of the map draw with. */
import { vector, type Vector } from '@orrery/page-kit'
import { LinePen } from './line-pen.ts'
import type { MapColours } from './map-colours.ts'
import type { MapView, Point } from './map-view.ts'
import type { MapThing } from './map-thing.ts'
import { type MapMoment, createThingPlace, thingPlace } from './thing-place.ts'

const from = vector()
const found = createThingPlace()

export interface PictureParts extends MapMoment {
  readonly context: CanvasRenderingContext2D
  readonly view: MapView
  readonly colours: MapColours
  readonly chosen: MapThing | undefined
}

export interface LineStyle {
  readonly colour: string
  readonly width?: number
  readonly dash?: readonly number[]
  /** 0 to 1 */
  readonly opacity?: number
}

/** One picture: places in space become points, and lines are cut at its edges. */
export class MapPicture {
  readonly parts: PictureParts
  readonly point: Point = { x: 0, y: 0 }

  constructor(parts: PictureParts) {
    this.parts = parts
  }

  /** Projects a place: an offset [m] from a body. */
  place(body: number, offset: Vector): Point {
    const { view, system } = this.parts
    view.project(this.point, system.chain.difference(from, view.center, { body, offset }))
    return this.point
  }

  /** Where a thing is in the picture; undefined where that is not known. */
  pointOf(thing: MapThing): Point | undefined {
    return thingPlace(found, this.parts, thing) ? this.place(found.body, found.offset) : undefined
  }

  /** Whether a circle about a point is in the picture, or a part of it [px]. */
  sees({ x, y }: Readonly<Point>, radius: number): boolean {
    const { width, height } = this.parts.view
    return x > -radius && y > -radius && x < width + radius && y < height + radius
  }

  /** Draws lines. */
  stroke(
    { colour, width = 1, dash = [], opacity = 1 }: LineStyle,
    draw: (pen: LinePen) => void,
  ): void {
    const { context, view } = this.parts
    context.save()
    context.beginPath()
    draw(new LinePen(context, view.width, view.height))
    context.strokeStyle = colour
    context.lineWidth = width
    context.globalAlpha = opacity
    context.setLineDash([...dash])
    context.stroke()
    context.restore()
  }
}
