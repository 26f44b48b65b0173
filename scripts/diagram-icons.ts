/**
 * Assigns an icon to each class of the Python library `diagrams`: writes
 * packages/diagrams-py/icons/classes.json from the library's sources and `@thesvg/icons`, which an
 * install with `--ignore-scripts` leaves complete.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ICONS = fileURLToPath(new URL('../packages/diagrams-py/icons', import.meta.url))

interface Aliases {
  readonly glyphs: Readonly<Record<string, string>>
  readonly [set: string]: Readonly<Record<string, string>>
}

const aliases = JSON.parse(readFileSync(join(ICONS, 'aliases.json'), 'utf8')) as Aliases

/** Licences that allow an icon in a picture. */
const FREE = /^(CC0-1\.0|MIT|Apache-2\.0|BSD-3-Clause|CC-BY(-SA|-ND)?-\d\.\d)$/

/** Providers with icons for their services; other classes have logos of brands. */
const CLOUDS = new Set(['aws', 'azure', 'gcp', 'k8s'])

/** Providers whose classes are products, or the logo of the provider itself. */
const BRANDED = /^(onprem|saas|programming|generic\.os|generic\.virt|elastic\.elastics|gis|\w+$)/

/** Words that most services share. */
const NOISE = new Set(
  (
    'aws amazon azure google cloud service services for of and the res gcp managed microsoft cat ' +
    'resource light'
  ).split(' '),
)

/** [word overlap] below these an icon shows something else */
const SERVICE_SCORE_MIN = 0.78
const PART_SCORE = 0.8

function words(name: string): readonly string[] {
  const all = name
    .toLowerCase()
    .replaceAll(/([a-z])(\d)/g, '$1 $2')
    .split(/[^a-z\d]+/)
    .filter(Boolean)
  const singular = all.map((word) =>
    word.length > 3 ? word.replace(/ies$/, 'y').replace(/s$/, '') : word,
  )
  const telling = singular.filter((word) => !NOISE.has(word))
  return telling.length > 0 ? telling : singular
}

/** Share of common words; an icon whose words are most of the name's counts as its service. */
function score(name: ReadonlySet<string>, icon: ReadonlySet<string>): number {
  const common = [...icon].filter((word) => name.has(word)).length
  const overlap = (2 * common) / (name.size + icon.size)
  const isPart = common === icon.size && icon.size * 2 >= name.size
  return isPart && [...icon].some((word) => word.length > 2)
    ? Math.max(overlap, PART_SCORE)
    : overlap
}

const require = createRequire(join(ICONS, '../package.json'))
const directory = dirname(require.resolve('@thesvg/icons'))
const free = globSync('*.cjs', { cwd: directory })
  .filter((file) => {
    const [, licence = ''] =
      /exports.license = "(.*)"/.exec(readFileSync(join(directory, file), 'utf8')) ?? []
    return FREE.test(licence)
  })
  .map((file) => basename(file, '.cjs'))
const compact = (name: string): string => name.replaceAll(/[^a-z\d]/g, '')
const brands = new Map(free.map((slug) => [compact(slug), slug]))
const services = new Map(
  [...CLOUDS].map((cloud) => [
    cloud,
    free
      .filter((slug) => slug.startsWith(`${cloud}-`))
      .map((slug) => ({ slug, words: new Set(words(slug.slice(cloud.length + 1))) })),
  ]),
)

function serviceIcon(cloud: string, name: string): string | undefined {
  // Many names end in an abbreviation, such as `simple-storage-service-s3`.
  const [, long] = /^(.*-.*-.*)-\w{2,4}$/.exec(name) ?? []
  const wanted = [name, long ?? name].map((one) => new Set(words(one)))
  const [best] = (services.get(cloud) ?? [])
    .map(({ slug, words: icon }) => ({
      slug,
      value: Math.max(...wanted.map((one) => score(one, icon))) - slug.length / 1e4,
    }))
    .toSorted((a, b) => b.value - a.value)
  return best && best.value >= SERVICE_SCORE_MIN ? best.slug : undefined
}

function brandIcon(name: string): string | undefined {
  return ['', 'apache', 'eclipse', 'microsoft', 'amazon']
    .map((prefix) => brands.get(prefix + compact(name)))
    .find((slug) => slug !== undefined)
}

/** A class's icon; those that begin with a colon are symbols of a kind of thing. */
function iconOf(module: string, file: string): string {
  const [provider] = module.split('.')
  const name = file.replaceAll(/[-_]/g, ' ')
  const alias = aliases[CLOUDS.has(provider) ? provider : 'brands'][name]
  const own = CLOUDS.has(provider)
    ? serviceIcon(provider, file)
    : BRANDED.test(module) && !/flowchart/.test(module)
      ? brandIcon(file)
      : undefined
  const kinds = [...name.split(' ').toReversed(), ...module.split('.').toReversed()]
  const glyph = kinds.map((kind) => aliases.glyphs[kind]).find((icon) => icon !== undefined)
  return alias ?? own ?? `:${glyph ?? 'box'}`
}

const CLASS = new RegExp(
  String.raw`^class ([A-Z]\w*)\(.*?\):\n` +
    String.raw`(?:    (?:"""[^]*?"""|_provider.*|_type.*|_icon_dir.*)\n)*` +
    String.raw`    _icon = "(.*?)\.png"`,
  'gm',
)

const [, , sources] = process.argv
if (!sources) throw new Error('Usage: node scripts/diagram-icons.ts <directory of `diagrams`>')
const classes: Record<string, Record<string, string>> = {}
for (const path of globSync('*/*.py', { cwd: sources }).toSorted()) {
  const text = readFileSync(join(sources, path), 'utf8')
  const module = path.replace(/(\/__init__)?\.py$/, '').replaceAll('/', '.')
  const here: Record<string, string> = {}
  for (const [, name, file] of text.matchAll(CLASS)) here[name] = iconOf(module, file)
  for (const [, name, other] of text.matchAll(/^(\w+) = (\w+)$/gm)) {
    if (here[other] !== undefined) here[name] = here[other]
  }
  if (Object.keys(here).length > 0) classes[module] = here
}
writeFileSync(join(ICONS, 'classes.json'), `${JSON.stringify(classes, null, 1)}\n`)
