import {
  ConfigError,
  type Environment,
  LOG_LEVELS,
  type LogLevel,
  type Secret,
  boolean,
  described,
  helpText,
  integer,
  isLoopbackName,
  oneOf,
  origins,
  parseConfig,
  port,
  secret,
  secretUrl,
  text,
  url,
} from '@orrery/http'
import { fileURLToPath } from 'node:url'
import * as v from 'valibot'
import type { EmbeddingServiceOptions } from './sentences/embedding-service.ts'

/** A shorter token could be guessed. */
const TOKEN_BYTES_MIN = 16

const PATH_MAX = 4096

const NAME_MAX = 255

const OWN_LIBRARY = fileURLToPath(new URL('../knowledge', import.meta.url))

/** Everything the environment decides; parsed once, then passed down as values. */
export interface Config {
  readonly host: string
  readonly port: number
  /** required of every request except health; undefined allows all */
  readonly token: Secret | undefined
  readonly allowedOrigins: readonly string[]
  /** whether `X-Forwarded-For` names the client */
  readonly trustProxy: boolean
  readonly knowledgeDirectory: string
  readonly dataDirectory: string
  readonly databaseUrl: Secret | undefined
  /** longest time of one rendering */
  readonly renderSecondsMax: number
  /** whether the search also goes by meaning */
  readonly hasVectors: boolean
  /** a model at an address, instead of our own */
  readonly embeddings: EmbeddingServiceOptions | undefined
  readonly isRenderWarm: boolean
  readonly renderNiceness: number
  readonly logLevel: LogLevel
}

const ENVIRONMENT = v.object({
  DESIGN_SESSIONS_HOST: described('address to listen on', text({ lengthMax: 255 }, '127.0.0.1')),
  DESIGN_SESSIONS_PORT: described('port to listen on; 0 lets the system choose', port(3001)),
  DESIGN_SESSIONS_TOKEN: described(
    `bearer token that requests must have, at least ${TOKEN_BYTES_MIN} bytes; unset lets all in`,
    v.optional(secret({ bytesMin: TOKEN_BYTES_MIN })),
  ),
  DESIGN_SESSIONS_OPEN: described(
    'whether to start without a token at an address that other machines reach',
    boolean(false),
  ),
  TRUST_PROXY: described(
    "whether limits count by the last address in `X-Forwarded-For`, your own proxy's",
    boolean(false),
  ),
  ALLOWED_ORIGINS: described(
    'browser origins that may call (CORS), comma-separated',
    origins('https://sessions.example'),
  ),
  KNOWLEDGE_DIR: described(
    'a knowledge library instead of our own',
    text({ lengthMax: PATH_MAX }, OWN_LIBRARY),
  ),
  KNOWLEDGE_VECTORS: described(
    'whether the search also goes by meaning; its vectors are made in the background',
    v.optional(v.picklist(['true', 'false']), 'true'),
  ),
  KNOWLEDGE_EMBEDDINGS_URL: described(
    'a service that makes these vectors, which gets all texts, instead of a model of our own',
    v.optional(url(['http:', 'https:'])),
  ),
  KNOWLEDGE_EMBEDDINGS_MODEL: described(
    'name of its model',
    v.optional(text({ lengthMax: NAME_MAX })),
  ),
  KNOWLEDGE_EMBEDDINGS_KEY: described('its bearer token', v.optional(secret({ bytesMin: 1 }))),
  DATA_DIR: described(
    'the embedded database lives in its `design-sessions`, uploads in `design-sessions-files`',
    text({ lengthMax: PATH_MAX }, '.data'),
  ),
  DATABASE_URL: described(
    'a PostgreSQL server instead of the embedded one; tables in its schema `design_sessions`',
    v.optional(secretUrl(['postgres:', 'postgresql:'])),
  ),
  RENDER_SECONDS_MAX: described(
    'a rendering that takes longer is broken off',
    integer({ min: 1, max: 3600 }, 30),
  ),
  RENDER_WARM: described(
    'whether a process is kept ready to draw; without it the first D2 diagram takes seconds',
    oneOf(['true', 'false'], 'true'),
  ),
  RENDER_NICENESS: described(
    'how far renderings stand back behind other work, as in `nice`',
    integer({ min: 0, max: 19 }, 10),
  ),
  LOG_LEVEL: described(`least that is logged: ${LOG_LEVELS.join(', ')}`, oneOf(LOG_LEVELS, 'info')),
})

/** @throws {ConfigError} with one line that names every bad or missing variable */
export function serviceConfig(environment: Environment): Config {
  const parsed = parseConfig(ENVIRONMENT, environment)
  const { DESIGN_SESSIONS_HOST: host, DESIGN_SESSIONS_TOKEN: token } = parsed
  if (token === undefined && !isLoopbackName(host) && !parsed.DESIGN_SESSIONS_OPEN) {
    throw new ConfigError(
      `Bad configuration: DESIGN_SESSIONS_TOKEN is missing, and other machines reach ${host}; ` +
        'DESIGN_SESSIONS_OPEN=true lets everyone in',
    )
  }
  return Object.freeze({
    host,
    port: parsed.DESIGN_SESSIONS_PORT,
    token,
    allowedOrigins: parsed.ALLOWED_ORIGINS,
    trustProxy: parsed.TRUST_PROXY,
    knowledgeDirectory: parsed.KNOWLEDGE_DIR,
    embeddings: embeddingsOf(parsed),
    hasVectors: parsed.KNOWLEDGE_VECTORS === 'true',
    dataDirectory: parsed.DATA_DIR,
    databaseUrl: parsed.DATABASE_URL,
    renderSecondsMax: parsed.RENDER_SECONDS_MAX,
    isRenderWarm: parsed.RENDER_WARM === 'true',
    renderNiceness: parsed.RENDER_NICENESS,
    logLevel: parsed.LOG_LEVEL,
  })
}

function embeddingsOf({
  KNOWLEDGE_EMBEDDINGS_URL: address,
  KNOWLEDGE_EMBEDDINGS_MODEL: model,
  KNOWLEDGE_EMBEDDINGS_KEY: key,
}: v.InferOutput<typeof ENVIRONMENT>): EmbeddingServiceOptions | undefined {
  if (address === undefined) return undefined
  if (model === undefined) {
    throw new ConfigError(
      'Bad configuration: KNOWLEDGE_EMBEDDINGS_URL needs KNOWLEDGE_EMBEDDINGS_MODEL',
    )
  }
  return { url: address, model, key }
}

/** Text of `--help`. */
export function environmentHelp(): string {
  return helpText('Serves design sessions', ENVIRONMENT, { KNOWLEDGE_DIR: 'our own' })
}
