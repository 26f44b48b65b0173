/** About how long a passage may be: a screenful, and enough words to tell what it is about. */
export const PASSAGE_LENGTH = 1000

const BOUNDARIES = ['\n', '. ', ' ']

/** A text in passages of at most 1000 characters, split between paragraphs where that can be. */
export function passages(text: string): string[] {
  const found: string[] = []
  let open = ''
  for (const paragraph of text.split(/\n[^\S\n]*\n/)) {
    for (const piece of pieces(paragraph.trim())) {
      const joined = open === '' ? piece : `${open}\n\n${piece}`
      if (joined.length <= PASSAGE_LENGTH) open = joined
      else {
        if (open !== '') found.push(open)
        open = piece
      }
    }
  }
  if (open !== '') found.push(open)
  return found
}

/** A paragraph, cut at the last line, sentence or word that fits. */
function pieces(paragraph: string): string[] {
  const found: string[] = []
  let start = 0
  while (paragraph.length - start > PASSAGE_LENGTH) {
    const window = paragraph.slice(start, start + PASSAGE_LENGTH)
    // A cut in the first half would leave crumbs.
    const cut = BOUNDARIES.map((boundary) => window.lastIndexOf(boundary) + boundary.length).find(
      (end) => end > PASSAGE_LENGTH / 2,
    )
    const end = start + (cut ?? wholeCharacters(window))
    found.push(paragraph.slice(start, end).trim())
    start = end
  }
  found.push(paragraph.slice(start).trim())
  return found.filter((piece) => piece !== '')
}

/** How much of a text holds no half of a surrogate pair at its end. */
function wholeCharacters(text: string): number {
  const last = text.charCodeAt(text.length - 1)
  return last >= 0xd800 && last < 0xdc00 ? text.length - 1 : text.length
}
