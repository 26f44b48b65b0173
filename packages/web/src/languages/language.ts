/** Which language the page is in. */
import { browserStorage, keptSettings } from '../storage/kept-settings.ts'

/** Names of languages, each in itself. */
export const LANGUAGES = { en: 'English', de: 'Deutsch' } as const

export type Language = keyof typeof LANGUAGES

/**
 * The language for a choice of the player.
 *
 * @param choice  as the browser keeps it; `auto` for what is no language of the page
 * @param wanted  tags such as `de-AT`, the best first
 */
export function languageOf(choice: unknown, wanted: readonly string[]): Language {
  const tags = [choice, ...wanted].map((tag) => String(tag).split('-')[0])
  return tags.find((tag): tag is Language => Object.hasOwn(LANGUAGES, tag)) ?? 'en'
}

/** Of the page until it is loaded again; English outside of a browser. */
export const LANGUAGE: Language =
  'window' in globalThis
    ? languageOf(keptSettings(browserStorage())['language'], navigator.languages)
    : 'en'
