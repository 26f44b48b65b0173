/** Mutants of a package's source, as far as TypeScript accepts them. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { API, type Checker, TypeFlags } from 'typescript/unstable/sync'
import { type Mutation, type TypeName, mutations } from './mutations.ts'

/** One mistake in one file. */
export interface Mutant extends Mutation {
  /** relative to the checkout */
  readonly file: string
  /** counted from 1 */
  readonly line: number
  /** the lines concerned, as they are and with the mistake, spaces collapsed */
  readonly before: string
  readonly after: string
}

/** A program whose files can be replaced one at a time. */
export interface SourceProgram {
  mutants(file: string): Mutant[]
  /** whether TypeScript finds no error in the mutated file */
  accepts(mutant: Mutant): boolean
  close(): void
}

/** @param root  of a copy of the checkout: files in it are written */
export function openProgram(root: string, config: string): SourceProgram {
  const api = new API({ cwd: root })
  let snapshot = api.updateSnapshot({ openProjects: [join(root, config)] })
  const project = (): ReturnType<typeof snapshot.getProjects>[number] => snapshot.getProjects()[0]
  return {
    mutants(file) {
      const source = project().program.getSourceFile(join(root, file))
      if (!source) return []
      const found = mutations(source, typeNames(project().checker))
      return found.map((mutation) => ({ file, ...mutation, ...excerpt(source.text, mutation) }))
    },
    accepts(mutant) {
      const path = join(root, mutant.file)
      const text = readFileSync(path, 'utf8')
      const check = (content: string): number => {
        writeFileSync(path, content)
        snapshot = api.updateSnapshot({ fileChanges: { changed: [path] } })
        const { program } = project()
        return (
          program.getSyntacticDiagnostics(path).length ||
          program.getSemanticDiagnostics(path).length
        )
      }
      const isAccepted = check(mutated(text, mutant)) === 0
      writeFileSync(path, text)
      snapshot = api.updateSnapshot({ fileChanges: { changed: [path] } })
      return isAccepted
    },
    close: () => api.close(),
  }
}

/** @param text  of the whole file */
export function mutated(text: string, { start, end, text: replacement }: Mutation): string {
  return text.slice(0, start) + replacement + text.slice(end)
}

function typeNames(checker: Checker): TypeName {
  return (node) => {
    const type = checker.getTypeAtLocation(node)
    if (!type) return ''
    if (type.flags & TypeFlags.BooleanLike) return 'boolean'
    const widened = checker.getBaseTypeOfLiteralType(type) ?? type
    return checker.typeToString(widened)
  }
}

function excerpt(text: string, mutation: Mutation): Pick<Mutant, 'line' | 'before' | 'after'> {
  const from = text.lastIndexOf('\n', mutation.start - 1) + 1
  const newline = text.indexOf('\n', mutation.end)
  const to = newline === -1 ? text.length : newline
  const other = mutated(text, mutation)
  const short = (lines: string): string => lines.replaceAll(/\s+/g, ' ').trim()
  return {
    line: text.slice(0, mutation.start).split('\n').length,
    before: short(text.slice(from, to)),
    after: short(other.slice(from, to + other.length - text.length)),
  }
}
