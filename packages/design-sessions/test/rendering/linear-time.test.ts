// Goal: parsing takes linear time for every source, and an aborted job frees its place in the
// queue. Method: sources that take minutes with backtracking patterns, under the usual limit.
import { IS_NIGHT } from '@orrery/testkit/tier'
import { afterAll, expect, test } from 'vitest'
import { RenderError } from '../../src/render-error.ts'
import { PATIENT, TestRenderer } from '../renderer.ts'
import { plainSvg } from '../../src/pictures/drawable-svg.ts'
import { cleanStyle } from '../../src/pictures/svg-rules.ts'

const renderer = new TestRenderer({ children: 1, niceness: PATIENT.niceness })
afterAll(() => renderer.close())

const LONG = 262_000

test('a graph that opens after a lot of space', async () => {
  const source = `digraph${' '.repeat(LONG)}{ a }`
  expect(await renderer.render({ engine: 'graphviz', source })).toMatchObject({ ok: true })
})

test('a document whose words are far apart', async () => {
  const source = `a${' '.repeat(LONG)}b\n   c`
  const pdf = await renderer.run('pdf', {
    title: 'Far apart',
    place: '',
    cover: null,
    changed: 0,
    pictures: {},
    faults: {},
    parts: [{ type: 'markdown', source, lowered: 0 }],
  })
  expect(Buffer.from(pdf).toString('latin1')).toMatch(/^%PDF/)
})

test.each(['/*a', 'url(', 'url( ', 'url("', "url('", '/*'])(
  'a style sheet of nothing but %s',
  (part) => {
    expect(cleanStyle(`a{}${part.repeat(LONG)}`)).toBe('')
  },
)

test('a text of repeated @font-face', () => {
  const text = '@font-face{'.repeat(LONG / 11)
  expect(plainSvg(text)).toBe(text)
})

test('a face with a very long name', () => {
  const name = `d2-a-font-${'-a'.repeat(LONG / 2)}`
  const text = '<text>@font-face</text>'
  expect(plainSvg(`${text}<a style="font-family:${name}"/>`)).toContain('font-family:Arimo"')
})

// By day limits.test.ts notices an aborted job that keeps its child.
test.runIf(IS_NIGHT)('an aborted job frees its place in the queue', async () => {
  const small = new TestRenderer({ ...PATIENT, children: 1, waitingMax: 1 })
  const picture = { engine: 'graphviz', source: 'digraph { a }' } as const
  try {
    const first = small.run('diagram', picture)
    const gone = new AbortController()
    const second = small.run('diagram', picture, gone.signal)
    await expect(small.run('diagram', picture)).rejects.toThrow(/Too many renders wait/)
    gone.abort()
    await expect(second).rejects.toThrow(RenderError)
    const third = small.run('diagram', picture)
    expect((await first).outputs).toHaveLength(1)
    expect((await third).outputs).toHaveLength(1)
  } finally {
    await small.close()
  }
})
