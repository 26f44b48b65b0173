// Goal: the error names a system for which Typst has no build.
import { expect, test, vi } from 'vitest'
import { pdf } from '../../src/typesetting/pdf.ts'

vi.mock('@myriaddreamin/typst-ts-node-compiler', () => {
  throw new Error('Cannot find native binding')
})

test('a missing native build is named', async () => {
  const input = {
    title: '',
    place: '',
    cover: null,
    changed: 0,
    pictures: {},
    faults: {},
    parts: [],
  }
  await expect(pdf(input)).rejects.toThrow(/no native build for this system \(\w+-\w+\)/)
})
