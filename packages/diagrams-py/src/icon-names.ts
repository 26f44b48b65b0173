import { closest, distance } from 'fastest-levenshtein'
import { collectedIcon, compact, iconClasses, symbolNames } from './icons.ts'

let names: readonly string[] | undefined

/** Names of all icons, such as `aws:ec2`, `logos:redis` and `lucide:database`, sorted. */
export function iconNames(): readonly string[] {
  const clouds = iconClasses().map(([provider, name, icon]) => {
    const [cloud] = /^(?:aws|azure|gcp|k8s)-/.exec(icon) ?? []
    if (cloud !== undefined) return `${cloud.slice(0, -1)}:${icon.slice(cloud.length)}`
    return icon.startsWith(':') ? `${provider}:${dashed(name)}` : `logos:${icon}`
  })
  const all = [...clouds, ...symbolNames().map((name) => `lucide:${name}`)]
  return (names ??= [...new Set(all)].filter((name) => collectedIcon(name)).toSorted())
}

/** `BlobStorage` as `blob-storage`. */
function dashed(name: string): string {
  return name.replaceAll(/(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, '-').toLowerCase()
}

/** Letters of a name that may be wrong, at least and as a share. */
const WRONG_MAX = 2
const WRONG_SHARE_MAX = 0.4

/** The name of an icon that is meant by an unknown one; undefined if none is like it. */
export function nearestIcon(unknown: string): string | undefined {
  const [provider, own] = parts(unknown.toLowerCase())
  const ofProvider = iconNames().filter((name) => parts(name)[0] === provider)
  const all = ofProvider.length > 0 ? ofProvider : iconNames()
  const words = new Map(all.map((name) => [compact(parts(name)[1]), name]))
  const wanted = compact(own)
  const like = closest(wanted, [...words.keys()])
  const wrong = distance(wanted, like)
  const longer = [...words.keys()].filter((word) => word.startsWith(wanted))
  if (wrong > WRONG_MAX && longer.length > 0) return words.get(closest(wanted, longer))
  return wrong <= Math.max(WRONG_MAX, WRONG_SHARE_MAX * wanted.length) ? words.get(like) : undefined
}

/** Provider and name; of an address its last parts. */
function parts(name: string): readonly [provider: string, name: string] {
  const all = name.replaceAll('%2f', '/').replaceAll('%20', '-').split(/[/:]/).filter(Boolean)
  const last = all[all.length - 1]?.replace(/\.\w+$/, '') ?? ''
  const isAddress = name.startsWith('https:')
  return [(isAddress ? all[2] : all[0]) ?? '', last]
}
