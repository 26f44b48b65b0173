/** Where the own ship and the target are: a mark around them, or an arrow towards them. */
import type { Game } from '../game/game.ts'
import type { Thing } from '../readings/thing.ts'
import { COURIER_RADIUS } from '../craft/courier-model.ts'
import { shipScale } from '../craft/ship-scale.ts'
import { length, vector } from '@orrery/page-kit'
import { byId, made } from '../view/elements.ts'
import { seenFrom } from '../view/seen-from.ts'
import type { Stage } from '../view/stage.ts'

/** Outside of this share of the picture there is an arrow. */
const INSIDE = 0.94

/** Arrows stand on an ellipse: its half axes in sizes of the picture. */
const ELLIPSE = { x: 0.27, y: 0.32 } as const

/** From this radius on the screen the own ship is seen without a mark [px]. */
const SEEN_PIXELS = 7

/** Sides of a mark [px]. */
const SIDE_MIN = 20
const SIDE_MAX = 260

const position = vector()
const point = { x: 0, y: 0 }

export function attachReticles(game: Game, stage: Stage): () => void {
  const root = byId('labels', HTMLElement)
  const elements = {
    own: made('div', '', 'reticle own'),
    target: made('div', '', 'reticle aimed'),
  }
  const all = Object.values(elements)
  for (const element of all) element.hidden = true
  root.append(...all)
  const stop = stage.onFrame(() => {
    const { target, session } = game
    const id = session.peek()?.flight.ship.id
    const own: Thing | undefined = id ? { kind: 'ship', id } : undefined
    place(elements.own, stage, own, true)
    place(elements.target, stage, target.peek(), false)
  })
  return () => {
    stop()
    for (const element of all) element.remove()
  }
}

function place(element: HTMLElement, stage: Stage, thing: Thing | undefined, isOwn: boolean): void {
  const isKnown = thing !== undefined && seenFrom(stage, position, thing)
  const isAhead = isKnown && stage.project(point, position)
  const { width, height, focal } = stage.lens
  const radius = isKnown ? (focal * radiusOf(stage, thing)) / Math.max(length(position), 1) : 0
  element.hidden = !isKnown || (isOwn && isAhead && radius > SEEN_PIXELS)
  if (element.hidden) return
  const side = isOwn ? SIDE_MIN : Math.min(Math.max(2.6 * radius, SIDE_MIN), SIDE_MAX)
  const [x, y] = [point.x - width / 2, point.y - height / 2]
  const isInside = isAhead && Math.max(Math.abs(x / width), Math.abs(y / height)) < INSIDE / 2
  element.classList.toggle('away', !isInside)
  if (isInside) {
    element.style.width = element.style.height = `${side}px`
    element.style.transform = moved(point.x - side / 2, point.y - side / 2)
    return
  }
  // Behind the camera the picture is mirrored.
  const sign = isAhead ? 1 : -1
  const scale = sign / Math.hypot(x / (ELLIPSE.x * width), y / (ELLIPSE.y * height))
  const angle = Math.atan2(sign * y, sign * x)
  element.style.width = element.style.height = `${SIDE_MIN}px`
  const [left, top] = [width / 2 + x * scale, height / 2 + y * scale]
  const half = SIDE_MIN / 2
  element.style.transform = `${moved(left - half, top - half)} rotate(${angle.toFixed(2)}rad)`
}

function moved(x: number, y: number): string {
  return `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`
}

/** [m] */
function radiusOf({ frame }: Stage, thing: Thing): number {
  const { bodies = [], craft } = frame?.surroundings ?? {}
  if (thing.kind === 'ship') {
    return craft ? COURIER_RADIUS * shipScale(craft.world, craft.world.ship(thing.id)) : 0
  }
  if (thing.kind === 'body') return bodies.find(({ name }) => name === thing.name)?.radius ?? 0
  return craft?.world.objects().find(({ id }) => id === thing.id)?.radius ?? 0
}
