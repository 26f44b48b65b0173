// Goal: outputs contain no scripts, no event handlers and no references to other hosts or files,
// and pictures stay as they are. Method: hostile SVG to the sanitiser; `engines/hostile.ts` has
// hostile sources.
import { expect, test } from 'vitest'
import { plainText } from '../../src/plain-text.ts'
import { cleanSvg } from '../../src/pictures/clean-svg.ts'

function svg(inside: string, attributes = ''): string {
  const spaces = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
  return `<svg ${spaces} ${attributes}>${inside}</svg>`
}

/** The sanitised content, without the tag of the root. */
function left(inside: string, attributes = ''): string {
  return cleanSvg(svg(inside, attributes))
    .replace(/^<svg[^>]*>/, '')
    .replace(/<\/svg>$/, '')
}

const GONE: readonly string[] = [
  '<script>alert(1)</script>',
  '<script xlink:href="https://evil.example/x.js"/>',
  '<x:script xmlns:x="http://www.w3.org/2000/svg">alert(1)</x:script>',
  '<script xmlns="http://www.w3.org/1999/xhtml">alert(1)</script>',
  '<iframe src="https://evil.example"/>',
  '<embed src="x"/>',
  '<h:img xmlns:h="http://www.w3.org/1999/xhtml" src="x" onerror="alert(1)"/>',
  '<animate attributeName="href" to="javascript:alert(1)"/>',
  '<set attributeName="onclick" to="alert(1)"/>',
  '<feImage href="https://evil.example/x.svg"/>',
  '<image href="file:///etc/passwd" width="1"/>',
  '<image xlink:href="https://evil.example/x.png"/>',
  '<image href="data:image/svg+xml;base64,PHN2Zy8+"/>',
  '<handler>alert(1)</handler>',
  '<unknown><rect/></unknown>',
  '<!-- a comment --><?xml-stylesheet href="https://evil.example/x.css"?>',
]

test.each(GONE)('dropped: %s', (inside) => {
  expect(left(inside)).toBe('')
})

const STRIPPED: readonly (readonly [hostile: string, clean: string])[] = [
  ['<rect onclick="alert(1)" width="1"/>', '<rect width="1"></rect>'],
  ['<a href="javascript:alert(1)"><text>x</text></a>', '<a><text>x</text></a>'],
  ['<a xlink:href=" java&#10;script:alert(1)"/>', '<a></a>'],
  ['<a href="data:text/html,x"/>', '<a></a>'],
  ['<a href="file:///etc/passwd"/>', '<a></a>'],
  [
    '<a href="https://x.example" target="_top" ping="https://y"/>',
    '<a href="https://x.example"></a>',
  ],
  ['<use href="https://evil.example/x.svg#a"/>', '<use></use>'],
  ['<use xlink:href="#a"/>', '<use href="#a"></use>'],
  ['<rect fill="url(https://evil.example/x.svg#a)"/>', '<rect></rect>'],
  [
    '<rect fill="url(#a)" filter=\'url("#b")\'/>',
    '<rect fill="url(#a)" filter="url(&quot;#b&quot;)"></rect>',
  ],
  ['<rect fill="u\\72l(https://evil.example/x.svg#a)"/>', '<rect></rect>'],
  ['<rect mask="image-set(\'https://evil.example/x\' 1x)"/>', '<rect></rect>'],
  ['<rect filter="src(\'https://evil.example/x\')" class=""/>', '<rect class=""></rect>'],
  ['<use href="#a" xlink:href="#b"/>', '<use href="#a"></use>'],
  ['<use xlink:href="#b" href="#a"/>', '<use href="#a"></use>'],
  ['<rect style="fill:red"/>', '<rect style="fill:red"></rect>'],
  ['<rect style="fill:url(https://evil.example/x)"/>', '<rect></rect>'],
  ['<rect style="fill:u\\72l(https://evil.example/x)"/>', '<rect></rect>'],
  ['<style>@import "https://evil.example/x.css";</style>', '<style></style>'],
  ['<style>a{fill:url(//evil.example/x)}</style>', '<style></style>'],
  ['<style>a{background:image-set("https://evil.example/x" 1x)}</style>', '<style></style>'],
  ['<style><![CDATA[a > b{fill:url("#x")}]]></style>', '<style>a &gt; b{fill:url("#x")}</style>'],
  [
    '<style>a{}</style>'.replace('a{}', '&lt;/style&gt;&lt;script&gt;'),
    '<style>&lt;/style&gt;&lt;script&gt;</style>',
  ],
  ['<style>a{}<g/>b{}</style>', '<style>a{}b{}</style>'],
  ['<text>&lt;script&gt;</text>', '<text>&lt;script&gt;</text>'],
]

test.each(STRIPPED)('%s', (hostile, clean) => {
  expect(left(hostile)).toBe(clean)
})

test('root attributes are sanitised; entities and other documents are refused', () => {
  expect(cleanSvg(svg('', 'onload="alert(1)" viewBox="0 0 1 1"'))).toBe(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"></svg>',
  )
  const bomb = '<!DOCTYPE svg [<!ENTITY a "xxxxxxxxxx"><!ENTITY b "&a;&a;">]>'
  expect(() => cleanSvg(bomb + svg('<text>&b;</text>'))).toThrow(/no well-formed SVG/)
  expect(() => cleanSvg('<svg><g></svg>')).toThrow(/no well-formed SVG/)
  expect(() => cleanSvg('<html xmlns="http://www.w3.org/1999/xhtml"/>')).toThrow(/no SVG/)
  expect(() => cleanSvg(svg('<g>'.repeat(400) + '</g>'.repeat(400)))).toThrow(/nested deeper/)
})

test('HTML in a picture becomes lines of text in its box', () => {
  const box = `<foreignObject x="10" y="20" width="200" height="100">
    <div xmlns="http://www.w3.org/1999/xhtml"><h1>Why</h1><script>alert(1)</script>
    <p>one <b>two</b><img src="x" onerror="alert(1)"/></p><ul><li>three</li></ul>
    <pre>four\n  five</pre></div></foreignObject>`
  const text = left(box)
  expect([...text.matchAll(/>([^<]+)<\/text>/g)].map(([, line]) => line)).toEqual([
    'Why',
    'one two',
    '• three',
    'four',
    '  five',
  ])
  expect(text).not.toMatch(/script|onerror|img|foreignObject/)
  const inner = '<foreignObject><p>two</p></foreignObject>'
  expect(left(`<foreignObject><p>one</p><svg>${inner}</svg></foreignObject><rect/>`)).toMatch(
    /^<text[^>]*>one<\/text><text[^>]*>two<\/text><rect><\/rect>$/,
  )
  const heights = [...text.matchAll(/ y="([\d.]+)"/g)].map(([, y]) => Number(y))
  expect(heights).toEqual(heights.toSorted((a, b) => a - b))
  expect(Math.min(...heights)).toBeGreaterThan(20)
  expect(Math.max(...heights)).toBeLessThan(120)
})

test('messages of engines contain no paths of this machine', () => {
  expect(
    plainText('Error: bad "/work/main/node_modules/x/y.js" here\n    at f (/a/b.js:1:2)'),
  ).toBe('Error: bad "" here')
  expect(plainText('at file:///home/a/b.ts and C:\\Users\\a\\b.ts')).not.toMatch(/home|Users/)
  expect(plainText('a/b -> c // and 1/2')).toBe('a/b -> c // and 1/2')
  expect(plainText('x'.repeat(9000)).length).toBeLessThan(2100)
})
