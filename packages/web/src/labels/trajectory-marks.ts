/** Where the marks of the own trajectory are in the picture, as signs with names. */
import { createShipSample } from '@orrery/client/flight'
import { say, sayName } from '../languages/say.ts'
import type { Forecasts } from '../forecast/forecasts.ts'
import { type Mark, type NextMark, waitText } from '../forecast/next-marks.ts'
import { BodyIndex } from '../bodies/body-index.ts'
import type { Frame } from '../scene/frame.ts'
import type { Sign } from '../lines/mark-layer.ts'
import { addScaled, vector, type Vector } from '@orrery/page-kit'
import type { LabelItem, LabelSource } from '../view/label-source.ts'

type Look = Pick<Sign, 'shape' | 'colour'>

const WAY = [0.5, 0.8, 1] as const
const FIRE = [1, 0.55, 0.15] as const
const ALARM = [1, 0.3, 0.25] as const
const GOOD = [0.5, 1, 0.6] as const

const LOOKS: Partial<Readonly<Record<Mark['kind'], Look>>> = {
  periapsis: { shape: 'down', colour: WAY },
  apoapsis: { shape: 'up', colour: WAY },
  approach: { shape: 'ring', colour: GOOD },
  sphere: { shape: 'ring', colour: WAY },
  burn_begin: { shape: 'diamond', colour: FIRE },
  burn_end: { shape: 'diamond', colour: FIRE },
  impact: { shape: 'cross', colour: ALARM },
  maneuver_failed: { shape: 'cross', colour: ALARM },
}

/** Where a body will be when the ship enters its sphere: the line before ends there. */
const GHOST: Look = { shape: 'ring', colour: [0.6, 0.65, 0.7] }

/** Before the entry by so much of a lattice index, the ship counts from the other body. */
const BEFORE = 2 ** -6

const OTHER: Look = { shape: 'dot', colour: GOOD }

/** Marks are less than ships and planets, and more than moons. */
const PRIORITY = 25

/** What is pointed at has its name in any case. */
const POINTED = 200

const ORIGIN = vector()
const state = createShipSample()
const before = createShipSample()

type Marked = Pick<Forecasts, 'own' | 'marks' | 'pointed'>

interface Ghost {
  readonly next: NextMark
  readonly position: Vector
}

export class TrajectoryMarks implements LabelSource {
  /** of the frame that was placed last */
  signs: readonly Sign[] = []
  #items: readonly LabelItem[] = []
  readonly #forecasts: Marked
  readonly #bodies = new BodyIndex()

  constructor(forecasts: Marked) {
    this.#forecasts = forecasts
  }

  items(): readonly LabelItem[] {
    return this.#items
  }

  /** Takes the places of a moment: each mark from its body as that is now. */
  place(frame: Frame): void {
    const { camera, surroundings } = frame
    const forecast = this.#forecasts.own.peek()?.forecast
    const isShown = forecast !== undefined && forecast.systemId === surroundings.id
    const placed = (isShown ? this.#forecasts.marks.peek() : []).flatMap((next) => {
      if (!forecast?.stateAt(state, next.mark.index)) return []
      const position = vector()
      const body = this.#bodies.of(state.reference, surroundings)
      surroundings.chain.difference(position, camera, { body, offset: ORIGIN })
      addScaled(position, position, state.r, 1)
      return [{ next, position, isLarge: next.key === this.#forecasts.pointed.peek() }]
    })
    const ghosts = placed.flatMap(({ next }) => this.#ghostOf(next, frame) ?? [])
    this.signs = [
      ...placed.map(({ next, position, isLarge }) => {
        return { ...(LOOKS[next.mark.kind] ?? OTHER), position, isLarge }
      }),
      ...ghosts.map(({ position }) => ({ ...GHOST, position, isLarge: false })),
    ]
    this.#items = [
      ...placed.map(({ next, position, isLarge }) => ({
        ...itemOf(`mark ${next.key}`, textOf(next), position),
        priority: PRIORITY + (isLarge ? POINTED : 0),
      })),
      ...ghosts.map(({ next: { key, mark, seconds }, position }) =>
        itemOf(`ghost ${key}`, textAt(sayName(mark.body ?? ''), seconds), position),
      ),
    ]
  }

  /** Where the body will be whose sphere is entered, from what it goes round as that is now. */
  #ghostOf(next: NextMark, { camera, surroundings }: Frame): Ghost | undefined {
    const { kind, index } = next.mark
    const forecast = this.#forecasts.own.peek()?.forecast
    if (kind !== 'sphere' || !forecast?.stateAt(state, index)) return undefined
    if (!forecast.stateAt(before, index - BEFORE)) return undefined
    const body = this.#bodies.of(before.reference, surroundings)
    const entered = this.#bodies.of(state.reference, surroundings)
    if (surroundings.bodies[entered].parent !== body) return undefined
    const position = vector()
    surroundings.chain.difference(position, camera, { body, offset: ORIGIN })
    addScaled(position, position, before.r, 1)
    return { next, position: addScaled(position, position, state.r, -1) }
  }
}

function itemOf(key: string, text: string, position: Vector): LabelItem {
  return { key, text, kind: 'mark', position, pixels: 6, priority: PRIORITY, thing: undefined }
}

function textOf({ name, detail, seconds }: NextMark): string {
  return textAt([name, detail].filter(Boolean).join(' '), seconds)
}

function textAt(what: string, seconds: number): string {
  return say('{what} in {wait}', { what, wait: waitText(seconds) })
}
