import type { Project } from '../records/projects.ts'

/** Providers on premises. */
const ON_PREM: ReadonlySet<string> = new Set(['nutanix', 'vmware', 'openstack'])

export const PUBLIC_CLOUDS: ReadonlySet<string> = new Set(['aws', 'azure', 'gcp'])

/** Aliases of the library's provider names. */
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

/** Words of a description that add a provider of tools. */
const CROSS_CUTTING: readonly (readonly [string, RegExp])[] = [
  ['hashicorp', /\b(?:hashicorp|terraform|vault|consul|nomad|packer)\b/i],
  ['prometheus-grafana', /\b(?:prometheus|grafana)\b/i],
  ['ceph', /\bceph\b/i],
]

/** Words of a description, or of frameworks' names, that add a compliance framework. */
const COMPLIANCE_WORDS: readonly (readonly [string, RegExp])[] = [
  ['dora', /\bdora\b(?! metrics)|\bdigital operational resilience\b/i],
  ['fedramp', /\bfedramp\b/i],
  ['gdpr', /\b(?:gdpr|dsgvo|rgpd|rodo)\b/i],
  ['hipaa', /\bhipaa\b/i],
  ['iso-27001', /\b27001\b/],
  ['nis2', /\bnis[ -]?2\b/i],
  ['pci-dss', /\bpci\b(?![ -]?(?:express|pass|devices?))/i],
  ['soc-2', /\bsoc[ -]?2\b/i],
]

/** The fields of a project that select files. */
export type Scope = Pick<
  Project,
  'description' | 'cloud_providers' | 'architecture_pattern' | 'compliance_frameworks'
>

export interface ApplicableFile {
  readonly path: string
  /** such as `general`, `providers/aws`, `patterns` */
  readonly category: string
}

/** The project's providers by their names in the library. */
export function providersOf({
  cloud_providers,
}: Pick<Scope, 'cloud_providers'>): readonly string[] {
  const names = cloud_providers.map((name) => lowerKebab(name))
  return [...new Set(names.map((name) => ALIASES.get(name) ?? name))]
}

/** Whether any provider is on premises. */
export function isOnPrem(scope: Scope): boolean {
  return providersOf(scope).some((provider) => ON_PREM.has(provider))
}

/**
 * The files for a session on a project: always general (those named `on-prem-` only on premises)
 * and failures; those of its providers, pattern, compliance frameworks and tools, also as named in
 * its description; the well-architected frameworks of its providers.
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
  const texts = [scope.description ?? '', ...scope.compliance_frameworks].join('\n')
  for (const [framework, words] of COMPLIANCE_WORDS)
    if (words.test(texts)) frameworks.add(framework)
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

/** The first directory of a file; for providers the first two. */
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
