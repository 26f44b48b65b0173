/** Actions of the page's frame: its lists, dialogs and settings. */
import type { Signal } from '@preact/signals'
import { say } from '../languages/say.ts'
import type { Settings } from '../session/settings.ts'
import type { Action } from '../input/actions.ts'

export interface FrameParts {
  readonly settings: Settings
  /** whether each is open */
  readonly places: Signal<boolean>
  readonly dialogs: Readonly<Record<'Share' | 'Help', Signal<boolean>>>
}

export function frameActions({ settings, places, dialogs }: FrameParts): Action[] {
  const turned = (isOn: Signal<boolean>) => (): void => {
    isOn.value = !isOn.value
  }
  return [
    action('orbits', ['KeyO'], say('orbits on or off'), turned(settings.orbits)),
    action('names', ['KeyL'], say('names on or off'), turned(settings.labels)),
    action(
      'constellations',
      ['KeyK'],
      say('constellations on or off'),
      turned(settings.constellations),
    ),
    action('places', ['KeyB'], say('list of places'), () => {
      places.value = !places.value
      // Once it is shown.
      if (places.value) requestAnimationFrame(focusSearch)
    }),
    action('share', ['KeyC'], say('link to this view'), turned(dialogs.Share)),
    action('keys', ['?'], say('help and keys'), turned(dialogs.Help)),
  ]
}

function focusSearch(): void {
  document.querySelector<HTMLElement>('.places input')?.focus()
}

function action(name: string, keys: readonly string[], words: string, act: () => void): Action {
  return { name: `frame.${name}`, group: say('Page'), keys, words, act }
}
