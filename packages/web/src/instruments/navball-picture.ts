/** Keeps a navball as the ship is turned in the picture. */
import { createShipSample } from '@orrery/client/flight'
import type { Game } from '../game/game.ts'
import { poleOf } from '../readings/own-readings.ts'
import { thingAt } from '../readings/target-readings.ts'
import { followPixels, vector, type Vector } from '@orrery/page-kit'
import type { Stage } from '../view/stage.ts'
import { createNavballChange } from '../space/navball-change.ts'
import { createNavballModel, writeNavballModel } from '../space/navball-model.ts'
import { drawNavball } from './navball-drawing.ts'

/** Draws before each picture what has changed; returns how to stop. */
export function attachNavball(canvas: HTMLCanvasElement, game: Game, stage: Stage): () => void {
  const context = canvas.getContext('2d')
  const own = createShipSample()
  const other = createShipSample()
  const toTarget = vector()
  const toSun = vector()
  const model = createNavballModel()
  const change = createNavballChange()
  const stopResizing = followPixels(canvas, () => {
    canvas.width = canvas.height = Math.round(canvas.clientWidth * devicePixelRatio)
    change.forget()
  })
  const stop = stage.onFrame((frame) => {
    const flight = game.session.peek()?.flight
    if (!flight || !context || canvas.width === 0) return
    const { world, ship, clock } = flight
    // The system of the guests is shown until that of the player is known.
    const time = Number.isNaN(frame.time) ? clock.now() : frame.time
    const bodies = world.system?.bodies
    if (!bodies || !world.shipAt(own, ship.id, time)) return
    const thing = game.target.peek()
    const away = (out: Vector): Vector => {
      for (let k = 0; k < 3; k++) out[k] = other.r[k] - own.r[k]
      return out
    }
    writeNavballModel(model, {
      attitude: own.attitude,
      position: own.r,
      velocity: own.v,
      pole: poleOf(bodies[own.reference]),
      target: thing && thingAt(other, world, thing, time, own.body) ? away(toTarget) : undefined,
      sun: world.bodyAt(other, bodies[0].name, time, own.body) ? away(toSun) : undefined,
      maneuver: game.readings.peek()?.burn?.direction,
    })
    if (!change.note(model)) return
    const radius = canvas.width / 2
    context.setTransform(1, 0, 0, 1, radius, radius)
    drawNavball(context, model, radius)
  })
  return () => {
    stop()
    stopResizing()
  }
}
