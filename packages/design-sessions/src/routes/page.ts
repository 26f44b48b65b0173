import { PAGE_POLICY } from '@orrery/http'
import { type Context, Hono } from 'hono'
import { readFileSync, readdirSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { sep } from 'node:path'
import { notFound } from '../errors.ts'
import { operation } from '../openapi.ts'

const DIRECTORY = new URL('../../page/', import.meta.url)

const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  svg: 'image/svg+xml',
  ts: 'text/javascript; charset=utf-8',
}

/** Pictures are read with the token, and nothing becomes markup. */
const POLICY = `${PAGE_POLICY.replace("img-src 'self'", "img-src 'self' blob:")}; \
require-trusted-types-for 'script'; trusted-types 'none'`

/** The page of the service: its files as they are, without types. */
export function pageRoutes({ needsToken }: { readonly needsToken: boolean }): Hono {
  const files = new Map(
    readdirSync(DIRECTORY, { recursive: true, encoding: 'utf8' }).flatMap(served),
  )
  const answer = (context: Context, name: string): Response => {
    const file = files.get(name)
    if (!file) throw notFound('File')
    const headers = { 'Content-Type': file.type, 'Content-Security-Policy': POLICY }
    // It asks for the token before its first request.
    const text = needsToken ? file.text.replace('<html', '<html data-token="needed"') : file.text
    return context.body(text, 200, headers)
  }
  const routes = new Hono()
  routes.get(
    '/',
    operation('showPage', 'operations', {
      summary: 'Show the page for people',
      description: 'Projects, the gate, questions, decisions, diagrams and reports in a browser.',
      success: { status: 200, type: 'text/html' },
    }),
    (context) => answer(context, 'index.html'),
  )
  return routes.get(
    '/page/:file{.+}',
    operation('readPageFile', 'operations', {
      summary: 'Read a file of the page',
      description: 'Its scripts, styles and icon, for any browser.',
      success: { status: 200, type: ['text/css', 'text/javascript', 'image/svg+xml'] },
      errors: [[404, 'File not found']],
    }),
    (context) => answer(context, context.req.param('file')),
  )
}

interface ServedFile {
  readonly type: string
  readonly text: string
}

function served(path: string): readonly (readonly [string, ServedFile])[] {
  const name = path.replaceAll(sep, '/')
  const extension = name.slice(name.lastIndexOf('.') + 1)
  const type = TYPES[extension]
  if (type === undefined) return []
  const text = readFileSync(new URL(name, DIRECTORY), 'utf8')
  return [[name, { type, text: extension === 'ts' ? withoutTypes(text) : text }]]
}

/** Node loads its own modules the same way, but warns that the function is experimental. */
function withoutTypes(text: string): string {
  const emitWarning = process.emitWarning.bind(process)
  process.emitWarning = () => undefined
  try {
    return stripTypeScriptTypes(text)
  } finally {
    process.emitWarning = emitWarning
  }
}
