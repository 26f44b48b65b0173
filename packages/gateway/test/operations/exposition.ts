// Parses Prometheus' text format, version 0.0.4, more strictly than Prometheus.

export interface Sample {
  /** such as `orrery_ticks_behind` */
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

export interface Family {
  readonly name: string
  readonly help: string
  readonly type: string
  readonly samples: readonly Sample[]
}

const HELP = /^# HELP ([a-z][a-z0-9_]*) (\S.*)$/
const TYPE = /^# TYPE ([a-z][a-z0-9_]*) (counter|gauge|histogram)$/
// A mean of nothing is spelled Nan by prom-client, which Prometheus reads in any case.
const NUMBER = String.raw`[+-]?(?:\d+(?:\.\d+)?(?:e[+-]?\d+)?|Inf)|Nan`
const LABEL = String.raw`[a-z_][a-z0-9_]*="(?:[^"\\\n]|\\[\\"n])*"`
const SAMPLE = new RegExp(`^([a-z][a-z0-9_]*)(?:\\{(${LABEL}(?:,${LABEL})*)\\})? (${NUMBER})$`)

/**
 * All families of a scrape, by name.
 *
 * @throws {Error} naming the first line that is wrong
 */
export function exposition(text: string): Map<string, Family> {
  if (!text.endsWith('\n')) throw new Error('The last line does not end')
  const families = new Map<string, Family>()
  const lines = text.split('\n').filter((line) => line !== '')
  for (let at = 0; at < lines.length;) {
    const [, name, help] = HELP.exec(lines[at]) ?? wrong(lines[at])
    const [, typed, type] = TYPE.exec(lines[at + 1] ?? '') ?? wrong(lines[at + 1])
    if (typed !== name || families.has(name)) wrong(lines[at + 1])
    at += 2
    const samples: Sample[] = []
    for (; at < lines.length && !lines[at].startsWith('#'); at++) samples.push(sample(lines[at]))
    const family = { name, help, type, samples }
    checkFamily(family)
    families.set(name, family)
  }
  return families
}

/** The value of one sample, which must exist. */
export function valueOf(
  families: ReadonlyMap<string, Family>,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number {
  const family = families.get(name) ?? families.get(name.replace(/_(?:bucket|sum|count)$/, ''))
  const found = family?.samples.filter(
    (one) =>
      one.name === name &&
      Object.entries(labels).every(([label, value]) => one.labels[label] === value),
  )
  if (found?.length !== 1) {
    throw new Error(`${found?.length ?? 'No'} samples of ${name} ${JSON.stringify(labels)}`)
  }
  return found[0].value
}

function sample(line: string): Sample {
  const [, name, labelled = '', value] = SAMPLE.exec(line) ?? wrong(line)
  const labels: Record<string, string> = {}
  for (const [, label, text] of labelled.matchAll(/([a-z0-9_]+)="((?:[^"\\]|\\.)*)"/g)) {
    if (label in labels) wrong(line)
    labels[label] = text
  }
  return { name, labels, value: Number(value.replace('Inf', 'Infinity')) }
}

function checkFamily({ name, type, samples }: Family): void {
  if ((type === 'counter') !== name.endsWith('_total')) wrong(`${name} is a ${type}`)
  const seen = new Set<string>()
  for (const { name: own, labels, value } of samples) {
    const series = `${own} ${JSON.stringify(labels)}`
    if (seen.has(series)) wrong(`${series} twice`)
    seen.add(series)
    if (type === 'histogram' ? !/_(?:bucket|sum|count)$/.test(own) : own !== name) wrong(series)
    if (type !== 'gauge' && !(value >= 0)) wrong(`${series} ${value}`)
  }
  if (type === 'histogram') checkBuckets(name, samples)
}

/** Buckets only rise, and the last has the whole count. */
function checkBuckets(name: string, samples: readonly Sample[]): void {
  const counts = samples.filter((one) => one.name === `${name}_count`)
  for (const { labels, value: count } of counts) {
    const buckets = samples.filter(
      (one) =>
        one.name === `${name}_bucket` &&
        Object.entries(labels).every(([label, value]) => one.labels[label] === value),
    )
    let below = 0
    let edge = -Infinity
    for (const { labels: own, value } of buckets) {
      const end = Number(own['le'].replace('Inf', 'Infinity'))
      if (value < below || end <= edge) wrong(`${name} at ${own['le']}`)
      below = value
      edge = end
    }
    if (edge !== Infinity || below !== count) wrong(`${name} has ${count}, not ${below}`)
  }
}

function wrong(line: string | undefined): never {
  throw new Error(`Wrong: ${line ?? 'end'}`)
}
