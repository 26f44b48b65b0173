// Goal: parsing keeps all text of a library file, in linear time. Method: files with one difficulty
// each; large ones that a backtracking pattern would not finish.
import { describe, expect, test } from 'vitest'
import { meaningsOf } from '../../src/indexing/meaning.ts'
import { PASSAGE_LENGTH, parsedFile, passages } from '../../src/indexing/markdown.ts'
import { spellings, tokens } from '../../src/words/tokens.ts'

test('each typical request has a meaning of its own, another text one', () => {
  const lines = '- It is slow. It fails at night.\n- Why?\n* A thief got in at night.'
  const [requests] = parsedFile(`## Typical Requests\n\n${lines}`).chunks
  expect(meaningsOf(requests)).toEqual(['It fails at night.', 'A thief got in at night.'])
  const [scope] = parsedFile(`## Scope\n\n${lines}`).chunks
  expect(meaningsOf(scope)).toEqual([lines])
  const [short] = parsedFile('## Typical Requests\n\nWhy?').chunks
  expect(meaningsOf(short)).toEqual(['Why?'])
})

describe('items', () => {
  test.each([
    '- [ ] **[Critical]** Is it so?',
    '- [x] **[critical]** Is it so?',
    '- [X] [CRITICAL] Is it so?',
    '* [ ] **[Critical]:** Is it so?',
    '+ **[Critical]** Is it so?',
    '- [Critical]: Is it so?',
    '1. [ ] __[Critical]__ Is it so?',
    '  2) **[Critical]** Is it so?',
    '- [ ] **[Critical]** Is it\n  so?',
    '- [ ] **[Critical]** Is it\nso?',
    '- [ ] **[Critical]** Is it\n  - so?',
  ])('%j is a critical item', (line) => {
    expect(parsedFile(`## Checks\n\n${line}\n`).chunks).toEqual([
      { section: 'Checks', item: 'Is it so?', priority: 'critical', content: 'Is it so?' },
    ])
  })

  test('a checkbox without tag is an item without priority', () => {
    const [chunk] = parsedFile('# T\n- [ ] Is it so?').chunks
    expect(chunk).toMatchObject({ item: 'Is it so?', priority: null })
  })

  test('consecutive items are separate, also with Windows line ends', () => {
    const text =
      '\u{FEFF}# T\r\n\r\n- [ ] **[Critical]** a\r\n  b\r\n- [ ] **[Optional]** c\r\n\r\n  d\r\n'
    expect(parsedFile(text).chunks.map(({ content, priority }) => [content, priority])).toEqual([
      ['a b', 'critical'],
      ['c', 'optional'],
      ['d', null],
    ])
  })

  test.each(['[Critical] no bullet', '- [Urgent] unknown tag', '- a [Critical] in the middle'])(
    '%j is not an item',
    (line) => {
      expect(parsedFile(`## Text\n${line}`).chunks).toMatchObject([{ item: null, content: line }])
    },
  )
})

describe('sections', () => {
  test('text is a passage of its heading, except in sections without content of their own', () => {
    const silent = [
      'before any heading',
      '## Checklist',
      'a',
      '## See Also',
      'b',
      '## checklist #',
      'c',
    ]
    const { title, chunks } = parsedFile(
      [...silent, '# Title ##', 'x', '###### Deep', 'y'].join('\n'),
    )
    expect(title).toBe('Title')
    expect(chunks.map(({ section, content }) => [section, content])).toEqual([
      ['Title', 'x'],
      ['Deep', 'y'],
    ])
  })

  test('code fences hold neither headings nor items, and are part of the text', () => {
    const fence = '~~~~ sh\n# no heading\n- [ ] **[Critical]** no item\n~~~\n```\n~~~~'
    const { chunks } = parsedFile(`## Text\n${fence}\n- [ ] **[Critical]** item\n`)
    expect(chunks.map(({ item }) => item)).toEqual(['item', null])
    expect(chunks[1].content).toBe(fence)
  })

  test('an unclosed fence contains the rest of the file', () => {
    const { chunks } = parsedFile('## Text\n```\n# a\n- [ ] **[Critical]** b')
    expect(chunks).toMatchObject([{ section: 'Text', item: null }])
  })

  test('a long section is split into passages without loss', () => {
    const words = Array.from({ length: 5000 }, (_, i) => `word${i}${i % 12 === 0 ? '.' : ''}`)
    const paragraphs = [words.slice(0, 40), words.slice(40, 4000), words.slice(4000)]
    const text = paragraphs.map((part) => part.join(' ')).join('\n \n')
    const { chunks } = parsedFile(`## Long\n\n${text}`)
    expect(chunks.every(({ content }) => content.length <= PASSAGE_LENGTH)).toBe(true)
    expect(
      chunks
        .map(({ content }) => content)
        .join(' ')
        .split(/\s+/),
    ).toEqual(words)
  })

  test('short paragraphs share a passage, up to its length', () => {
    const paragraph = 'x'.repeat(98)
    const ten = Array.from({ length: 10 }, () => paragraph).join('\n\n')
    expect(ten).toHaveLength(PASSAGE_LENGTH - 2)
    expect(passages(ten)).toEqual([ten])
    expect(passages(`${ten}\n\n${paragraph}`)).toEqual([ten, paragraph])
  })

  test('text without a gap is cut, but never through a character', () => {
    const parts = passages('😀'.repeat(1201))
    expect(parts.join('')).toBe('😀'.repeat(1201))
    expect(parts.every((part) => part.isWellFormed() && part.length <= PASSAGE_LENGTH)).toBe(true)
  })
})

describe('hostile texts', () => {
  const size = 500_000
  test.each([
    ['spaces', ' '.repeat(size)],
    ['a bullet and spaces', `-${' '.repeat(size)}`],
    ['boxes', `- ${'[ ] '.repeat(size / 4)}`],
    ['stars', `- [ ] ${'*'.repeat(size)}`],
    ['number signs', `# ${'#'.repeat(size)}x`],
    ['digits', `${'1'.repeat(size)}. x`],
    ['back ticks', '`'.repeat(size)],
    ['empty lines of spaces', '\n   '.repeat(size / 4)],
    ['bullets', '- [ ] **[Critical]** x\n'.repeat(size / 23)],
    ['apostrophes', "a'".repeat(size / 2)],
    ['addresses', 'https://'.repeat(size / 8)],
  ])('%s take linear time', (_, text) => {
    const { chunks } = parsedFile(`## S\n${text}`)
    expect(chunks.every(({ content }) => content !== '')).toBe(true)
    expect(tokens(text).every((token) => token !== '')).toBe(true)
  })
})

describe('words', () => {
  test('inflections have one stem, whatever their accents and case', () => {
    const alike = [
      ['replicas', 'Replica'],
      ['policies', 'policy'],
      ['replicated', 'replicating', 'replicates', 'replicate'],
      ['stopped', 'stopping', 'stops', 'stop'],
      ['crashes', 'crash'],
      ['résumé', 'RESUME'],
      ["server's", 'servers'],
    ]
    for (const words of alike) {
      const [stem, ...others] = new Set(words.flatMap(tokens))
      expect([words, stem, ...others]).toEqual([words, stem])
    }
    expect(tokens('The process of the bus is in ipv6')).toEqual(['process', 'bus', 'ipv6'])
  })

  test('languages that are named with signs are words', () => {
    expect(tokens('C#, F# and C++20, not C or abc#')).toEqual(['c#', 'f#', 'c++', '20', 'abc'])
    expect([...spellings('C# or C++')]).toEqual([
      ['c#', 'C#'],
      ['c++', 'C++'],
    ])
  })
})
