// The text and the properties of a PDF, read by another library than the one that wrote it.
import { getDocumentProxy, getResolvedPDFJS } from 'unpdf'

export interface PdfPages {
  /** text of each page, with single spaces */
  readonly texts: readonly string[]
  readonly title: string
  readonly tagged: boolean
  readonly rasterImages: number
  /** whether each font, by name, is embedded */
  readonly fonts: ReadonlyMap<string, boolean>
}

interface Font {
  readonly name: string
  readonly missingFile: boolean
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
  let rasterImages = 0
  for (let number = 1; number <= pdf.numPages; number++) {
    const page = await pdf.getPage(number)
    const { items } = await page.getTextContent()
    const runs = items.map((item) => ('str' in item ? item.str + (item.hasEOL ? ' ' : '') : ''))
    texts.push(runs.join('').replaceAll('\u200b', '').replaceAll(/\s+/g, ' '))
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
    title: String((info as { Title?: string }).Title),
    tagged: marks?.['Marked'] === true,
    rasterImages,
    fonts,
  }
}
