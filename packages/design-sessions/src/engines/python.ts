import { type DrawnDiagram, DiagramsSourceError, diagramsPy } from '@orrery/diagrams-py'
import type { Engine, Page } from './drawing.ts'
import { graphvizSvg } from './graphviz.ts'
import { sourceError } from '../render-error.ts'

/** Size of icons and pictures alike [px]. */
const EMPTY = { dot: 'digraph {}', name: 'diagram' }
const ICON = { width: 84, height: 84 }

/** Renders the diagrams of a program for the Python library `diagrams`. */
export const python: Engine = async (source, { notes }) => {
  const pages: Page[] = []
  const drawn = diagramsOf(source)
  if (drawn.length === 0) notes.add('The program opens no `with Diagram(...)`: nothing is drawn')
  for (const { dot, name } of drawn.length === 0 ? [EMPTY] : drawn) {
    pages.push({ svg: await graphvizSvg(dot, () => ICON, notes), name })
  }
  return pages
}

function diagramsOf(source: string): readonly DrawnDiagram[] {
  try {
    return diagramsPy(source)
  } catch (error) {
    if (error instanceof DiagramsSourceError) throw sourceError(error.message)
    throw error
  }
}
