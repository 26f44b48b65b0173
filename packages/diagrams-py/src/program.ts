import type { SyntaxNode } from '@lezer/common'

/** Evaluated parts, elements of lists and characters of texts together. */
const WORK_MAX = 1_000_000

/** What a program does wrong, with its line. */
export class DiagramsSourceError extends Error {
  override readonly name = 'DiagramsSourceError'
}

/** A program that is read, and its bound of work. */
export interface Program {
  textOf(this: void, node: SyntaxNode): string
  /** an error at a node's line */
  error(this: void, node: SyntaxNode, message: string): DiagramsSourceError
  /** the error for a part of Python beyond the subset */
  refusal(this: void, node: SyntaxNode): DiagramsSourceError
  /** @throws {DiagramsSourceError} beyond the bound */
  spend(this: void, node: SyntaxNode, amount?: number): void
}

export function createProgram(source: string): Program {
  let work = 0
  const textOf = ({ from, to }: SyntaxNode): string => source.slice(from, to)
  const error = ({ from }: SyntaxNode, message: string): DiagramsSourceError =>
    new DiagramsSourceError(`line ${source.slice(0, from).split('\n').length}: ${message}`)
  return {
    textOf,
    error,
    refusal: (node) => {
      const [line] = textOf(node).split('\n')
      return error(node, `not supported in diagrams: ${line.slice(0, 80)}`)
    },
    spend: (node, amount = 1) => {
      work += amount
      if (!(work <= WORK_MAX)) throw error(node, 'the program takes too many steps')
    },
  }
}

/** The children of a node, without comments. */
export function children(node: SyntaxNode): SyntaxNode[] {
  const all: SyntaxNode[] = []
  for (let child = node.firstChild; child; child = child.nextSibling) {
    if (child.name !== 'Comment') all.push(child)
  }
  return all
}

/** Parts between commas, in order; brackets are left out. */
export function commaParts(nodes: readonly SyntaxNode[]): SyntaxNode[][] {
  const parts: SyntaxNode[][] = [[]]
  for (const node of nodes) {
    if (node.name === ',') parts.push([])
    else if (!/^[()[\]{}]$/.test(node.name)) parts[parts.length - 1].push(node)
  }
  return parts.filter((part) => part.length > 0)
}
