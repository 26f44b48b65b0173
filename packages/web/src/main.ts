import './style.css'
import { createGameClient } from '@orrery/client'
import { h, render } from 'preact'
import { say } from './languages/say.ts'
import { FIRST_SYSTEM, createGame } from './game/game.ts'
import { attachPractices } from './events/ship-events.ts'
import { attachAlarms } from './alarms/attach-alarms.ts'
import { createActions } from './input/actions.ts'
import { attachFlightActions } from './input/flight-actions.ts'
import { attachGamepad } from './input/gamepad.ts'
import { attachKeyboard } from './input/keyboard.ts'
import { attachLettingGo } from './input/letting-go.ts'
import { keepOwnKeys } from './input/own-keys.ts'
import { mapActions } from './input/map-actions.ts'
import { pageActions } from './input/page-actions.ts'
import { shipActions } from './input/ship-actions.ts'
import { comeBack } from './game/returning.ts'
import { attachSlowness } from './game/slowness.ts'
import { attachWaking } from './game/waking.ts'
import { byId } from './view/elements.ts'
import { attachPlans } from './plans/attach-plans.ts'
import { attachLanguage } from './page/language-attach.ts'
import { attachConstellations } from './page/constellation-attach.ts'
import { attachFurniture, attachServerName } from './page/furniture.ts'
import { attachShips } from './page/ship-attach.ts'
import { OrbitMap } from './page/orbit-map.ts'
import { SpacePage } from './page/space-page.ts'
import { graphicsHere } from './scene/graphics.ts'
import { attachTrajectory } from './page/trajectory-attach.ts'
import { ShownSystem } from './page/shown-system.ts'
import { attachTitle } from './page/title.ts'
import { invitationIn } from './session/invitation.ts'
import { browserStorage } from './storage/kept-settings.ts'
import { parsedAddress } from './view/view-address.ts'
import { App } from './frame/app.tsx'

const NO_PICTURE = {
  subject: 'picture',
  kind: 'warning',
  text: say('This browser draws no WebGL 2, so there is no picture. Everything else works.'),
  isLasting: true,
} as const

const client = createGameClient({ url: location.origin })
const game = createGame(client, location.origin)
const actions = createActions()

function start(): void {
  game.guestSystem.value = parsedAddress(location.hash)?.system ?? FIRST_SYSTEM
  // The server answers while the graphics are made.
  new ShownSystem(game, (around) => page.show(around)).open()
  const graphics = graphicsHere()
  if (!graphics) game.notices.show(NO_PICTURE)
  const page = new SpacePage(game, graphics)
  render(h(App, { game, stage: page, actions }), byId('panels', HTMLElement))
  attachLanguage(game)
  attachShips(game, page)
  attachFurniture(page, game, attachPlans(game, page))
  attachTrajectory(game, page)
  const map = new OrbitMap(game, page)
  actions.register([...pageActions(game, page), ...shipActions(game), ...mapActions(map)])
  attachFlightActions(actions, game, page)
  attachGamepad(actions, game, page)
  attachServerName(page, game)
  attachTitle(game)
  attachConstellations(game, page)
  attachAlarms(game)
}

keepOwnKeys(browserStorage())
attachKeyboard(actions, byId('space', HTMLCanvasElement), game.settings.signs)
attachLettingGo(game.helm)
start()
// An address that names a view is shown, though the player has a ship to look at.
comeBack(game, location.hash === '')
game.entrance.invitation.value = invitationIn(location.search)
if (game.entrance.invitation.value !== '' && !game.session.value) game.entrance.ask('register')
attachWaking(game)
attachSlowness(game)
attachPractices(game)
