import type { SearchResult } from '../indexing/knowledge-items.ts'
import { PATTERNS, type Project } from '../records/projects.ts'
import { ON_PREM, PUBLIC_CLOUDS, providersOf } from '../indexing/applicable-files.ts'

type Pattern = (typeof PATTERNS)[number]

/** Words that indicate a pattern; each counts once. */
const WORDS: Readonly<Record<Pattern, readonly RegExp[]>> = {
  'three-tier-web': [
    /\bweb ?(?:app\w*|shop|portal|server|front\w*)/i,
    /\b(?:database|postgres\w*|mysql|mariadb|sql server|oracle)\b/i,
    /\b(?:three|n).?tier\b|\bapplication (?:server|tier)s?\b/i,
  ],
  microservices: [
    /\bmicro.?services?\b|\bmonolith\w*/i,
    /\bservice mesh\b|\bistio\b|\bgrpc\b/i,
    /\b(?:independent\w*|separate\w*) (?:deploy|releas|servic)\w*|\b(?:domain|\.net) services\b/i,
  ],
  'data-pipeline': [
    /\bdata pipelines?\b|\b(?:etl|elt|ingest\w*|lake(?:house)?)\b/i,
    /\b(?:warehouse|bigquery|redshift|snowflake|spark|dbt|power bi)\b/i,
    /\banaly(?:tics|sts?|sis)\b|\breporting platform\b/i,
  ],
  'static-site': [
    /\bstatic\b|\bmarkdown\b|\b(?:hugo|jekyll|astro|docusaurus)\b/i,
    /\b(?:home|landing|event) ?page\b|\b(?:brochure|documentation|marketing) (?:page|site|web)/i,
  ],
  'hybrid-cloud': [
    /\bhybrid\b|\bprivate cloud\b/i,
    /\b(?:on.?prem\w*|own data ?cent(?:er|re)|server room)\b/i,
    /\b(?:direct connect|expressroute)\b/i,
  ],
  'event-driven': [
    /\bevent.(?:driven|sourc|bus)\w*|\b(?:kafka|cqrs)\b/i,
    /\b(?:queues?|broker|messag(?:e|ing)|trigger\w*)\b/i,
    /\b(?:async\w*|consumers?|reacts|decouple\w*)\b/i,
  ],
  'multi-cloud': [
    /\bmulti.?cloud\b|\block.?in\b|\bexit plan\b/i,
    /\b(?:two|three|several|both|second) (?:public )?(?:clouds?|(?:cloud )?provider|vendor)/i,
  ],
  'edge-computing': [
    /\bedge (?:comput|site|node|locat|devic)\w*|\biot\b|\boffline\b/i,
    /\b(?:sensors?|cameras?|factor(?:y|ies)|ships?|branches|stores|stations|venues?)\b/i,
    /\bon site\b|\bat each\b/i,
  ],
  'ai-ml-infrastructure': [
    /\b(?:ai|ml|llms?|gpt|machine learning|language models?|neural|image recognition)\b/i,
    /\b(?:gpus?|accelerators|training|trains?|inference|fine.tun\w+|embeddings?)\b/i,
  ],
  'saas-multi-tenant': [
    /\bsaas\b|\bas a service\b|\bmulti.?tenan\w+/i,
    /\btenants\b|\bper.tenant\b|\bsubscri(?:ption|bers?)\b|\bsign.?up\b/i,
    /\b(?:per seat|plans?\b.{0,40}\benterprise|each (?:tenant|customer|practice|school))\b/i,
  ],
  'cdn-fronted-onprem': [
    /\b(?:cdn|content delivery|akamai|cloudflare|fastly)\b/i,
    /\borigin\b|\b(?:denial of service|ddos)\b/i,
  ],
  'disaster-recovery-implementations': [
    /\b(?:disaster|business continuity|warm standby|pilot light)\b/i,
    /\b(?:rto|rpo|failover|switch.?over|recovery|goes down|lost data)\b/i,
    /\bsecond (?:site|region|location|data ?cent\w+|cluster)\b/i,
  ],
}

/** Weights of the most similar text, of a word, and of the providers. */
const LIKENESS = 0.4
const WORD = 0.15
const PROVIDERS = 0.25

const OFFERED_MAX = 3
const OFFERED_MIN = 0.1

/** A hit in a pattern's file. */
export type PatternHit = Pick<SearchResult, 'source_file' | 'score'>

/**
 * Patterns indicated by a project's description, best first; to be confirmed.
 *
 * @param hits  search results in the patterns' files
 */
export function patternCandidates(
  { description, cloud_providers }: Pick<Project, 'description' | 'cloud_providers'>,
  hits: readonly PatternHit[],
): readonly Pattern[] {
  const text = description ?? ''
  const providers = providersOf({ cloud_providers })
  const onPrem = providers.some((name) => ON_PREM.has(name))
  const clouds = providers.filter((name) => PUBLIC_CLOUDS.has(name)).length
  const byProviders = (pattern: Pattern): number => {
    if (pattern === 'hybrid-cloud') return onPrem && clouds > 0 ? PROVIDERS : 0
    if (pattern === 'multi-cloud') return clouds > 1 ? PROVIDERS : -PROVIDERS
    if (pattern === 'cdn-fronted-onprem') return onPrem ? 0 : -PROVIDERS
    return 0
  }
  const bestOf = (file: string): number =>
    hits.reduce((best, hit) => (hit.source_file === file ? Math.max(best, hit.score) : best), 0)
  const best = hits.reduce((most, hit) => Math.max(most, hit.score), 0.01)
  const score = (pattern: Pattern): number => {
    const likeness = (LIKENESS * bestOf(`patterns/${pattern}.md`)) / best
    const words = WORDS[pattern].filter((word) => word.test(text)).length
    return likeness + words * WORD + byProviders(pattern)
  }
  return PATTERNS.filter((pattern) => score(pattern) > OFFERED_MIN)
    .toSorted((a, b) => score(b) - score(a))
    .slice(0, OFFERED_MAX)
}
