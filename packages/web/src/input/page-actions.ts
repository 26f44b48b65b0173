/** Actions of the view: they lead the camera. */
import { say } from '../languages/say.ts'
import type { Game } from '../game/game.ts'
import { savePicture } from '../page/picture-file.ts'
import type { Stage } from '../view/stage.ts'
import type { Action } from './actions.ts'

/** [rad] */
const TURN = 0.09
const ZOOM = 1.25

const TURNS = [
  ['left', say('turns the view left'), 'ArrowLeft', -1, 0],
  ['right', say('turns the view right'), 'ArrowRight', 1, 0],
  ['up', say('turns the view up'), 'ArrowUp', 0, 1],
  ['down', say('turns the view down'), 'ArrowDown', 0, -1],
] as const

export function pageActions(game: Game, page: Stage): Action[] {
  const look = (found: (at: number) => number): void => lookAt(game, page, found)
  return [
    ...TURNS.map(([side, words, key, yaw, pitch]) => ({
      ...view(side, [key], words, () => page.turn(yaw * TURN, pitch * TURN)),
      repeats: true,
    })),
    {
      ...view('nearer', ['+', 'Equal'], say('goes nearer'), () => page.zoom(1 / ZOOM)),
      repeats: true,
    },
    {
      ...view('farther', ['-', 'Minus'], say('goes farther'), () => page.zoom(ZOOM)),
      repeats: true,
    },
    view('next', ['KeyN'], say('next body'), () => look((at) => at + 1)),
    view('previous', ['KeyP'], say('previous body'), () => look((at) => at - 1)),
    view('parent', ['KeyU'], say('from a moon to its planet, from a planet to its star'), () =>
      look((at) => parentOf(page, at)),
    ),
    view('home', ['Home'], say('back to the start'), () => page.goHome()),
    view('system', ['KeyV'], say('whole system'), () => page.showAll()),
    view('picture', ['KeyI'], say('saves the picture as PNG'), () => void savePicture(game, page)),
  ]
}

function view(name: string, keys: readonly string[], words: string, act: () => void): Action {
  return { name: `view.${name}`, group: say('View'), keys, words, act }
}

/** Looks at another body of the list. */
function lookAt(game: Game, page: Stage, found: (at: number) => number): void {
  const { bodies } = page.surroundings.value ?? {}
  if (!bodies) return
  const focus = game.focus.value
  const at = bodies.findIndex(({ name }) => focus?.kind === 'body' && name === focus.name)
  const { name } = bodies[(found(at) + bodies.length) % bodies.length]
  game.focus.value = { kind: 'body', name }
}

function parentOf({ surroundings }: Stage, body: number): number {
  return Math.max(surroundings.value?.bodies[body]?.parent ?? 0, 0)
}
