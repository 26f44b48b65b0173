/**
 * Escapes one line of text for Markdown.
 *
 * @param alone  it is the only text of its paragraph, so that a single unpaired sign needs no
 *   escape
 */
export function literalLine(text: string, { alone = false }: { alone?: boolean } = {}): string {
  const line = oneLine(text)
  const marked = quotedMarks(line, alone ? 2 : 1)
  return quotedEnds(marked) === line ? line : quotedEnds(withoutLinks(marked))
}

/** {@link literalLine} within a table's cell. */
export function literalCell(text: string): string {
  const line = oneLine(text)
  const quoted = quotedMarks(line, 1).replaceAll('|', '\\|')
  return quoted === line ? line : withoutLinks(quoted)
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}

/** Signs of emphasis; an underscore within a word is not one. */
const EMPHASIS = [/\*/g, /~/g, /(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu]

/** @param least  fewer signs of one kind are left unescaped */
function quotedMarks(line: string, least: number): string {
  const quoted = line
    .replaceAll(/\\(?=[!-/:-@[-`{-~]|$)/g, '\\\\')
    .replaceAll(/[`<[\]]/g, '\\$&')
    .replaceAll(/&(?=#?\w+;)/g, '\\&')
  return EMPHASIS.reduce(
    (marked, sign) =>
      (marked.match(sign)?.length ?? 0) >= least ? marked.replaceAll(sign, '\\$&') : marked,
    quoted,
  )
}

/** A URL that becomes a link by itself includes escapes literally. */
function withoutLinks(quoted: string): string {
  return quoted.replaceAll(/(?<=www)\.|:(?=\/\/)|@/gi, '\\$&')
}

/** Escapes what would start a heading, list, quote, rule or table. */
function quotedEnds(line: string): string {
  return line
    .replace(/(?<!#)#+$/, (signs) => signs.replaceAll('#', '\\#'))
    .replace(/^(?:[#>+=|:*_~-]|!!!)/, '\\$&')
    .replace(/^(\d{1,9})([.)])(?= |$)/, '$1\\$2')
}
