import { closest } from 'fastest-levenshtein'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/** Icons by module and class of the Python library `diagrams`. */
type Classes = Readonly<Record<string, Readonly<Record<string, string>>>>

let loaded: Classes | undefined

function classes(): Classes {
  const file = new URL('../icons/classes.json', import.meta.url)
  return (loaded ??= JSON.parse(readFileSync(file, 'utf8')) as Classes)
}

/** Whether a path such as `aws` or `aws.compute` has classes. */
export function isModule(path: string): boolean {
  return Object.keys(classes()).some((module) => module === path || module.startsWith(`${path}.`))
}

export function classesOf(module: string): readonly string[] {
  return Object.keys(classes()[module] ?? {})
}

/** The class that is meant by an unknown name: in its module, or the same name in another one. */
export function nearestClass(
  module: string,
  name: string,
  own: readonly string[],
): readonly [module: string, name: string] {
  const [provider] = module.split('.')
  const elsewhere = Object.keys(classes()).find(
    (other) => other.split('.')[0] === provider && classes()[other][name] !== undefined,
  )
  return elsewhere === undefined ? [module, closest(name, [...own])] : [elsewhere, name]
}

/** The icon of a class, as the name of a picture. */
export function classIcon(module: string, name: string): string | undefined {
  const icon = classes()[module]?.[name]
  const [provider] = module.split('.')
  return icon === undefined ? undefined : iconName(icon, provider)
}

function iconName(icon: string, provider: string): string {
  return icon.startsWith(':') ? `icon:${provider}${icon}` : `icon:${icon}`
}

const GLYPHS = require.resolve('@iconify-json/lucide/icons.json')

/** Colours of providers, behind symbols. */
const COLOURS: Readonly<Record<string, string>> = {
  aws: '#ed7100',
  azure: '#0078d4',
  gcp: '#4285f4',
  k8s: '#326ce5',
  alibabacloud: '#ff6a00',
  digitalocean: '#0080ff',
  elastic: '#00857c',
  firebase: '#e65100',
  ibm: '#0f62fe',
  oci: '#c74634',
  openstack: '#da1a32',
  outscale: '#1b2a6b',
  gis: '#2e7d32',
}

const OTHER_COLOUR = '#546e7a'

type Symbols = Readonly<Record<string, { readonly body: string }>>

let glyphs: Symbols | undefined

function symbols(): Symbols {
  return (glyphs ??= (JSON.parse(readFileSync(GLYPHS, 'utf8')) as { icons: Symbols }).icons)
}

/** Names of the symbols of Lucide. */
export function symbolNames(): readonly string[] {
  return Object.keys(symbols())
}

/** The SVG of an icon by the name of its picture; undefined for other names. */
export function iconSvg(picture: string): string | undefined {
  const [, provider, glyph] = /^icon:(\w*):([a-z\d-]+)$/.exec(picture) ?? []
  if (glyph !== undefined) {
    const body = symbols()[glyph]?.body.replaceAll('currentColor', '#fff')
    const colour = COLOURS[provider] ?? OTHER_COLOUR
    return (
      body &&
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="-6 -6 36 36">' +
        `<rect x="-6" y="-6" width="36" height="36" rx="5" fill="${colour}"/>${body}</svg>`
    )
  }
  const [, slug] = /^icon:([a-z\d-]+)$/.exec(picture) ?? []
  return slug === undefined ? undefined : logoSvg(slug)
}

const WHITE = /(fill|stroke)(="|:)(?:#f{3}(?:f{3})?|white)\b/gi

/** Logos of one colour leave it to the page, or are white. */
function logoSvg(slug: string): string | undefined {
  try {
    const { svg, hex } = require(`@thesvg/icons/${slug}`) as { svg: string; hex: string }
    const rest = svg.replaceAll(WHITE, '').replaceAll(/fill="none"|currentColor/g, '')
    const isColoured = /(?:fill|stroke)(?:="|:)|class=/.test(rest)
    if (isColoured) return svg
    const own = svg.replaceAll('currentColor', `#${hex}`).replaceAll(WHITE, `$1$2#${hex}`)
    return own === svg ? svg.replace('<svg', `<svg fill="#${hex}"`) : own
  } catch {
    return undefined
  }
}

/** Words that do not distinguish services. */
const NOISE = /\b(?:amazon|aws|azure|google|cloud|icon|service|logo|dark|light|\d+)\b/g

/** A name without what distinguishes no icon. */
export function compact(name: string): string {
  const words = name.toLowerCase().replaceAll(/[^a-z\d]+/g, ' ')
  return words.replaceAll(NOISE, '').replaceAll(' ', '') || words.replaceAll(' ', '')
}

let index: Map<string, string> | undefined

/** Icons by provider and name, such as `aws/ec2`; products have no provider. */
function iconIndex(): Map<string, string> {
  if (index) return index
  index = new Map()
  for (const [provider, name, icon] of iconClasses()) {
    const cloud = /^(?:aws|azure|gcp|k8s)-/.exec(icon)?.[0].slice(0, -1)
    const named = cloud === undefined ? [icon, name] : [icon.slice(cloud.length + 1), name]
    for (const one of named) {
      const key = `${cloud ?? (icon.startsWith(':') ? provider : '')}/${compact(one)}`
      if (!index.has(key)) index.set(key, iconName(icon, provider))
    }
  }
  return index
}

/** Provider, class and icon of all classes that have one. */
export function iconClasses(): readonly (readonly [
  provider: string,
  name: string,
  icon: string,
])[] {
  return Object.entries(classes()).flatMap(([module, icons]) =>
    Object.entries(icons).map(([name, icon]) => [module.split('.')[0], name, icon] as const),
  )
}

const PROVIDERS: Readonly<Record<string, string>> = { kubernetes: 'k8s', google: 'gcp' }

/**
 * The picture that a collection's name for an icon stands for: an address of D2's collection, such
 * as `https://icons.terrastruct.com/aws%2FCompute%2FAmazon-EC2.svg`, or `aws:ec2`, `logos:redis`.
 */
export function collectedIcon(reference: string): string | undefined {
  const [, path] =
    /^https:\/\/icons\.terrastruct\.com\/(.+)$/.exec(reference) ??
    /^([\w-]+:[\w-]+)$/.exec(reference) ??
    []
  if (path === undefined) return undefined
  const parts = path.replaceAll(/%2f/gi, '/').replaceAll('%20', ' ').toLowerCase().split(/[/:]/)
  const name = parts[parts.length - 1].replaceAll(/^\d+-|\.svg$/g, '')
  const [, cloud = parts[0], rest = name] = /^(aws|azure|gcp|k8s)-(.+)$/.exec(name) ?? []
  const provider = PROVIDERS[cloud] ?? cloud
  const found = [`${provider}/${compact(rest)}`, `/${compact(name)}`]
    .map((key) => iconIndex().get(key))
    .find((picture) => picture !== undefined)
  return found ?? (iconSvg(`icon::${name}`) ? `icon::${name}` : undefined)
}
