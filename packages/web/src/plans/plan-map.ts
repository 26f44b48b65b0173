/** A plan in the picture: where it leads, with marks, and the knobs of its nodes. */
import { computed, effect } from '@preact/signals'
import { say } from '../languages/say.ts'
import type { Game } from '../game/game.ts'
import { MarkLayer } from '../lines/mark-layer.ts'
import { PREVIEW_STYLE, TrajectoryLayer } from '../lines/trajectory-layer.ts'
import { TrajectoryMarks } from '../labels/trajectory-marks.ts'
import type { Frame } from '../scene/frame.ts'
import { byId, made } from '../view/elements.ts'
import type { Stage } from '../view/stage.ts'
import { NodeKnobs } from './node-knobs.ts'
import { type Planner, plannerOf } from './planner.ts'
import { type Pointed, type Way, indexAt, isBehindBody } from './way.ts'
import './plan-map.css'

/** No burn is sooner than the hull can turn [s]. */
const SOONEST = 110

/** Lattice indices per second. */
const PER_SECOND = 64

export class PlanMap {
  readonly #game: Game
  readonly #stage: Stage
  readonly #planner: Planner
  readonly #root = made('section', '', 'plan-knobs')
  readonly #knobs = new Map<number, NodeKnobs>()

  constructor(game: Game, stage: Stage) {
    this.#game = game
    this.#stage = stage
    this.#planner = plannerOf(game)
    this.#root.ariaLabel = say('Nodes on the map')
    byId('labels', HTMLElement).after(this.#root)
    const { bent, marks, plan } = this.#planner
    const line = new TrajectoryLayer(PREVIEW_STYLE)
    effect(() => {
      line.show(bent.value?.forecast)
      this.#root.ariaBusy = String(
        bent.value !== undefined && bent.value.nodes !== plan.nodes.value,
      )
    })
    const own = computed(() => bent.value && { forecast: bent.value.forecast, isStale: false })
    const signs = new TrajectoryMarks({ own, marks, pointed: game.forecasts.pointed })
    stage.addLayer(line)
    stage.addLayer(new MarkLayer(() => signs.signs))
    stage.addLabels(signs)
    stage.onFrame((frame) => {
      signs.place(frame)
      this.#place(frame)
    })
  }

  /** Adds a node where the way of the ship is seen at a point; false where it is not. */
  pick(pointed: Pointed): boolean {
    const { frame } = this.#stage
    const way = frame && this.#wayOf(frame)
    if (!way) return false
    const span = { from: frame.time + SOONEST * PER_SECOND, to: way.to }
    const index = indexAt(way, this.#stage, frame, pointed, span)
    if (index === undefined || isBehindBody(way, index, frame)) return false
    // First, since only then its nodes are forecast.
    this.#game.orderKind.value = 'Plan'
    this.#planner.plan.add(index)
    return true
  }

  /** The way on which nodes stand: with their burns, as far as it is known. */
  #wayOf({ surroundings }: Frame): Way | undefined {
    const { forecasts } = this.#game
    const shown = this.#planner.bent.peek()?.forecast ?? forecasts.own.peek()?.forecast
    return shown?.systemId === surroundings.id ? shown : undefined
  }

  #place(frame: Frame): void {
    const { plan } = this.#planner
    const isOpen = this.#game.orderKind.peek() === 'Plan' && this.#game.session.peek()
    const nodes = isOpen ? plan.nodes.peek() : []
    const way = this.#wayOf(frame)
    for (const [id, knobs] of this.#knobs) {
      if (nodes.some((node) => node.id === id)) continue
      knobs.remove()
      this.#knobs.delete(id)
    }
    for (const [i, node] of nodes.entries()) {
      let knobs = this.#knobs.get(node.id)
      if (!knobs) {
        knobs = new NodeKnobs(plan, node.id, this.#root)
        this.#knobs.set(node.id, knobs)
      }
      if (way) knobs.place(node, say('Node {n}', { n: i + 1 }), { frame, stage: this.#stage, way })
      else knobs.hide()
    }
  }
}
