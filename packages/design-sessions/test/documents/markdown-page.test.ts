// Goal: a Markdown source becomes a page with the elements of GitHub's dialect and admonitions,
// without active or external content. Method: pages of hostile and common sources.
import { byTier } from '@orrery/testkit/tier'
import { describe, expect, test } from 'vitest'
import { htmlPage } from '../../src/typesetting/html-page.ts'

const ID = '6f1c2a3b-4d5e-4f60-8a7b-9c0d1e2f3a4b'
const OTHER = '00000000-0000-4000-8000-000000000000'
const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><text>Zone</text></svg>'

async function body(source: string): Promise<string> {
  const page = await htmlPage({ title: 'Page', source, pictures: { [ID]: SVG }, faults: {} })
  return page.slice(page.indexOf('<body>'))
}

describe('active content is removed', () => {
  test.each([
    '<script>alert(1)</script>',
    'text <script>alert(1)</script> text',
    '<img src=x onerror=alert(1)>',
    '<svg onload=alert(1)>',
    '[a](javascript:alert(1))',
    '[a](JaVaScRiPt:alert(1))',
    '[a](&#106;avascript:alert(1))',
    '[a](java\nscript:alert(1))',
    '[a](data:text/html,<script>alert(1)</script>)',
    '[a](vbscript:alert(1))',
    '[a](file:///etc/passwd)',
    '<javascript:alert(1)>',
    '![a](javascript:alert(1))',
    '![a](https://evil.example/pixel.png)',
    '![a](//evil.example/pixel.png)',
    '[a](//evil.example/)',
    '[a](../../clients)',
    '[a]\n\n[a]: javascript:alert(1)',
    '<iframe src="https://evil.example"></iframe>',
    '<style>@import url(https://evil.example)</style>',
    '<a href="https://evil.example" onclick="alert(1)">x</a>',
    '```"><script>alert(1)</script>\ncode\n```',
    '!!! note "<script>alert(1)</script>"\n    text',
    `![a](artifact:${ID}" onerror="alert(1))`,
    `![a"onerror="alert(1)](artifact:${ID})`,
    '# a <b onmouseover=alert(1)>b</b>',
    '[^1]\n\n[^1]: <script>alert(1)</script>',
  ])('%s', async (source) => {
    const html = await body(source)
    const tags = [...html.matchAll(/<[^>]*>/g)].map(([tag]) => tag.replaceAll(/"[^"]*"/g, '""'))
    expect(tags.join('')).not.toMatch(/<(?:script|iframe|style|svg|object|embed|form)|\son\w+=/i)
    const addresses = [...html.matchAll(/\s(?:href|src)="([^"]*)"/g)].map(([, url]) => url)
    for (const url of addresses) expect(url).toMatch(/^(?:#|https?:|mailto:|data:image\/svg\+xml;)/)
    expect(html).not.toMatch(/<img(?![^>]* src="data:image\/svg\+xml;base64,)/)
  })

  test('the title is text', async () => {
    const page = await htmlPage({ title: '</title><script>', source: '', pictures: {}, faults: {} })
    expect(page).toContain('<title>&#x3C;/title>&#x3C;script></title>')
  })
})

test('links to the web, to mail and within the page are kept', async () => {
  const html = await body('# A b\n\n[w](https://a.example/?b=c) [m](mailto:a@b.example) [h](#a-b)')
  expect(html).toContain('<h1 id="a-b">')
  for (const url of ['https://a.example/?b=c', 'mailto:a@b.example', '#a-b']) {
    expect(html).toContain(`<a href="${url}">`)
  }
})

test('an artifact is embedded as an image, or replaced by a note', async () => {
  const html = await body(`![Plan](artifact:${ID.toUpperCase()}) ![Gone](artifact:${OTHER})`)
  const [, data] = /<img src="data:image\/svg\+xml;base64,([^"]+)" alt="Plan">/.exec(html) ?? []
  expect(Buffer.from(data, 'base64').toString()).toBe(SVG)
  expect(html).toContain('[artifact not rendered: Gone]')
})

test('admonitions of both dialects, with blocks in them', async () => {
  const html = await body(
    [
      '!!! warning "Mind *this*"',
      '    First.',
      '',
      '    - item',
      'after',
      '',
      '> [!TIP]',
      '> Short',
      '',
      '```',
      '!!! note',
      '    code',
      '```',
    ].join('\n'),
  )
  const lines = html.replaceAll('\n', '')
  expect(lines).toContain(
    '<div class="admonition warning"><p class="admonition-title">Mind <em>this</em></p>' +
      '<p>First.</p><ul><li>item</li></ul></div><p>after</p>',
  )
  expect(lines).toContain('<div class="admonition tip"><p class="admonition-title">Tip</p><p>Short')
  expect(html).toContain('<pre><code>!!! note\n    code\n</code></pre>')
})

test.each(['hcl', 'terraform', 'tf'])('code in %s is coloured', async (language) => {
  const code = 'resource "a" "b" { # note\n  name = "x-${var.tier}"\n  count = 3\n}'
  const html = await body(`\`\`\`${language}\n${code}\n\`\`\``)
  for (const [kind, word] of [
    ['keyword', 'resource'],
    ['comment', '# note'],
    ['attr', '  name'],
    ['number', '3'],
    ['variable', 'var.'],
  ]) {
    expect(html).toContain(`<span class="hljs-${kind}">${word}</span>`)
  }
})

test('a line break as a tag is one, in cells too, but not in code', async () => {
  const html = await body('| a | b |\n|---|---|\n| one<br>two | `x<br>y`<br/>z |')
  expect(html).toMatch(/one<br>\s*two/)
  expect(html).toMatch(/x&#x3C;br>y<\/code><br>\s*z/)
})

test('contents, tasks, strike-through, tables, highlighting', async () => {
  const html = await body(
    '[TOC]\n\n# One\n\n## Two\n\n## Two\n\n- [x] done\n\n~~old~~\n\n|a|\n|-|\n|b|\n\n' +
      '```ts\nlet a\n```\n',
  )
  expect([...html.matchAll(/<a href="(#[^"]+)">/g)].map(([, url]) => url)).toEqual([
    '#one',
    '#two',
    '#two-1',
  ])
  expect(html).toMatch(/<input type="checkbox" checked disabled> done/)
  expect(html).toContain('<del>old</del>')
  expect(html).toContain('<td>b</td>')
  expect(html).toContain('<span class="hljs-keyword">let</span>')
})

/** Reading a list takes time by the square of its levels. */
const LEVELS = byTier({ gate: 120, night: 300 })

test.each([
  ['quotes', '>'.repeat(500)],
  ['lists', Array.from({ length: LEVELS }, (_, i) => `${' '.repeat(2 * i)}- x`).join('\n')],
  ['emphasis', `${'*a _b '.repeat(300)}${'_ *'.repeat(300)}`],
])('deep nesting of %s is cut', async (_, source) => {
  const html = await body(`${source}deep`)
  expect(html).toContain('deep')
  expect(html.length).toBeLessThan(100_000)
})
