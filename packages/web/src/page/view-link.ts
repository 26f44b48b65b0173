/** The address of the page: it leads to a view, and follows it. */
import { effect } from '@preact/signals'
import { say } from '../languages/say.ts'
import type { Game } from '../game/game.ts'
import { isSame } from '../readings/thing.ts'
import type { Surroundings } from '../scene/surroundings.ts'
import { EXTRAS, LAYERS, type ViewAddress, addressOf, parsedAddress } from '../view/view-address.ts'

/** The address follows the view after so long without movement [ms]. */
const REST_MS = 600

/** What a link leads to may become known so long after its star system [ms]. */
const WAIT_MS = 10_000

const WORDS = {
  body: say('body'),
  ship: say('ship'),
  station: say('station'),
  jumpgate: say('jump gate'),
} as const

export type Seen = Pick<ViewAddress, 'system' | 'thing' | 'aim' | 'at'>

export class ViewLink {
  readonly #game: Game
  #written = ''
  #followed = ''
  #changedAtMs = 0
  /** what it leads to and is not known yet, and until when that is waited for [ms] */
  #wanted: { readonly address: ViewAddress; readonly untilMs: number } | undefined

  constructor(game: Game) {
    this.#game = game
    let isMade = false
    effect(() => {
      // Layers are part of the address.
      for (const layer of [...LAYERS, ...EXTRAS]) void game.settings[layer].value
      if (isMade) this.noteChange(performance.now())
      isMade = true
    })
  }

  /** Whether the address in the browser is what the page wrote itself. */
  get isOwn(): boolean {
    return location.hash === this.#written
  }

  /** Whether it leads to a view that the page has not gone to. */
  get isNew(): boolean {
    return location.hash !== '' && location.hash !== this.#followed && !this.isOwn
  }

  noteChange(nowMs: number): void {
    this.#changedAtMs = nowMs
  }

  /** The whole address that shows others the same. */
  to(seen: Seen): string {
    const { settings } = this.#game
    const hidden = LAYERS.filter((layer) => !settings[layer].peek())
    const shown = EXTRAS.filter((extra) => settings[extra].peek())
    const { origin, pathname } = location
    return `${origin}${pathname}${addressOf({ ...seen, hidden, shown })}`
  }

  /** The address is written when the view rests; one that was not gone to yet is left. */
  write(nowMs: number, seen: Seen): void {
    if (this.isNew || this.#changedAtMs === 0 || nowMs - this.#changedAtMs < REST_MS) return
    this.#changedAtMs = 0
    // At the next visit the page shows the own ship by itself.
    const own = this.#game.session.peek()?.flight.ship.id ?? ''
    const isOwn = isSame(seen.thing, { kind: 'ship', id: own })
    this.#written = isOwn && seen.at === undefined ? '' : new URL(this.to(seen)).hash
    history.replaceState(null, '', this.#written || location.pathname)
  }

  /**
   * What the address leads to in a star system, with the layers of the link; what cannot be shown
   * is said.
   *
   * @param isKnown  whether a thing is known now
   */
  follow(
    around: Surroundings,
    isKnown: (address: ViewAddress) => boolean,
    nowMs: number,
  ): ViewAddress | undefined {
    this.#wanted = undefined
    this.#followed = location.hash
    if (location.hash === '') return undefined
    const address = parsedAddress(location.hash)
    const fault = address ? this.#faultOf(address, around) : say('The link cannot be read.')
    if (fault || !address) return this.#refuse(fault ?? '')
    this.#lend(address)
    this.#open(address.at)
    if (isKnown(address)) return address
    if (address.thing.kind === 'body')
      return this.#refuse(
        say('{system} has no body {name}.', { system: around.name, name: address.thing.name }),
      )
    this.#wanted = { address, untilMs: nowMs + WAIT_MS }
    return undefined
  }

  /**
   * The address that was waited for, once; after too long a wait a message instead.
   *
   * @param refused  id of what will not come
   */
  arrived(
    isKnown: (address: ViewAddress) => boolean,
    nowMs: number,
    refused: string | undefined,
  ): ViewAddress | undefined {
    const { address, untilMs } = this.#wanted ?? {}
    if (!address || untilMs === undefined) return undefined
    if (isKnown(address)) {
      this.#wanted = undefined
      return address
    }
    const { thing } = address
    const isGuest = !this.#game.session.peek()
    const isRefused = isGuest && thing.kind !== 'body' && thing.id === refused
    if (nowMs < untilMs && !isRefused) return undefined
    this.#wanted = undefined
    const { kind } = thing
    const why =
      isGuest && kind === 'ship' ? say('its pilot lets no guest see it') : say('out of sight')
    return this.#refuse(
      say('The {kind} of the link is gone, or {why}.', { kind: WORDS[kind], why }),
    )
  }

  #faultOf({ system }: ViewAddress, around: Surroundings): string | undefined {
    if (system !== around.id)
      return around.flight
        ? say('The link leads to {system}, and your ship is in {own}.', {
            system,
            own: around.name,
          })
        : say('There is no star system {system} here.', { system })
    return undefined
  }

  /** Shows the layers of a link until the player chooses others. */
  #lend({ hidden, shown }: ViewAddress): void {
    const { settings } = this.#game
    for (const layer of hidden ?? []) settings.lend(layer, false)
    for (const extra of shown ?? []) settings.lend(extra, true)
  }

  /** The date of a link; one without leads to the present. */
  #open(at: number | undefined): void {
    if (this.isOwn) return
    const { dates } = this.#game
    if (at === undefined) dates.value = undefined
    else if (Number.isNaN(at)) this.#refuse(say('The date of the link cannot be read.'))
    else dates.value = { ms: at }
  }

  #refuse(why: string): undefined {
    const text = `${why} ${say('This is the view without it.')}`
    this.#game.notices.show({ subject: 'link', kind: 'warning', text, isLasting: true })
  }
}
