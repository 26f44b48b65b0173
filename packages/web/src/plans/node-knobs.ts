/** The knobs of one node: its middle on the way, and of the chosen one two for each axis. */
import { vector } from '@orrery/page-kit'
import { lowerFirst, say } from '../languages/say.ts'
import type { Frame } from '../scene/frame.ts'
import type { Stage } from '../view/stage.ts'
import { speedText } from '../quantities/quantities.ts'
import { waitText } from '../forecast/next-marks.ts'
import { Knob } from './knob.ts'
import { AXES, AXIS_CLASSES, dragged, withComponent } from './node-steps.ts'
import type { DeltaV, Plan, PlanNode } from './plan.ts'
import { type NodeAxes, type Way, axesOnWay, indexAt, placeOnWay, seenAlong } from './way.ts'

/** From the middle to the knob of an axis [px]; less where one looks along it, but so much. */
const ARM = 62
const ARM_MIN = 24

/** Lattice indices per second. */
const PER_SECOND = 64

/** A middle that is dragged goes to what is so near to the pointer [px]. */
const REACH = 80

/** And leaps no farther at once [s]. */
const LEAP = 3600

const place = vector()
const spot = { x: 0, y: 0 }
const ahead: NodeAxes = { axes: [vector(), vector(), vector()] }

/** What a moment has for all nodes. */
export interface Moment {
  readonly frame: Frame
  readonly stage: Stage
  /** on which nodes stand */
  readonly way: Way
}

export class NodeKnobs {
  readonly #plan: Plan
  readonly #id: number
  readonly #middle: Knob
  /** two of each axis */
  readonly #arms: readonly (readonly [Knob, Knob])[]
  /** towards which each axis is seen [px of 1] */
  readonly #seen: [x: number, y: number][] = AXES.map(() => [0, -1])
  #moment: Moment | undefined
  #taken: DeltaV = [0, 0, 0]
  #isShown = false

  constructor(plan: Plan, id: number, root: HTMLElement) {
    this.#plan = plan
    this.#id = id
    this.#middle = new Knob('middle', true, {
      take: () => (plan.chosen.value = id),
      drag: ({ x, y }) => this.#moveTo(x, y),
      step: (steps) => this.#change(({ index }) => ({ index: index + 10 * PER_SECOND * steps })),
    })
    this.#arms = AXES.map((_, axis) => [this.#arm(axis, 1), this.#arm(axis, -1)])
    for (const { element } of this.#knobs()) {
      element.hidden = true
      root.append(element)
    }
  }

  /** @param name  such as `Node 1` */
  place(node: PlanNode, name: string, moment: Moment): void {
    const { frame, stage, way } = moment
    this.#moment = moment
    const isSeen =
      placeOnWay(place, way, node.index, frame) &&
      stage.project(spot, place) &&
      axesOnWay(ahead, way, node.index)
    this.#show(isSeen, this.#plan.chosen.peek() === this.#id)
    if (!isSeen) return
    const { x, y } = spot
    const seconds = (node.index - frame.time) / PER_SECOND
    this.#middle.place(x, y)
    this.#middle.say(
      say('{name}, time', { name }),
      seconds,
      say('in {wait}', { wait: waitText(seconds) }),
    )
    for (const [axis, [up, down]] of this.#arms.entries()) {
      const [dx, dy] = seenAlong(ahead.axes[axis], frame)
      const size = Math.hypot(dx, dy)
      if (size > 1e-3) this.#seen[axis] = [dx / size, dy / size]
      const [ux, uy] = this.#seen[axis]
      const arm = Math.max(ARM * size, ARM_MIN)
      up.place(x + arm * ux, y + arm * uy)
      down.place(x - arm * ux, y - arm * uy)
      const value = node.deltaV[axis]
      up.say(`${name}, ${lowerFirst(AXES[axis][0])}`, value, speedText(value))
    }
  }

  hide(): void {
    this.#show(false, false)
  }

  remove(): void {
    for (const { element } of this.#knobs()) element.remove()
  }

  #knobs(): Knob[] {
    return [this.#middle, ...this.#arms.flat()]
  }

  #show(isShown: boolean, isChosen: boolean): void {
    this.#isShown = isShown
    this.#middle.element.hidden = !isShown
    this.#middle.element.classList.toggle('chosen', isChosen)
    for (const { element } of this.#arms.flat()) element.hidden = !(isShown && isChosen)
  }

  #arm(axis: number, sign: 1 | -1): Knob {
    const kind = AXIS_CLASSES[axis][sign > 0 ? 0 : 1]
    const knob = new Knob(`arm axis-${axis} ${kind}`, sign > 0, {
      take: () => {
        this.#taken = this.#plan.nodes.peek().find(({ id }) => id === this.#id)!.deltaV
      },
      drag: ({ dx, dy }) => {
        const [ux, uy] = this.#seen[axis]
        const value = this.#taken[axis] + dragged(dx * ux + dy * uy)
        this.#change(() => ({ deltaV: withComponent(this.#taken, axis, value) }))
      },
      step: (steps) =>
        this.#change(({ deltaV }) => ({
          deltaV: withComponent(deltaV, axis, deltaV[axis] + sign * steps),
        })),
    })
    knob.element.title = AXES[axis][sign > 0 ? 0 : 1]
    return knob
  }

  #moveTo(x: number, y: number): void {
    const { frame, stage, way } = this.#moment ?? {}
    const node = this.#plan.nodes.peek().find(({ id }) => id === this.#id)
    if (!frame || !stage || !way || !node || !this.#isShown) return
    const span = {
      from: Math.max(node.index - LEAP * PER_SECOND, frame.time),
      to: node.index + LEAP * PER_SECOND,
    }
    const index = indexAt(way, stage, frame, { x, y, reach: REACH }, span)
    if (index !== undefined) this.#change(() => ({ index }))
  }

  #change(to: (node: PlanNode) => Partial<Omit<PlanNode, 'id'>>): void {
    const node = this.#plan.nodes.peek().find(({ id }) => id === this.#id)
    if (node) this.#plan.change(this.#id, to(node))
  }
}
