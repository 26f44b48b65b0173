/** A sparse square matrix, row by row. */
export interface SparseMatrix {
  readonly size: number
  /** row r is at start[r] .. start[r + 1] of the other two */
  readonly start: Uint32Array
  readonly column: Uint32Array
  readonly value: Float32Array
}

/** Greatest distance of two words that count as neighbours. */
const WINDOW = 15

/** Exponent of context counts; it keeps rare words from being overrated. */
const SMOOTHING = 0.75

/**
 * Positive pointwise mutual information of neighbouring words.
 *
 * @param texts  ids of words, in order; ids from `size` on are skipped
 * @param size   number of words
 * @source Levy, Goldberg, Dagan: Improving Distributional Similarity with Lessons Learned from Word
 *   Embeddings, TACL 3 (2015), sections 2.1 and 3.2
 */
export function positiveMutualInformation(
  texts: readonly Uint32Array[],
  size: number,
  checkpoint: () => void,
): SparseMatrix {
  const places = occurrences(texts, size)
  const { counts, totals } = neighbourCounts(places, checkpoint)
  let total = 0
  const smoothed = totals.map((count) => count ** SMOOTHING)
  for (const count of smoothed) total += count
  return weighed(counts, totals, smoothed, total)
}

interface Places {
  readonly size: number
  /** all texts in sequence, with gaps of the window's size */
  readonly stream: Int32Array
  /** positions of each word: word w at start[w] .. start[w + 1] of place */
  readonly start: Uint32Array
  readonly place: Uint32Array
}

const GAP = -1

function occurrences(texts: readonly Uint32Array[], size: number): Places {
  let length = WINDOW
  for (const text of texts) length += text.length + WINDOW
  const stream = new Int32Array(length).fill(GAP)
  const start = new Uint32Array(size + 1)
  let at = WINDOW
  for (const text of texts) {
    for (const word of text) {
      if (word >= size) continue
      stream[at++] = word
      start[word + 1]++
    }
    at += WINDOW
  }
  for (let w = 0; w < size; w++) start[w + 1] += start[w]
  const next = start.slice()
  const place = new Uint32Array(start[size])
  for (let i = 0; i < length; i++) if (stream[i] !== GAP) place[next[stream[i]]++] = i
  return { size, stream, start, place }
}

/** Counts of neighbours for each pair of words, and the sums of the rows. */
function neighbourCounts(
  { size, stream, start, place }: Places,
  checkpoint: () => void,
): { counts: SparseMatrix; totals: Float64Array } {
  const rowStart = new Uint32Array(size + 1)
  const columns: Uint32Array[] = []
  const values: Float32Array[] = []
  const totals = new Float64Array(size)
  const row = new Float32Array(size)
  for (let w = 0; w < size; w++) {
    if (w % 256 === 0) checkpoint()
    const touched: number[] = []
    for (let p = start[w]; p < start[w + 1]; p++) {
      const at = place[p]
      for (let i = at - WINDOW; i <= at + WINDOW; i++) {
        const other = stream[i]
        if (other === GAP || i === at) continue
        if (row[other] === 0) touched.push(other)
        row[other]++
        totals[w]++
      }
    }
    // Ascending, so that sums over a row do not depend on positions.
    const column = Uint32Array.from(touched).toSorted()
    columns.push(column)
    values.push(Float32Array.from(column, (other) => row[other]))
    for (const other of touched) row[other] = 0
    rowStart[w + 1] = rowStart[w] + column.length
  }
  const column = new Uint32Array(rowStart[size])
  const value = new Float32Array(rowStart[size])
  for (let w = 0; w < size; w++) {
    column.set(columns[w], rowStart[w])
    value.set(values[w], rowStart[w])
  }
  return { counts: { size, start: rowStart, column, value }, totals }
}

/** log p(w, c) / p(w) p(c) where positive, averaged over both directions. */
function weighed(
  { size, start, column, value }: SparseMatrix,
  totals: Float64Array,
  smoothed: Float64Array,
  total: number,
): SparseMatrix {
  const rowStart = new Uint32Array(size + 1)
  let kept = 0
  for (let w = 0; w < size; w++) {
    for (let i = start[w]; i < start[w + 1]; i++) {
      const c = column[i]
      const toward = Math.log((value[i] * total) / (totals[w] * smoothed[c]))
      const back = Math.log((value[i] * total) / (totals[c] * smoothed[w]))
      const information = (Math.max(0, toward) + Math.max(0, back)) / 2
      if (information === 0) continue
      column[kept] = c
      value[kept++] = information
    }
    rowStart[w + 1] = kept
  }
  return { size, start: rowStart, column: column.slice(0, kept), value: value.slice(0, kept) }
}
