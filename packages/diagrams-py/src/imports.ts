import type { SyntaxNode } from '@lezer/common'
import { classesOf, isModule, nearestClass } from './icons.ts'
import { OWN_CLASSES } from './library.ts'
import { type Program, children, commaParts } from './program.ts'
import type { ModuleValue, Scope, Value } from './values.ts'

/** Modules whose names mean nothing in a diagram, or only fetch. */
const IGNORED = /^(typing|__future__|urllib\.request)$/

/** `import diagrams.x.y as z` and `from diagrams.x.y import A as B, C`: no file is loaded. */
export function bindImports(program: Program, scope: Scope, statement: SyntaxNode): void {
  const parts = children(statement)
  const at = parts.findIndex(({ name }) => name === 'import')
  const isFrom = parts[0].name === 'from'
  const from = parts.slice(1, at).map(program.textOf).join('')
  for (const part of commaParts(parts.slice(at + 1))) {
    const as = part.findIndex(({ name }) => name === 'as')
    const name = part
      .slice(0, as < 0 ? undefined : as)
      .map(program.textOf)
      .join('')
    const alias = as < 0 ? undefined : program.textOf(part[as + 1])
    if (IGNORED.test(isFrom ? from : name)) continue
    const path = isFrom ? from : name
    if (!/^diagrams(\.\w+)*$/.test(path)) throw program.refusal(statement)
    const module: ModuleValue = { kind: 'module', path: path.replace(/^diagrams\.?/, '') }
    if (!isKnown(module.path)) throw program.error(statement, `diagrams has no module ${path}`)
    if (!isFrom) scope.names.set(alias ?? 'diagrams', alias ? module : { ...module, path: '' })
    else if (name === '*') {
      for (const one of names(module.path))
        scope.names.set(one, moduleMember(program, part[0], module, one))
    } else scope.names.set(alias ?? name, moduleMember(program, part[0], module, name))
  }
}

function isKnown(path: string): boolean {
  return isModule(path) || Object.hasOwn(OWN_CLASSES, path)
}

function names(path: string): readonly string[] {
  return [...(OWN_CLASSES[path] ?? []), ...classesOf(path)]
}

/** `module.name`: a class, or a module inside. */
export function moduleMember(
  program: Program,
  node: SyntaxNode,
  { path }: ModuleValue,
  name: string,
): Value {
  const inner = path === '' ? name : `${path}.${name}`
  if (names(path).includes(name)) return { kind: 'class', module: path, name }
  if (isKnown(inner)) return { kind: 'module', path: inner }
  const [where, other] = nearestClass(path, name, names(path))
  const [here, there] = [path, where].map((one) => ['diagrams', one].filter(Boolean).join('.'))
  throw program.error(node, `${here} has no ${name}; the nearest is ${there}.${other}`)
}
