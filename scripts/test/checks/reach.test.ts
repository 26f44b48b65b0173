// Goal: a change runs each test that can notice it: through imports by path and by name, through
// services that a test starts by name, through files that are no source, and all tests where
// something is changed that every package uses. It runs no test that only passes by: one that takes
// types alone, or other names of an index.
import { expect, test } from 'vitest'
import { type Room, reachedTests } from '../../checks/reach.ts'

const ROOMS: readonly Room[] = [
  { folder: 'packages/core', name: '@orrery/core', exports: { '.': './src/index.ts' } },
  {
    folder: 'packages/server',
    name: '@orrery/server',
    exports: { './main': './src/main.ts' },
  },
]

const TEXTS = new Map([
  [
    'packages/core/src/index.ts',
    "export { mean, type Mean } from './mean.ts'\n" +
      "export {\n  middle as median,\n} from './median.ts'",
  ],
  ['packages/core/src/mean.ts', ''],
  ['packages/core/src/median.ts', "import type { Mean } from './mean.ts'"],
  ['packages/core/src/alone.ts', ''],
  ['packages/core/test/mean.test.ts', "import { mean } from '../src/mean.ts'"],
  [
    'packages/core/test/alone.test.ts',
    "/**\n * @example import.meta.resolve('@orrery/server/main')\n */\nimport '../src/alone.ts'",
  ],
  ['packages/core/test/all.test.ts', "import * as core from '@orrery/core'"],
  ['packages/core/test/types.test.ts', "import { type Mean, median } from '../src/index.ts'"],
  ['packages/server/src/main.ts', "import { mean } from '@orrery/core'"],
  ['packages/server/test/start.test.ts', "const MAIN = new URL('../src/main.ts', import.meta.url)"],
  ['scripts/start.ts', "await import('@orrery/server/main')"],
  ['scripts/test/start.test.ts', "main: import.meta.resolve('../start.ts')"],
  ['scripts/test/readme.test.ts', "readmeSample('../../README.md')"],
  ['scripts/test/list.test.ts', "readFile('../../packages/core/LIST.md')"],
])

test.each([
  ['packages/core/src/alone.ts', ['packages/core/test/alone.test.ts']],
  [
    'packages/core/src/mean.ts',
    [
      'packages/core/test/mean.test.ts',
      'packages/core/test/all.test.ts',
      'packages/server/test/start.test.ts',
      'scripts/test/start.test.ts',
    ],
  ],
  [
    'packages/core/src/median.ts',
    ['packages/core/test/all.test.ts', 'packages/core/test/types.test.ts'],
  ],
  [
    'packages/core/src/index.ts',
    [
      'packages/core/test/all.test.ts',
      'packages/core/test/types.test.ts',
      'packages/server/test/start.test.ts',
      'scripts/test/start.test.ts',
    ],
  ],
  [
    'packages/server/src/main.ts',
    ['packages/server/test/start.test.ts', 'scripts/test/start.test.ts'],
  ],
  ['packages/server/test/start.test.ts', ['packages/server/test/start.test.ts']],
  [
    'packages/server/migrations/1.sql',
    ['packages/server/test/start.test.ts', 'scripts/test/start.test.ts'],
  ],
  ['packages/server/README.md', []],
])('%s reaches %j', (changed, reached) => {
  expect(reachedTests([changed], TEXTS, ROOMS)).toEqual(reached)
})

test('what every package uses reaches all', () => {
  const all = [...TEXTS.keys()].filter((file) => file.endsWith('.test.ts'))
  for (const file of ['pnpm-lock.yaml', 'vitest.config.ts', 'package.json']) {
    expect(reachedTests([file], TEXTS, ROOMS)).toEqual(all)
  }
})

test('a page reaches the tests that read it, also of another package', () => {
  expect(reachedTests(['README.md'], TEXTS, ROOMS)).toEqual(['scripts/test/readme.test.ts'])
  expect(reachedTests(['scripts/README.md'], TEXTS, ROOMS)).toEqual(['scripts/test/readme.test.ts'])
  expect(reachedTests(['packages/core/README.md'], TEXTS, ROOMS)).toEqual([])
  expect(reachedTests(['packages/core/LIST.md'], TEXTS, ROOMS)).toEqual([
    'scripts/test/list.test.ts',
  ])
})
