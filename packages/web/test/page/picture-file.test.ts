// Law: a file of a picture has a name that every file system takes.
import { expect, test } from 'vitest'
import { fileName } from '../../src/page/picture-file.ts'

test.each([
  ['Saturn', 'Saturn'],
  ['TRAPPIST-1 b', 'TRAPPIST-1 b'],
  ['../Ида: "a|b"?', 'Ида ab'],
  ['<>', 'Orrery'],
  ['', 'Orrery'],
])('%s is saved as %s and its date', (name, begin) => {
  const date = Date.UTC(2026, 10, 29, 1, 30, 4)
  expect(fileName(name, date)).toBe(`${begin} 2026-11-29 01-30-04 UTC.png`)
})
