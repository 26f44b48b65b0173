// Goal: a PDF shows names of every script, in every place and in pictures. Method: the typesetter
// itself; texts and fonts are read by an independent library.
import { expect, test } from 'vitest'
import type { PdfInput } from '../../src/typesetting/pdf-input.ts'
import { pdf } from '../../src/typesetting/pdf.ts'
import { pdfPages } from './pdf-pages.ts'

const ID = '6f1c2a3b-4d5e-4f60-8a7b-9c0d1e2f3a4b'

const SOURCE = `# 株式会社サンプル ✅

本文 한글 🚀 **太字** *斜体*

| 列 | ✅ |
|-|-|
| 値 | → ⇒ ∈ ☐ |

\`\`\`
コード = "✓" ┏━┓
\`\`\`

![図](artifact:${ID})

שלום`

const PICTURE = `<svg xmlns="http://www.w3.org/2000/svg" width="300" height="60">
<text x="10" y="30" font-family="Arial">office 図面会社 서버 🔒</text></svg>`

const INPUT: PdfInput = {
  title: '株式会社サンプル',
  place: '顧客 / プロジェクト / v1',
  cover: { subtitle: '表紙 보고서', facts: [['顧客', '株式会社 ✅']] },
  changed: 1_700_000_000,
  pictures: { [ID]: PICTURE },
  faults: {},
  parts: [{ type: 'markdown', source: SOURCE, lowered: 0 }],
}

test('a PDF contains all characters: cover, headings, tables, code, pictures', async () => {
  const bytes = await pdf(INPUT)
  const { texts, title, tagged, fonts } = await pdfPages(bytes)
  expect([title, tagged]).toEqual(['株式会社サンプル', true])
  const text = texts.join(' ').replaceAll(' ', '')
  for (const part of [
    '表紙보고서',
    '株式会社✅',
    '顧客/プロジェクト/v1',
    '株式会社サンプル✅',
    '本文한글🚀太字斜体',
    '→⇒∈☐',
    'コード="✓"┏━┓',
    '図面会社서버🔒',
    'שלום',
  ]) {
    expect(text).toContain(part)
  }
  expect([...fonts].filter(([, isEmbedded]) => !isEmbedded)).toEqual([])
  const families = [...fonts.keys()].map((name) => name.replace(/^\w+\+|-\w+$/g, ''))
  expect(families).toEqual(expect.arrayContaining(['NotoEmoji', 'NotoSansHans', 'NanumGothic']))
})

test('equal names give equal bytes, and Latin text needs no other fonts', async () => {
  const bytes = await pdf(INPUT)
  const latin = await pdf({
    ...INPUT,
    title: 'Acme',
    place: 'Acme / Site / v1',
    cover: null,
    pictures: {},
    faults: {},
    parts: [{ type: 'markdown', source: '# Acme\n\nplain **bold** `code`', lowered: 0 }],
  })
  expect(Buffer.from(await pdf(INPUT)).equals(bytes)).toBe(true)
  const { fonts } = await pdfPages(latin)
  expect([...fonts.keys()].filter((name) => !/Arimo|Cousine/.test(name))).toEqual([])
  // Fonts are subset: whole ones have several megabytes.
  expect(bytes.length).toBeLessThan(300_000)
})
