import type { Project } from '../records/projects.ts'

/** Providers whose hardware is the customer's own, or somebody's who hosts it for him. */
export const ON_PREM: ReadonlySet<string> = new Set(['nutanix', 'vmware', 'openstack'])

export const PUBLIC_CLOUDS: ReadonlySet<string> = new Set(['aws', 'azure', 'gcp'])

/** Other names that people give the library's providers. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ['amazon', 'aws'],
  ['amazon-web-services', 'aws'],
  ['microsoft-azure', 'azure'],
  ['google', 'gcp'],
  ['google-cloud', 'gcp'],
  ['google-cloud-platform', 'gcp'],
  ['k8s', 'kubernetes'],
  ['vsphere', 'vmware'],
  ['vmware-vsphere', 'vmware'],
  ['prometheus', 'prometheus-grafana'],
  ['grafana', 'prometheus-grafana'],
  ['terraform', 'hashicorp'],
  ['vault', 'hashicorp'],
])

/** Words of a description that bring a provider of tools into scope. */
const CROSS_CUTTING: readonly (readonly [string, RegExp])[] = [
  ['hashicorp', /\b(?:hashicorp|terraform|vault|consul|nomad|packer)\b/i],
  ['prometheus-grafana', /\b(?:prometheus|grafana)\b/i],
  ['ceph', /\bceph\b/i],
]

/** Words, of a description or among the frameworks' names, that bring duties into scope. */
const DUTIES: readonly (readonly [string, RegExp])[] = [
  ['dora', /\bdora\b(?! metrics)|\bdigital operational resilience\b/i],
  ['fedramp', /\bfedramp\b/i],
  ['gdpr', /\b(?:gdpr|dsgvo|rgpd|rodo)\b/i],
  ['hipaa', /\bhipaa\b/i],
  ['iso-27001', /\b27001\b/],
  ['nis2', /\bnis[ -]?2\b/i],
  ['pci-dss', /\bpci\b(?![ -]?(?:express|pass|devices?))/i],
  ['soc-2', /\bsoc[ -]?2\b/i],
]

/** What of a project decides which files apply. */
export type Scope = Pick<
  Project,
  'description' | 'cloud_providers' | 'architecture_pattern' | 'compliance_frameworks'
>

/** A file of the library that a session reads. */
export interface ApplicableFile {
  readonly path: string
  /** such as `general`, `providers/aws`, `patterns` */
  readonly category: string
}

/** The project's providers by the library's names. */
export function providersOf({
  cloud_providers,
}: Pick<Scope, 'cloud_providers'>): readonly string[] {
  const names = cloud_providers.map((name) => lowerKebab(name))
  return [...new Set(names.map((name) => ALIASES.get(name) ?? name))]
}

/** Whether the project runs where the hosting model is to be asked for first. */
export function isOnPrem(scope: Scope): boolean {
  return providersOf(scope).some((provider) => ON_PREM.has(provider))
}

/**
 * The files a session on a project loads: general and failures always, its providers', pattern's
 * and compliance frameworks' (those its description names, too), the well-architected frameworks of
 * its providers; general files named `on-prem-` for providers on premises; tools' files when they
 * are in scope.
 *
 * @param library  paths of all files
 */
export function applicableFiles(
  scope: Scope,
  library: readonly string[],
): readonly ApplicableFile[] {
  const providers = new Set(providersOf(scope))
  for (const [provider, words] of CROSS_CUTTING) {
    if (words.test(scope.description ?? '')) providers.add(provider)
  }
  const frameworks = new Set(scope.compliance_frameworks.map(lowerKebab))
  const told = [scope.description ?? '', ...scope.compliance_frameworks].join('\n')
  for (const [framework, words] of DUTIES) if (words.test(told)) frameworks.add(framework)
  const onPrem = isOnPrem(scope)
  const applies = (path: string): boolean => {
    const [group = '', ...rest] = path.replace(/\.md$/, '').split('/')
    const name = rest.join('/')
    switch (group) {
      case 'general':
        return onPrem || !name.startsWith('on-prem')
      case 'failures':
        return true
      case 'providers':
        return providers.has(rest[0] ?? '')
      case 'patterns':
        return name === scope.architecture_pattern
      case 'compliance':
        return frameworks.has(name)
      case 'frameworks':
        return [...providers].some((provider) => name === `${provider}-well-architected`)
      default:
        return false
    }
  }
  return library.filter(applies).map((path) => ({ path, category: categoryOf(path) }))
}

/** The group of a file; of providers each is one. */
export function categoryOf(path: string): string {
  const parts = path.split('/')
  return parts.slice(0, parts[0] === 'providers' ? 2 : 1).join('/')
}

function lowerKebab(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_]+/g, '-')
}
