// Goal: the texts of users stay text in every template and add no heading, list, link or picture.
// Method: the parsed template, with hostile and random names.
import { createChance, testSeed } from '@orrery/testkit'
import { byTier } from '@orrery/testkit/tier'
import { describe, expect, test } from 'vitest'
import { embedded } from '../../src/markdown/embedded.ts'
import { literalCell, literalLine } from '../../src/markdown/literal.ts'
import { markdownTree, textOf } from '../../src/markdown/markdown-tree.ts'
import { TEMPLATES } from '../../src/documents/templates.ts'

const HOSTILE = [
  '{{7*7}} {{7*7}}',
  '{% include "/etc/passwd" %}',
  '${process.env.HOME}',
  '{{ constructor.constructor("return 1")() }}',
  '<script>alert(1)</script>',
  '# Heading #',
  '- item',
  '1. item',
  '10) item',
  '> quote',
  '=== ---',
  '***',
  '**bold** __bold__ *it* _it_ ~~old~~',
  '[link](https://evil.example) ![x](artifact:6f1c2a3b-4d5e-4f60-8a7b-9c0d1e2f3a4b)',
  '`code` ``',
  '&lt;b&gt; &#35; &copy;',
  'a | b || c',
  'back \\ slash \\* \\',
  '[TOC]',
  '[^1]: note',
  '!!! note',
  '```',
  '~~~',
  '    code',
  'a\n# b\n\n- c\n\n    d\n| e |',
  'a_b_c * d * e',
  '+ plus',
  ': colon',
]

function shown(source: string): string {
  return textOf(markdownTree(source).root).replaceAll(/\s+/g, ' ').trim()
}

function normal(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}

function randomTexts(seed: number, count: number): string[] {
  const signs = ['*', '_', '~', '`', '[', ']', '(', ')', '<', '>', '#', '-', '+', '|', '\\', '!']
  const others = ['&', ':', '=', '1.', 'a', 'b c', ' ', ' ', '"', "'", '^', '$', 'www.']
  const words = [...signs, ...signs, ...others, 'http://a.b']
  const chance = createChance(seed)
  return Array.from({ length: count }, () =>
    Array.from({ length: 1 + chance.below(12) }, () => chance.pick(words)).join(''),
  ).filter((text) => text.trim() !== '')
}

const TEXTS = [
  ...HOSTILE,
  ...randomTexts(testSeed('texts in templates'), byTier({ gate: 120, night: 600 })),
]

/** Texts that are not shown unchanged. */
function changed(frames: (text: string) => readonly (readonly [source: string, shown: string])[]): {
  readonly text: string
  readonly source: string
}[] {
  return TEXTS.flatMap((text) =>
    frames(text)
      .filter(([source, expected]) => shown(source) !== expected)
      .map(([source]) => ({ text, source })),
  )
}

test('a line is shown unchanged in every position', () => {
  const found = changed((text) => {
    const line = literalLine(text)
    const expected = normal(text)
    return [
      [`# ${literalLine(text, { alone: true })}: end`, `${expected}: end`],
      [`- ${line}`, expected],
      [`- [ ] ${line} (x)`, `${expected} (x)`],
      [`a **bold** ${line} *it* and ${line}`, `a bold ${expected} it and ${expected}`],
      [`| a | b |\n|---|---|\n| ${literalCell(text)} | z |`, `a b ${expected} z`],
    ]
  })
  expect(found).toEqual([])
})

const HOSTILE_MARKDOWN = [
  '# One\n\n## Two',
  'One\n===\n\nTwo\n---',
  '```\nopen',
  '~~~ open\n# inside',
  '<!-- open',
  '<script>alert(1)',
  '<div>\n\n<pre>',
  '<details><summary>x',
  '[TOC]',
  '- ```\n  open',
  '> ```\n> open',
  '!!! note "x"\n    ```\n    open',
  '| a |\n|---|\n| b |',
  '[^1]: note\n    more',
  '**open _emphasis `code',
  '$$ open',
  '`<b>` <b>',
  '\\',
]

test('Markdown of records stays within its place in a document', () => {
  const all = HOSTILE_MARKDOWN.concat(TEXTS).flatMap((text, i) => [text, `${text}\n${TEXTS[i]}`])
  const leaking = all.filter((text) => {
    const { root, headings } = markdownTree(`# First\n\n${embedded(text, 2)}\n\n# Last\n\nend`)
    const levels = headings.map(({ level }) => level)
    const isEnclosed = levels[0] === 1 && levels.at(-1) === 1 && headings.at(-1)?.text === 'Last'
    return (
      !isEnclosed || levels.slice(1, -1).some((level) => level < 3) || !textOf(root).endsWith('end')
    )
  })
  expect(leaking).toEqual([])
})

test('Markdown of records is not shown as its source', () => {
  const source =
    'Near **readers**:\n\n- one\n- `two <b>`\n\n## Drivers\n\n* Good\n\n```sh\na <b>\n```'
  expect(shown(embedded(source, 2))).toBe('Near readers: one two <b> Drivers Good a <b>')
  const { headings } = markdownTree(embedded(source, 2))
  expect(headings.map(({ level, text }) => [level, text])).toEqual([[4, 'Drivers']])
})

describe.each(Object.entries(TEMPLATES))('%s', (_, template) => {
  const plain = markdownTree(template({ projectName: 'Shop', records: undefined }))

  test('contains the name of the project and its own text only', () => {
    expect(plain.headings[0].text).toMatch(/^Shop: /)
    expect(plain.headings.length).toBeGreaterThan(1)
  })

  test.each(HOSTILE)('%s as its name', (name) => {
    const source = template({ projectName: name, records: undefined })
    const { headings } = markdownTree(source)
    expect(headings[0].text).toBe(plain.headings[0].text.replace('Shop', () => normal(name)))
    expect(headings.slice(1)).toEqual(plain.headings.slice(1))
  })
})
