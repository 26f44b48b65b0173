/** What stands around the picture before signing in. */
import type { Game } from '../game/game.ts'
import { attachControls } from './controls.ts'
import { byId, show } from '../view/elements.ts'
import { choose } from './picking.ts'
import type { SpacePage } from './space-page.ts'

export function attachFurniture(page: SpacePage, game: Game): void {
  attachControls(byId('space', HTMLCanvasElement), {
    turn: (yaw, pitch) => page.turn(yaw, pitch),
    zoom: (factor) => page.zoom(factor),
    choose: (x, y, reach) => {
      const thing = page.thingAt(x, y, reach)
      if (thing) choose(game, thing)
    },
  })
}

/** The server's name and the star system's. */
export function attachServerName(page: SpacePage, game: Game): void {
  page.onFrame(({ surroundings: { name } }) => {
    show(byId('server', HTMLElement), `${game.status.peek()?.server_name ?? ''} · ${name}`)
  })
}
