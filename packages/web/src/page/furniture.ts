/** What stands around the picture before signing in. */
import type { Game } from '../game/game.ts'
import { attachControls } from './controls.ts'
import { byId, show } from '../view/elements.ts'
import { choose } from './picking.ts'
import { isSame } from '../readings/thing.ts'
import type { SpacePage } from './space-page.ts'

/** @param onWay  whether a click is for the way of the ship: where no thing is, or on its ground */
export function attachFurniture(
  page: SpacePage,
  game: Game,
  onWay: (x: number, y: number, reach: number) => Promise<boolean>,
): void {
  attachControls(byId('space', HTMLCanvasElement), {
    turn: (yaw, pitch) => page.turn(yaw, pitch),
    zoom: (factor) => page.zoom(factor),
    choose: (x, y, reach) => {
      const thing = page.thingAt(x, y, reach)
      // The body that is looked at is behind the way.
      const isGround = thing?.kind === 'body' && isSame(thing, game.focus.peek())
      if (thing && !isGround) return choose(game, thing)
      void onWay(x, y, reach).then((isTaken) => {
        if (thing && !isTaken) choose(game, thing)
      })
    },
  })
}

/** The server's name and the star system's. */
export function attachServerName(page: SpacePage, game: Game): void {
  page.onFrame(({ surroundings: { name } }) => {
    show(byId('server', HTMLElement), `${game.status.peek()?.server_name ?? ''} · ${name}`)
  })
}
