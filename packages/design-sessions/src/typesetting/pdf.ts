import type { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { documentFontFiles } from '../pictures/fonts.ts'
import { RenderError } from '../render-error.ts'
import { placedFigures } from './figures.ts'
import { markdownTree } from '../markdown/markdown-tree.ts'
import type { Block, PdfInput, Typeset } from './pdf-input.ts'
import { fittedTable } from './table-layout.ts'
import { typesetTree } from './typeset-tree.ts'

const TEMPLATE = readFileSync(new URL('template.typ', import.meta.url), 'utf8')

const NO_FONTS = fileURLToPath(new URL('no-fonts.conf', import.meta.url))

/** Typst reads no files: all input comes with the call. */
const NOWHERE = '/nowhere'

const PICTURE = '#image(bytes(sys.inputs.svg), format: "svg")'

let compiler: NodeCompiler | undefined

/** A PDF; equal inputs give equal bytes. */
export async function pdf({ parts, faults, pictures, ...rest }: PdfInput): Promise<Uint8Array> {
  compiler ??= await createCompiler()
  const drawn = { pictures, faults }
  const blocks = parts.flatMap((part, i): readonly Block[] =>
    part.type === 'markdown'
      ? typesetTree(markdownTree(part.source), { ...part, prefix: `${i}-`, drawn })
      : [part],
  )
  const fitted = blocks.map((block) => (block.type === 'table' ? fittedTable(block) : block))
  try {
    return compiled(compiler, { ...rest, ...placedFigures(fitted, pictures) })
  } finally {
    compiler.evictCache(0)
  }
}

function compiled(typst: NodeCompiler, typeset: Typeset): Uint8Array {
  const inputs = { data: JSON.stringify(typeset) }
  const attempt = typst.compile({ mainFileContent: TEMPLATE, inputs })
  const { result } = attempt
  if (result) return typst.pdf(result, { creationTimestamp: typeset.changed })
  // Only a picture can be invalid; the rest is set without it.
  const pictures = Object.fromEntries(
    Object.entries(typeset.pictures).filter(([, { svg }]) => isPicture(typst, svg)),
  )
  if (Object.keys(pictures).length < Object.keys(typeset.pictures).length) {
    return compiled(typst, { ...typeset, pictures })
  }
  const [fault] = (attempt.takeDiagnostics()?.shortDiagnostics ?? []) as readonly {
    readonly message: string
  }[]
  throw new Error(`The PDF cannot be set: ${fault?.message}`)
}

function isPicture(typst: NodeCompiler, svg: string): boolean {
  return !typst.compile({ mainFileContent: PICTURE, inputs: { svg } }).hasError()
}

async function createCompiler(): Promise<NodeCompiler> {
  // Excludes the fonts of the machine on Linux: equal PDF files everywhere.
  process.env['FONTCONFIG_FILE'] = NO_FONTS
  const { NodeCompiler: Compiler } = await import('@myriaddreamin/typst-ts-node-compiler').catch(
    () => {
      const system = `${process.platform}-${process.arch}`
      const text = `PDF is not available: Typst has no native build for this system (${system})`
      throw new RenderError('ERR_RENDER_CRASH', text)
    },
  )
  // Typst reads only the parts of a font file that it uses.
  const fontArgs = [{ fontPaths: [...documentFontFiles()] }]
  return Compiler.create({ workspace: NOWHERE, fontArgs })
}
