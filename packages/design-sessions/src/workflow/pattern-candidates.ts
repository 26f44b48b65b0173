import { PATTERNS, type Project } from '../records/projects.ts'

type Pattern = (typeof PATTERNS)[number]

/** Words that speak for a pattern; each counts once. */
const WORDS: Readonly<Record<Pattern, readonly RegExp[]>> = {
  'three-tier-web': [/\bweb ?(?:app|site|shop|portal)/i, /\bdatabase\b/i, /\bthree.?tier\b/i],
  microservices: [/\bmicro.?services?\b/i, /\bservice mesh\b/i, /\bapis?\b/i],
  'data-pipeline': [
    /\bpipelines?\b/i,
    /\b(?:etl|elt|ingest\w*|warehouse|lake)\b/i,
    /\banalytics\b/i,
  ],
  'static-site': [/\bstatic\b/i, /\b(?:landing|documentation|marketing) (?:page|site)s?\b/i],
  'hybrid-cloud': [/\bhybrid\b/i, /\bon.?prem\w*/i, /\bdata ?cent(?:er|re)s?\b/i],
  'event-driven': [/\bevents?\b/i, /\b(?:queues?|messag\w+|kafka|streams?)\b/i, /\basync\w*/i],
  'multi-cloud': [/\bmulti.?cloud\b/i, /\b(?:two|several|multiple) clouds?\b/i],
  'edge-computing': [/\bedge\b/i, /\b(?:iot|devices?|sensors?|factor(?:y|ies)|branch\w*)\b/i],
  'ai-ml-infrastructure': [
    /\b(?:ai|ml|llms?|machine learning)\b/i,
    /\b(?:gpus?|training|inference)\b/i,
  ],
  'saas-multi-tenant': [/\bsaas\b/i, /\bmulti.?tenan\w+/i, /\btenants?\b/i],
  'cdn-fronted-onprem': [/\bcdn\b/i, /\bon.?prem\w*/i],
  'disaster-recovery-implementations': [
    /\bdisaster\b/i,
    /\b(?:rto|rpo|failover|recovery)\b/i,
    /\bsecond (?:site|region)\b/i,
  ],
}

/** How many are offered. */
const OFFERED_MAX = 3

/** Patterns that a project's description speaks for, the likeliest first; to be confirmed. */
export function patternCandidates({
  description,
  cloud_providers,
}: Pick<Project, 'description' | 'cloud_providers'>): readonly Pattern[] {
  const text = description ?? ''
  const score = (pattern: Pattern): number =>
    WORDS[pattern].filter((word) => word.test(text)).length / WORDS[pattern].length +
    (pattern === 'multi-cloud' && cloud_providers.length > 1 ? 0.4 : 0)
  return PATTERNS.filter((pattern) => score(pattern) > 0)
    .toSorted((a, b) => score(b) - score(a))
    .slice(0, OFFERED_MAX)
}
