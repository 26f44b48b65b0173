/** The small mistakes that can be made in a source file. */
import {
  type Expression,
  type Node,
  type SourceFile,
  type Statement,
  SyntaxKind,
  isArrowFunction,
  isBinaryExpression,
  isBlock,
  isCallExpression,
  isConditionalExpression,
  isExpressionStatement,
  isIfStatement,
  isLiteralTypeNode,
  isNewExpression,
  isNumericLiteral,
  isReturnStatement,
  isStringLiteral,
  isTypeNode,
} from 'typescript/unstable/ast'

/** A span of a source file and the text that replaces it. */
export interface Mutation {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** The type of an expression as TypeScript prints it, literals widened; '' when unknown. */
export type TypeName = (node: Expression) => string

const OPERATORS: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '&&': '||',
  '||': '&&',
  '+=': '-=',
  '-=': '+=',
}

const CONSTANTS: Readonly<Record<string, readonly string[]>> = {
  boolean: ['false', 'true'],
  number: ['0'],
  string: ["''"],
}

/** Functions of which the order of the arguments changes nothing. */
const COMMUTATIVE = /^Math\.(?:max|min|hypot|imul)$/

const JUMPS: ReadonlySet<SyntaxKind> = new Set([
  SyntaxKind.ReturnStatement,
  SyntaxKind.ContinueStatement,
  SyntaxKind.BreakStatement,
  SyntaxKind.ThrowStatement,
])

/** All mutations of a file, in the order of its text. Some may not type-check. */
export function mutations(file: SourceFile, typeName: TypeName): Mutation[] {
  const found: Mutation[] = []
  const visit = (node: Node): void => {
    // Types and the names of modules have no behaviour.
    if (isTypeNode(node) && !isCallExpression(node)) return
    if (node.kind === SyntaxKind.ImportDeclaration) return
    if (node.kind === SyntaxKind.ExportDeclaration) return
    found.push(...mutationsOf(node, file, typeName))
    node.forEachChild(visit)
  }
  visit(file)
  return found
}

function mutationsOf(node: Node, file: SourceFile, typeName: TypeName): Mutation[] {
  const replace = (target: Node, text: string): Mutation => {
    return { start: target.getStart(file), end: target.end, text }
  }
  const text = (target: Node): string => target.getText(file)
  if (isBinaryExpression(node)) {
    const swapped = OPERATORS[text(node.operatorToken)]
    return swapped === undefined ? [] : [replace(node.operatorToken, swapped)]
  }
  if (isConditionalExpression(node)) {
    return [replace(node.condition, `!(${text(node.condition)})`)]
  }
  if (isIfStatement(node)) {
    const negated = replace(node.expression, `!(${text(node.expression)})`)
    return isEarlyExit(node.thenStatement) && !node.elseStatement
      ? [negated, replace(node, ';')]
      : [negated]
  }
  if (isExpressionStatement(node)) return [replace(node, ';')]
  if (isReturnStatement(node) && node.expression)
    return constants(node.expression, replace, typeName)
  if (isArrowFunction(node) && !isBlock(node.body)) return constants(node.body, replace, typeName)
  if (isCallExpression(node) || isNewExpression(node)) {
    if (COMMUTATIVE.test(text(node.expression))) return []
    return swaps(node.arguments ?? [], replace, text, typeName)
  }
  if (isNumericLiteral(node)) return [replace(node, otherNumber(text(node)))]
  if (isStringLiteral(node) && isKey(node)) return [replace(node, "''")]
  return []
}

type Replace = (target: Node, text: string) => Mutation

function constants(expression: Expression, replace: Replace, typeName: TypeName): Mutation[] {
  const { kind } = expression
  const isConstant = kind === SyntaxKind.TrueKeyword || kind === SyntaxKind.FalseKeyword
  if (isConstant || isNumericLiteral(expression) || isStringLiteral(expression)) return []
  return (CONSTANTS[typeName(expression)] ?? []).map((text) => replace(expression, text))
}

/** Neighbouring arguments of the same type, exchanged. */
function swaps(
  args: readonly Expression[],
  replace: Replace,
  text: (node: Node) => string,
  typeName: TypeName,
): Mutation[] {
  const found: Mutation[] = []
  for (const [i, second] of args.entries()) {
    const first = args[i - 1]
    if (!first || text(first) === text(second) || isArrowFunction(first)) continue
    const type = typeName(first)
    if (type === '' || type !== typeName(second)) continue
    const { start } = replace(first, '')
    found.push({ start, end: second.end, text: `${text(second)}, ${text(first)}` })
  }
  return found
}

function isEarlyExit(statement: Statement): boolean {
  const [only, ...others] = isBlock(statement) ? statement.statements : [statement]
  return only !== undefined && others.length === 0 && JUMPS.has(only.kind)
}

/** One more; of a large number, which is a limit or a duration, twice it; of others a tenth. */
function otherNumber(text: string): string {
  const value = Number(text.replaceAll('_', ''))
  if (!Number.isSafeInteger(value) || /e/i.test(text)) return `(1.1 * ${text})`
  return value < 100 ? String(value + 1) : String(2 * value)
}

/** A string that code compares; texts for people contain spaces. */
function isKey(node: Node & { readonly text: string }): boolean {
  return node.text !== '' && !/\s/.test(node.text) && !isLiteralTypeNode(node.parent)
}
