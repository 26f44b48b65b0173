import { readFileSync } from 'node:fs'

/** Longer runs of letters are keys, hashes or encoded bytes. */
const WORD_LENGTH_MAX = 40

const ENGLISH = wordSet(
  `a about above after again against all also am an and any are as at be because been before being
  below between both but by can cannot could did do does doing done down during each either else
  every few for from further get gets got had has have having he her here hers herself him himself
  his how i if in into is it its itself just let many may me might more most much must my myself
  neither no nor not of off on once one only or other our ours ourselves out over own per same shall
  she should so some such than that the their theirs them themselves then there these they this
  those through to too under until up upon us very via was we were what when where whether which
  while who whom whose why will with within without would yet you your yours yourself yourselves`,
)

/** Of German, French and Spanish. */
const OTHERS = wordSet(
  `der die das und oder ein eine einem einen einer ist sind nicht mit von vom zum zur auf aus bei
  wie wer wir unser unsere nach wird werden haben kann konnen sollen darf sich auch wenn
  le la les des une du et ou est sont dans pour par avec sans nos notre comment qui que quel quelle
  plusieurs vers sur entre aux
  el los las del una y en son por para con sin como nuestro nuestra quien`,
)

function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.split(/\s+/))
}

/** Letters of scripts that put no spaces between words, or join words and particles. */
const SCRIPTS = ['Han', 'Hira', 'Kana', 'Hang', 'Thai', 'Laoo', 'Khmr', 'Mymr']
const UNSPACED = `[${SCRIPTS.map((name) => String.raw`\p{scx=${name}}`).join('')}]`
const HAS_UNSPACED = new RegExp(UNSPACED, 'u')
const RUNS = new RegExp(`${UNSPACED}+|(?:(?!${UNSPACED}).)+`, 'gsu')

/** Names of languages that end in signs, as one word. */
const WORD = /(?<![\p{L}\p{N}])(?:[cf]#|c\+\+)|[\p{L}\p{N}]+(?:['’]\p{L}+)?/giu
const ADDRESS = /\bhttps?:\/\/[^\s)>\]]*/g

/** The significant words of a text, in order, as stems. */
export function tokens(text: string): string[] {
  const found: string[] = []
  for (const [word] of plain(text).matchAll(WORD)) {
    if (HAS_UNSPACED.test(word)) {
      for (const [run] of word.matchAll(RUNS)) {
        found.push(...(HAS_UNSPACED.test(run) ? pairs(run) : tokens(run)))
      }
      continue
    }
    const bare = word.replace(/['’].*$/, '')
    // A single character has no meaning: `2 firewalls` would match whatever ends in a 2.
    if (bare.length === 1 || bare.length > WORD_LENGTH_MAX || ENGLISH.has(bare) || OTHERS.has(bare))
      continue
    const stemmed = stem(bare)
    found.push(OTHER_NAMES.get(stemmed) ?? stemmed)
  }
  return found
}

/** Each two neighbours: words have no borders there. */
function pairs(run: string): string[] {
  const letters = Array.from(run)
  return letters.slice(1).map((letter, i) => letters[i] + letter)
}

/** How many of a text's words are significant, 0-1. */
export function significantShare(text: string): number {
  const words = plain(text).match(WORD)?.length ?? 0
  return Math.min(1, tokens(text).length / (words || 1))
}

/** The significant words of a text, as written, by stem. */
export function spellings(text: string): Map<string, string> {
  const found = new Map<string, string>()
  for (const [word] of text.replaceAll(ADDRESS, ' ').matchAll(WORD)) {
    for (const token of tokens(word)) {
      if (!found.has(token)) found.set(token, HAS_UNSPACED.test(token) ? token : word)
    }
  }
  return found
}

/** Shares of known words from which a text may be English, and is. */
const ENGLISH_MIN = 0.5
const ENGLISH_SURE = 0.8

/** How far a text is English, 0-1. */
export function englishShare(text: string, isKnown: (stem: string) => boolean): number {
  const words = Array.from(plain(text).matchAll(WORD), ([word]) => word)
  const known = words.filter((word) => ENGLISH.has(word) || isKnown(stem(word)))
  const share = known.length / (words.length || 1)
  return Math.max(0, Math.min(1, (share - ENGLISH_MIN) / (ENGLISH_SURE - ENGLISH_MIN)))
}

/** Lower case, without accents and URLs; Hangul in syllables. */
function plain(text: string): string {
  const bare = text.replaceAll(ADDRESS, ' ').toLowerCase()
  return bare.normalize('NFKD').replaceAll(/\p{M}/gu, '').normalize('NFC')
}

const ENDINGS: readonly (readonly [ending: string, replacement: string, lengthMin: number])[] = [
  ['ies', 'y', 5],
  ['sses', 'ss', 6],
  ['xes', 'x', 5],
  ['ches', 'ch', 6],
  ['shes', 'sh', 6],
  ['ss', 'ss', 0],
  ['us', 'us', 0],
  ['is', 'is', 0],
  ['s', '', 4],
]

/**
 * A word without endings of plural, past and progressive. Rough: queries and chunks are cut alike.
 */
function stem(word: string): string {
  if (/\p{N}/u.test(word)) return word
  const plural = ENDINGS.find(([ending, , least]) => word.endsWith(ending) && word.length >= least)
  const singular = plural ? word.slice(0, -plural[0].length) + plural[1] : word
  for (const ending of ['ing', 'ed']) {
    if (!singular.endsWith(ending)) continue
    const base = singular.slice(0, -ending.length)
    if (base.length >= 3 && /[aeiouy]/.test(base)) return undoubled(base)
  }
  return singular.length > 4 && singular.endsWith('e') ? singular.slice(0, -1) : singular
}

/** `stopp` of `stopping` is `stop`; `fall` and `pass` stay. */
function undoubled(base: string): string {
  const last = base.at(-1) ?? ''
  if (last === base.at(-2) && !'lsz'.includes(last)) return base.slice(0, -1)
  return base.length > 4 && last === 'e' ? base.slice(0, -1) : base
}

/** Words with their short names, and those of German, French and Spanish: one word a line. */
const NAMES = readFileSync(new URL('other-names.txt', import.meta.url), 'utf8')

/** The stem that stands for others: short names, and words of other languages. */
export const OTHER_NAMES: ReadonlyMap<string, string> = new Map(
  NAMES.split('\n').flatMap((line) => {
    const [name, ...others] = plain(line).split(' ').map(stem)
    return others.map((other) => [other, name] as const)
  }),
)
