import { parser } from '@lezer/python'
import type { Context } from './context.ts'
import { type DrawnDiagram, createLibrary } from './library.ts'
import { builtins } from './methods.ts'
import { DiagramsSourceError, children, createProgram } from './program.ts'
import { functionValue, run } from './statements.ts'
import { objectOf } from './values.ts'

/**
 * The diagrams of a program for the Python library `diagrams`. The program is not run: its tree is
 * evaluated as a subset of Python, within bounds of work.
 *
 * @throws {DiagramsSourceError} with the line
 */
export function diagramsPy(source: string): readonly DrawnDiagram[] {
  const program = createProgram(source)
  const tree = parser.parse(source)
  tree.iterate({
    enter: (reference) => {
      if (reference.type.isError) throw program.error(reference.node, 'bad syntax')
    },
  })
  const library = createLibrary(program)
  const context: Context = {
    program,
    library,
    active: new Set(),
    call: (node, callee, given) => {
      const called = objectOf(callee)
      if (called?.kind === 'class') return library.make(node, called, given)
      if (called?.kind === 'builtin') return called.call(node, given)
      if (called?.kind === 'function') return functionValue(context, node, called, given)
      throw program.refusal(node)
    },
  }
  try {
    run(context, { names: builtins(context) }, children(tree.topNode))
  } catch (error) {
    if (error instanceof RangeError) throw new DiagramsSourceError('nested too deeply')
    throw error
  }
  if (library.drawn.length === 0 && !/\bdiagrams\b/.test(source)) {
    throw new DiagramsSourceError('there is no `with Diagram(...)`')
  }
  return library.drawn
}
