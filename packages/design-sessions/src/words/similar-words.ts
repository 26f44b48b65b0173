/** Letters that two words share in a row count together. */
const GRAM = 3

/** Words that share so many runs are compared, the nearest of them. */
const COMMON_MIN = 0.4
const COMPARED_MAX = 16

/** Likeness from which a word may be another one, misspelt or of another language. */
const LIKENESS_MIN = 0.65

/** From here on a word is another form of a known one rather than a compound. */
const FORM_MIN = 0.75

/** Shorter words are spelt like too many others. */
const LENGTH_MIN = 4

/** Words in the place of one. */
const WORDS_MAX = 3

/** How far one of two parts stands for a compound. */
const PART_SHARE = 0.5

/** Words whose answers are kept. */
const ASKED_MAX = 1000

/** A word of the vocabulary in the place of an unknown one. */
export interface SimilarWord {
  readonly stem: string
  /** how far it stands for the unknown one, 0-1 */
  readonly share: number
}

/** A vocabulary that is searched by spelling. */
export class SimilarWords {
  readonly #words: readonly string[]
  readonly #known: ReadonlySet<string>
  /** numbers of the words that hold a run of letters, by that run */
  readonly #holders = new Map<string, number[]>()
  readonly #grams: Uint8Array
  /** answers: the parts of a long text ask for the same words */
  readonly #asked = new Map<string, readonly SimilarWord[]>()

  constructor(words: Iterable<string>) {
    this.#words = [...new Set(words)].filter((word) => word.length >= LENGTH_MIN)
    this.#known = new Set(this.#words)
    this.#grams = new Uint8Array(this.#words.length)
    for (const [number, word] of this.#words.entries()) {
      const grams = gramsOf(word)
      this.#grams[number] = grams.size
      for (const gram of grams) {
        const holders = this.#holders.get(gram)
        if (holders) holders.push(number)
        else this.#holders.set(gram, [number])
      }
    }
  }

  /** The words that are spelt most alike, best first, or the parts of a compound. */
  like(word: string): readonly SimilarWord[] {
    const known = this.#asked.get(word)
    if (known) return known
    const forms = this.#forms(word)
    const isForm = forms.length > 0 && forms[0].share >= FORM_MIN
    const parts = isForm ? [] : this.#parts(word)
    const like = parts.length > 0 ? parts.map((stem) => ({ stem, share: PART_SHARE })) : forms
    if (this.#asked.size === ASKED_MAX) this.#asked.clear()
    this.#asked.set(word, like)
    return like
  }

  #forms(word: string): readonly SimilarWord[] {
    if (word.length < LENGTH_MIN) return []
    const grams = gramsOf(word)
    const common = new Map<number, number>()
    for (const gram of grams) {
      for (const number of this.#holders.get(gram) ?? []) {
        common.set(number, (common.get(number) ?? 0) + 1)
      }
    }
    return [...common]
      .map(([number, count]) => ({
        stem: this.#words[number],
        share: (2 * count) / (grams.size + this.#grams[number]),
      }))
      .filter(({ share }) => share >= COMMON_MIN)
      .toSorted((a, b) => b.share - a.share)
      .slice(0, COMPARED_MAX)
      .map(({ stem }) => ({ stem, share: likeness(word, stem) }))
      .filter(({ share }) => share >= LIKENESS_MIN)
      .toSorted((a, b) => b.share - a.share)
      .slice(0, WORDS_MAX)
  }

  /** Two words that make up one, also with an `s` between them. */
  #parts(word: string): readonly string[] {
    for (let at = LENGTH_MIN; at <= word.length - LENGTH_MIN; at++) {
      const [head, tail] = [word.slice(0, at), word.slice(at)]
      if (!this.#known.has(tail)) continue
      const first = [head, head.replace(/s$/, '')].find((part) => this.#known.has(part))
      if (first !== undefined) return [first, tail]
    }
    return []
  }
}

/** Runs of letters, with the borders of the word; pairs are from swapped and missing letters. */
function gramsOf(word: string): ReadonlySet<string> {
  const whole = `^${word}$`
  const grams = new Set<string>()
  for (let size = GRAM - 1; size <= GRAM; size++) {
    for (let at = 0; at + size <= whole.length; at++) grams.add(whole.slice(at, at + size))
  }
  return grams
}

/** 1 less the share of letters to insert, remove, replace or swap with the next one. */
function likeness(a: string, b: string): number {
  let [before, row] = [[] as number[], Array.from({ length: b.length + 1 }, (_, j) => j)]
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1)
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const swapped = isSwap ? before[j - 2] + 1 : Infinity
      next.push(Math.min(replaced, swapped, row[j] + 1, next[j - 1] + 1))
    }
    ;[before, row] = [row, next]
  }
  return 1 - row[b.length] / Math.max(a.length, b.length)
}
