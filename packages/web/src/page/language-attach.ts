/** Puts the page into its language, and loads it again for another one. */
import { effect } from '@preact/signals'
import type { Game } from '../game/game.ts'
import { LANGUAGE, languageOf } from '../languages/language.ts'
import { say } from '../languages/say.ts'
import { byId } from '../view/elements.ts'

export function attachLanguage({ settings }: Game): void {
  document.documentElement.lang = LANGUAGE
  byId('space', HTMLElement).ariaLabel = say(
    'Space. Arrow keys turn the view, plus and minus zoom, question mark shows all keys.',
  )
  effect(() => {
    const wanted = languageOf(settings.language.value, navigator.languages)
    if (wanted !== LANGUAGE) location.reload()
  })
}
