/** Which package may import which. */

/** Packages of ours that each package may import. */
export const ARROWS: Readonly<Record<string, readonly string[]>> = {
  sim: [],
  catalog: ['sim'],
  engine: ['sim', 'catalog'],
  module: ['sim', 'engine'],
  protocol: ['sim'],
  bus: [],
  database: [],
  store: ['database'],
  http: [],
  client: ['sim', 'protocol'],
  game: ['sim', 'catalog', 'engine', 'protocol', 'bus', 'database', 'store'],
  gateway: ['sim', 'engine', 'module', 'protocol', 'bus', 'database', 'store', 'game', 'http'],
  'page-kit': ['client'],
  web: ['client', 'page-kit'],
  console: ['client', 'page-kit'],
  cli: ['client'],
  'mermaid-svg': [],
  'diagrams-py': [],
  'design-sessions': ['http', 'database', 'mermaid-svg', 'diagrams-py'],
  testkit: ['sim', 'database'],
}

/** What its tests may import besides the testkit: a server is tested with its client. */
export const TEST_ARROWS: Readonly<Record<string, readonly string[]>> = {
  cli: ['protocol'],
  engine: ['client'],
  gateway: ['client'],
}

const BEGIN = '<!-- Drawn by `node scripts/checks/tidy.ts --write`. -->'
const END = '<!-- /picture -->'

/** The arrows as a Mermaid drawing, without those that others imply. */
function picture(): string {
  const lines = Object.entries(ARROWS).flatMap(([from, targets]) => {
    const direct = targets.filter((to) => !targets.some((other) => reaches(other, to)))
    return direct.length > 0 ? [`  ${from} --> ${direct.join(' & ')}`] : []
  })
  return ['```mermaid', 'flowchart TD', ...lines, '```'].join('\n')
}

function reaches(from: string, to: string): boolean {
  const targets = ARROWS[from] ?? []
  return targets.includes(to) || targets.some((other) => reaches(other, to))
}

/** A README with the picture in its place. @throws {Error} without that place */
export function withPicture(readme: string): string {
  const [begin, end] = [readme.indexOf(BEGIN), readme.indexOf(END)]
  if (begin < 0 || end < begin) throw new Error('The README has no place for the picture.')
  return `${readme.slice(0, begin + BEGIN.length)}\n\n${picture()}\n\n${readme.slice(end)}`
}
