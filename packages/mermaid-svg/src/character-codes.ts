/** Names of HTML for the characters from U+00A0 on. */
const LATIN =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg' +
  ' plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34' +
  ' iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave' +
  ' Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute' +
  ' Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave' +
  ' eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml' +
  ' divide oslash ugrave uacute ucirc uuml yacute thorn yuml'

/** From U+03B1 on; with a capital, 32 earlier. */
const GREEK =
  'alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigmaf' +
  ' sigma tau upsilon phi chi psi omega'

/** Characters and their names. */
const OTHERS =
  '"quot &amp \'apos <lt >gt ŒOElig œoelig ŠScaron šscaron ŸYuml ƒfnof ˆcirc ˜tilde –ndash —mdash' +
  ' ‘lsquo ’rsquo ‚sbquo “ldquo ”rdquo „bdquo †dagger ‡Dagger •bull …hellip ‰permil ′prime' +
  ' ″Prime ‹lsaquo ›rsaquo ‾oline ⁄frasl €euro ℑimage ℘weierp ℜreal ™trade ℵalefsym ←larr ↑uarr' +
  ' →rarr ↓darr ↔harr ↵crarr ⇐lArr ⇑uArr ⇒rArr ⇓dArr ⇔hArr ∀forall ∂part ∃exist ∅empty ∇nabla' +
  ' ∈isin ∉notin ∋ni ∏prod ∑sum −minus ∗lowast √radic ∝prop ∞infin ∠ang ∧and ∨or ∩cap ∪cup ∫int' +
  ' ∴there4 ∼sim ≅cong ≈asymp ≠ne ≡equiv ≤le ≥ge ⊂sub ⊃sup ⊄nsub ⊆sube ⊇supe ⊕oplus ⊗otimes' +
  ' ⊥perp ⋅sdot ⌈lceil ⌉rceil ⌊lfloor ⌋rfloor ◊loz ♠spades ♣clubs ♥hearts ♦diams ★star ☎phone' +
  ' ✓check ✗cross'

const CHARACTERS: ReadonlyMap<string, string> = new Map([
  ...LATIN.split(' ').map((name, i) => [name, String.fromCodePoint(0xa0 + i)] as const),
  ...GREEK.split(' ').flatMap((name, i) => [
    [name, String.fromCodePoint(0x3b1 + i)] as const,
    [name[0].toUpperCase() + name.slice(1), String.fromCodePoint(0x391 + i)] as const,
  ]),
  ...OTHERS.split(' ').map((entry) => [entry.slice(1), entry[0]] as const),
])

/** In Mermaid's way, such as `#infin;` and `#9829;`, and in that of HTML. */
const CODE = /&?#(\d{1,7});|[#&]([a-zA-Z][a-zA-Z\d]*);/g
const HTML_CODE = /&#(\d{1,7});|&([a-zA-Z][a-zA-Z\d]*);/g

/** Codes as Mermaid keeps them inside, and in SVG. */
const KEPT = /(?:&(#?)|ﬂ°(°?))(\w+)(?:;|¶ß)/g

/** Lines of colours such as `#123`. */
const STYLES = /^[ \t]*(?:style|classDef|linkStyle|cssClass)\b/

const ASCII = /^[\0-\x7f]*$/

/**
 * A source with characters for their codes, except for those of ASCII, which could be signs of
 * Mermaid's language.
 */
export function withCharacters(source: string): string {
  return source.replaceAll(/[^\n]+/g, (line) =>
    STYLES.test(line) ? line : line.replaceAll(CODE, foreignCharacter),
  )
}

/** HTML with characters for what is no entity of XML. */
export function withXmlEntities(html: string): string {
  return html.replaceAll(HTML_CODE, foreignCharacter)
}

function foreignCharacter(code: string, number?: string, name?: string): string {
  const character = characterOf(number, name)
  return character === undefined || ASCII.test(character) ? code : character
}

/** Words with the characters of the codes in them, as they are drawn. */
export function readable(words: string): string {
  return words.replaceAll(KEPT, (code: string, hash: string, circle: string, name: string) => {
    const isNumber = (hash || circle) !== '' && /^\d+$/.test(name)
    return (isNumber ? characterOf(name) : characterOf(undefined, name)) ?? code
  })
}

/** An SVG whose texts show the characters of codes, and no others. */
export function withDrawnCodes(svg: string): string {
  return svg
    .replaceAll(/&amp;(quot|apos|lt|gt|amp|#\d{2,3});/g, '&$1;')
    .replaceAll(/&(?!(?:quot|apos|lt|gt|amp|#\d{2,3}|#x[\da-f]+);)/gi, '&amp;')
}

function characterOf(number?: string, name?: string): string | undefined {
  if (number === undefined) return CHARACTERS.get(name ?? '')
  const point = Number(number)
  const isCharacter = point >= 32 && point <= 0x10_ff_ff && !(point >= 0xd800 && point < 0xe000)
  return isCharacter ? String.fromCodePoint(point) : '�'
}
