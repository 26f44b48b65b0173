// Goal: the fit is correct and deterministic. Method: eigenpairs of matrices with a known spectrum;
// the same library fitted twice.
import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import type { SourcedChunk } from '../../src/indexing/chunk-index.ts'
import type { SparseMatrix } from '../../src/indexing/cooccurrence.ts'
import { positiveMutualInformation } from '../../src/indexing/cooccurrence.ts'
import { LibraryEmbedding } from '../../src/indexing/library-embedding.ts'
import { openLibrary } from '../../src/indexing/library.ts'
import { parsedFile } from '../../src/indexing/markdown.ts'
import { spectrum } from '../../src/indexing/spectrum.ts'
import { libraryIndex } from '../../src/indexing/stored-index.ts'
import { OWN_LIBRARY } from './fixture.ts'

function digest(part: unknown): string {
  const bytes = ArrayBuffer.isView(part) ? new Uint8Array(part.buffer) : JSON.stringify(part)
  return createHash('sha256').update(bytes).digest('hex')
}

const unchecked = (): void => {}

/** The path of n vertices: eigenvalues 2 cos(kπ / (n + 1)). */
function path(n: number): SparseMatrix {
  const rows = Array.from({ length: n }, (_, i) => [i - 1, i + 1].filter((j) => j >= 0 && j < n))
  const start = Uint32Array.from({ length: n + 1 }, (_, i) => rows.slice(0, i).flat().length)
  const column = Uint32Array.from(rows.flat())
  return { size: n, start, column, value: new Float32Array(column.length).fill(1) }
}

test('a path has its known eigenvalues and orthonormal vectors', () => {
  const n = 12
  const { values, vectors } = spectrum(path(n), n, unchecked)
  const known = Array.from({ length: n }, (_, k) => 2 * Math.cos(((k + 1) * Math.PI) / (n + 1)))
  for (const [i, value] of [...values].toSorted((a, b) => b - a).entries()) {
    expect(value).toBeCloseTo(known[i], 9)
  }
  for (let a = 0; a < n; a++) {
    for (let b = 0; b < n; b++) {
      let dot = 0
      for (let r = 0; r < n; r++) dot += vectors.values[r * n + a] * vectors.values[r * n + b]
      expect(dot).toBeCloseTo(a === b ? 1 : 0, 9)
    }
  }
})

test('the largest eigenvalues are found among many, also of a matrix of low rank', () => {
  const n = 400
  const value = new Float32Array(n).fill(0)
  value.set([-9, 7, 5, -3])
  const diagonal = {
    size: n,
    start: Uint32Array.from({ length: n + 1 }, (_, i) => i),
    column: Uint32Array.from({ length: n }, (_, i) => i),
    value,
  }
  const { values } = spectrum(diagonal, 6, unchecked)
  const expected = [-9, 7, 5, -3, 0, 0]
  for (const [i, found] of values.entries()) expect(found).toBeCloseTo(expected[i], 6)
})

test('words share information if and only if they occur together, symmetrically', () => {
  const texts = [Uint32Array.of(0, 1, 0, 1), Uint32Array.of(2, 3, 2, 3)]
  const { size, start, column, value } = positiveMutualInformation(texts, 4, unchecked)
  const at = (r: number, c: number): number => {
    for (let i = start[r]; i < start[r + 1]; i++) if (column[i] === c) return value[i]
    return 0
  }
  expect(size).toBe(4)
  expect(at(0, 2)).toBe(0)
  expect(at(1, 3)).toBe(0)
  expect(at(0, 1)).toBeGreaterThan(0)
  expect(at(0, 1)).toBe(at(1, 0))
})

test('the same library gives the same index, byte for byte', { timeout: 120_000 }, async () => {
  const library = openLibrary(OWN_LIBRARY)
  const chunks: SourcedChunk[] = []
  for (const source of (await library.paths()).slice(0, 30)) {
    const { title = source, chunks: found } = parsedFile(await library.text(source))
    for (const chunk of found) chunks.push({ ...chunk, source, title })
  }
  const fitted = async (): Promise<readonly (readonly [string, string])[]> => {
    const checkpoints = { step: unchecked, chunks: unchecked }
    const { index, words } = await libraryIndex(chunks, new LibraryEmbedding(), checkpoints)
    expect(words?.count).toBeGreaterThan(1000)
    return Object.entries({ ...index, ...words }).map(([name, part]) => [name, digest(part)])
  }
  expect(await fitted()).toEqual(await fitted())
})
