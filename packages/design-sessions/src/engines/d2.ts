import { type CompileOptions, D2, type Diagram, type RenderOptions } from '@terrastruct/d2'
import { once } from 'node:events'
import type { Worker } from 'node:worker_threads'
import type { Engine, Page } from './drawing.ts'
import { type FontFace, fontBytes } from '../pictures/fonts.ts'
import { createPictures } from '../pictures/pictures.ts'
import { RenderError, sourceError } from '../render-error.ts'

/** The types lack these fields. */
type Program = D2 & { readonly ready: Promise<void>; readonly worker: Worker }

let program: { readonly engine: Program; readonly exit: Promise<never> } | undefined
let fonts: Readonly<Record<string, string>> | undefined

/** Layouts of more parts exceed any time limit. */
const PARTS_MAX = 5000

/** Layers, scenarios and steps with the root. */
const BOARDS_MAX = 50

/** Ends of statements, and arrows. */
const PARTS = /[\n;]|<?-+>|<-+|--+/g

/** A list of positions and messages. */
const FAULTS = /^\[\{"range":/

/** Messages after its WebAssembly program has exited. */
const EXITED = /not valid JSON|already exited/

/** A layout engine that a source chooses. */
const LAYOUT = /\blayout-engine\s*:\s*["']?(\w+)/

/** Renders a D2 source, laid out by ELK unless it chooses; each board is a page. */
export const d2: Engine = async (source, { notes }) => {
  const parts = source.match(PARTS)?.length ?? 0
  if (parts > PARTS_MAX) {
    throw sourceError(`The source has ${parts} lines and arrows, at most ${PARTS_MAX}`)
  }
  const { engine, exit } = await started()
  try {
    return await Promise.race([drawn(engine, source, notes), exit])
  } catch (error) {
    const { message } = error as Error
    if (EXITED.test(message)) throw outOfMemory()
    const [, layout] = /^layout option '(\w+)'/.exec(message) ?? []
    if (layout) throw sourceError(`The layout engine ${layout} is not available: elk and dagre are`)
    if (!FAULTS.test(message)) throw error
    const faults = JSON.parse(message) as readonly { readonly errmsg: string }[]
    throw sourceError(faults.map(({ errmsg }) => errmsg.replace(/^index:/, '')).join('\n'))
  }
}

/** Loads the engine, which takes longer than most diagrams, and draws one with it. */
export async function warm(): Promise<null> {
  await d2('a -> b', createPictures())
  return null
}

async function started(): Promise<NonNullable<typeof program>> {
  if (!program) {
    const engine = new D2() as Program
    await engine.ready
    const exit = exitOf(engine.worker)
    // It may be rejected between two jobs.
    exit.catch(() => undefined)
    program = { engine, exit }
  }
  return program
}

async function drawn(engine: D2, source: string, notes: Set<string>): Promise<readonly Page[]> {
  fonts ??= {
    fontRegular: base64('regular'),
    fontItalic: base64('italic'),
    fontSemibold: base64('semibold'),
    fontBold: base64('bold'),
  }
  const layout = (LAYOUT.exec(source)?.[1] ?? 'elk') as NonNullable<CompileOptions['layout']>
  // The only file: imports find nothing. Fonts are Base64, although their type is bytes.
  const options = { layout, ...fonts } as CompileOptions
  const { diagram, renderOptions } = await engine.compile({ fs: { index: source }, options })
  const chosen = Object.fromEntries(
    Object.entries(renderOptions).filter(([, value]) => value !== null),
  )
  const all = boards(diagram, '', 'diagram')
  if (all.length > BOARDS_MAX) throw sourceError(`The source has more than ${BOARDS_MAX} boards`)
  const filled = all.filter(({ diagram: { shapes } }) => shapes.length > 0)
  const pages: Page[] = []
  for (const { diagram: board, target, name } of filled.length > 0 ? filled : all.slice(0, 1)) {
    const looks: RenderOptions = { center: true, ...chosen, target }
    pages.push({ svg: await engine.render(diagram, looks), name })
    if (board.shapes.some(({ link }) => /^root\b/.test(link))) {
      notes.add('Links to other boards are not drawn: each board is a page of its own')
    }
  }
  return pages
}

interface Board {
  readonly diagram: Diagram
  /** its path for the engine */
  readonly target: string
  /** its file name without extension */
  readonly name: string
}

/** A board, and those inside. */
function boards(diagram: Diagram, target: string, name: string): Board[] {
  const inside = (['layers', 'scenarios', 'steps'] as const).flatMap((kind) =>
    (diagram[kind] ?? []).flatMap((board) => {
      if (!board) return []
      const path = [target, kind, board.name].filter(Boolean).join('.')
      return boards(board, path, `${name}-${board.name.replaceAll(/[^\w-]+/g, '_')}`.slice(0, 90))
    }),
  )
  return [{ diagram, target, name }, ...inside]
}

/** D2 never answers once its program has exited, usually out of memory. */
async function exitOf(worker: Worker): Promise<never> {
  await Promise.race([once(worker, 'exit'), once(worker, 'error')]).catch(() => undefined)
  throw outOfMemory()
}

function outOfMemory(): RenderError {
  return new RenderError('ERR_RENDER_MEMORY', 'D2 gave up: the diagram needs too much memory')
}

function base64(face: FontFace): string {
  return fontBytes(face).toString('base64')
}
