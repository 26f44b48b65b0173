/** Puts ships, stations and gates into the picture, once there are any. */
import { effect } from '@preact/signals'
import type { Game } from '../game/game.ts'
import { Ambient } from '../scene/ambient.ts'
import { ObjectLayer } from '../craft/object-layer.ts'
import { ShipLayer } from '../craft/ship-layer.ts'
import { TrailLayer } from '../craft/trail-layer.ts'
import { ObjectLabels } from '../labels/object-labels.ts'
import { ShipLabels } from '../labels/ship-labels.ts'
import { attachReticles } from '../labels/reticles.ts'
import type { Stage } from '../view/stage.ts'

export function attachShips(game: Game, stage: Stage): () => void {
  let remove: (() => void) | undefined
  const stop = effect(() => {
    if (game.session.value || stage.surroundings.value?.craft) remove ??= addShips(game, stage)
  })
  return () => {
    stop()
    remove?.()
  }
}

function addShips(game: Game, stage: Stage): () => void {
  const ambient = new Ambient()
  const { berths } = stage
  // Stations open the berths that ships stand in.
  const objects = new ObjectLayer(ambient, berths)
  const ships = new ShipLayer(ambient, berths)
  const trails = new TrailLayer()
  const layers = [objects, ships, trails]
  const removals = [
    stage.onFrame((frame) => {
      ambient.update(frame)
      trails.isOn = game.settings.trails.peek()
      trails.ships = followed(game)
    }),
    attachReticles(game, stage),
    ...layers.map((layer) => stage.addLayer(layer)),
    stage.addLabels(new ObjectLabels(objects)),
    stage.addLabels(new ShipLabels(game, stage, ships)),
  ]
  return () => {
    for (const remove of removals) remove()
    for (const layer of layers) layer.dispose()
  }
}

/** Ids of the ships that draw trails: the own one, then what is looked at and the target. */
function followed({ focus, session, target }: Game): readonly string[] {
  const ids = [session.peek()?.flight.ship.id ?? '']
  for (const thing of [focus.peek(), target.peek()]) {
    if (thing?.kind === 'ship' && !ids.includes(thing.id)) ids.push(thing.id)
  }
  return ids
}
