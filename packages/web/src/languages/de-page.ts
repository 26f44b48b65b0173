import type { Row } from './say.ts'

export const GERMAN_PAGE: Readonly<Record<string, Row>> = {
  Language: 'Sprache',
  'As the browser': 'Wie im Browser',
  'The page loads again in another language.': 'In einer anderen Sprache lädt die Seite neu.',
  'Space. Arrow keys turn the view, plus and minus zoom, question mark shows all keys.':
    'Weltraum. Pfeiltasten drehen den Blick, Plus und Minus zoomen, das Fragezeichen zeigt alle Tasten.',
}
