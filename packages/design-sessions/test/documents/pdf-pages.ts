// The text and the properties of a PDF, read by another library than the one that wrote it.
import { getDocumentProxy, getResolvedPDFJS } from 'unpdf'

/** A page's own properties. */
export interface PageLook {
  /** paper format with its direction, such as `A4 across`; the size in mm of any other paper */
  readonly paper: string
  /** share of its height down to the last text above the footer */
  readonly filled: number
  /** how far its texts reach, as a share of what lies before the right margin */
  readonly right: number
  /** height of its smallest text [pt] */
  readonly letter: number
  /** heights of its texts above its lower edge [pt] */
  readonly heights: readonly (readonly [text: string, height: number])[]
  /** texts in a line that are printed over each other */
  readonly overlaps: readonly (readonly [string, string])[]
}

export interface PdfPages {
  readonly looks: readonly PageLook[]
  /** titles of its bookmarks, of all levels */
  readonly outline: readonly string[]
  /** text of each page, with single spaces */
  readonly texts: readonly string[]
  readonly title: string
  readonly tagged: boolean
  readonly rasterImages: number
  /** whether each font, by name, is embedded */
  readonly fonts: ReadonlyMap<string, boolean>
}

/** At the sides of a page [pt]. */
const MARGIN = 56.7

/** Height of the footer with its margin [pt]. */
const FOOTER = 68

interface Placed {
  readonly text: string
  readonly left: number
  readonly right: number
  readonly y: number
}

function overlapsOf(placed: readonly Placed[]): readonly (readonly [string, string])[] {
  return placed.flatMap((a, i) =>
    placed
      .slice(i + 1)
      .filter((b) => Math.abs(a.y - b.y) < 2 && a.right > b.left + 1 && b.right > a.left + 1)
      .map((b) => [a.text, b.text] as const),
  )
}

/** Sides of paper formats [mm]. */
const PAPERS: Readonly<Record<string, string>> = {
  '210 297': 'A4',
  '297 420': 'A3',
  '420 594': 'A2',
  '594 841': 'A1',
  '841 1189': 'A0',
}

function paperOf(width: number, height: number): string {
  const [short, long] = [width, height].map(millimetres).toSorted((a, b) => a - b)
  const format = PAPERS[`${short} ${long}`] ?? `${short} x ${long} mm`
  return format + (width > height ? ' across' : '')
}

function millimetres(points: number): number {
  return Math.round((points / 72) * 25.4)
}

/** A piece of text, or a mark of structure. */
type Item = { readonly str: string; readonly hasEOL: boolean } | { readonly type: string }

function textOf(items: readonly Item[]): string {
  const runs = items.map((item) => ('str' in item ? item.str + (item.hasEOL ? ' ' : '') : ''))
  return runs.join('').replaceAll(/\s+/g, ' ')
}

interface Font {
  readonly name: string
  readonly missingFile: boolean
}

/** Text of each page, with single spaces, which is the smaller part of {@link pdfPages}. */
export async function pdfTexts(bytes: Uint8Array): Promise<readonly string[]> {
  const pdf = await getDocumentProxy(new Uint8Array(bytes))
  const texts: string[] = []
  for (let number = 1; number <= pdf.numPages; number++) {
    const { items } = await (await pdf.getPage(number)).getTextContent()
    texts.push(textOf(items))
  }
  return texts
}

export async function pdfPages(bytes: Uint8Array): Promise<PdfPages> {
  const { OPS } = await getResolvedPDFJS()
  const pdf = await getDocumentProxy(new Uint8Array(bytes))
  const images = new Set<number>([
    OPS.paintImageXObject,
    OPS.paintInlineImageXObject,
    OPS.paintImageMaskXObject,
  ])
  const fonts = new Map<string, boolean>()
  const texts: string[] = []
  const looks: PageLook[] = []
  let rasterImages = 0
  for (let number = 1; number <= pdf.numPages; number++) {
    const page = await pdf.getPage(number)
    const { items } = await page.getTextContent()
    const [, , width, height] = page.view
    const placed = items.flatMap((item) =>
      'str' in item && item.str.trim()
        ? [
            {
              text: item.str,
              left: item.transform[4],
              right: item.transform[4] + item.width,
              y: item.transform[5],
              size: Math.hypot(item.transform[2], item.transform[3]),
            },
          ]
        : [],
    )
    const body = placed.filter(({ y }) => y > FOOTER)
    looks.push({
      paper: paperOf(width, height),
      right: Math.max(...body.map(({ right }) => right), 0) / (width - MARGIN),
      filled: 1 - Math.min(...body.map(({ y }) => y), height) / height,
      letter: Math.min(...body.map(({ size }) => size)),
      heights: body.map(({ text, y }) => [text, y]),
      overlaps: overlapsOf(placed),
    })
    texts.push(textOf(items))
    const { fnArray, argsArray } = await page.getOperatorList()
    for (const [i, operation] of fnArray.entries()) {
      if (images.has(operation)) rasterImages++
      if (operation !== OPS.setFont) continue
      const { name, missingFile } = page.commonObjs.get(String(argsArray[i][0])) as Font
      fonts.set(name, !missingFile)
    }
  }
  const { info } = await pdf.getMetadata()
  const marks = await pdf.getMarkInfo()
  return {
    texts,
    looks,
    outline: titlesOf((await pdf.getOutline()) ?? []),
    title: String((info as { Title?: string }).Title),
    tagged: marks?.['Marked'] === true,
    rasterImages,
    fonts,
  }
}

interface Bookmark {
  readonly title: string
  readonly items: readonly Bookmark[]
}

function titlesOf(bookmarks: readonly Bookmark[]): readonly string[] {
  return bookmarks.flatMap(({ title, items }) => [title, ...titlesOf(items)])
}
