import { availableParallelism, homedir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Redaction } from '@docent/contract/values/redaction'
import { z } from 'zod'
import {
  type EmbeddingsConfig,
  adminOf,
  embeddingsOf,
  githubAppOf,
  type LlmConfig,
  llmOf,
  withoutSlash,
  ConfigError,
  type Environment,
  readVariables,
  onOff,
  planPrices,
  port,
  redactedKinds,
  redactedPatterns,
} from '#lib/settings.ts'

export { ConfigError }

/** All environment variables of the service with their defaults. First of two parsing steps. */
const variables = {
  DOCENT_HOST: z.string().default('127.0.0.1'),
  DOCENT_PORT: port.default(8787),
  DOCENT_PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
  DOCENT_SDK_PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
  DOCENT_DATA_DIR: z.string().default('./data'),
  DOCENT_BACKUP_DIR: z.string().optional(),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must start with postgres://')
    .optional(),
  DOCENT_ALLOW_NETWORKS: z.string().default(''),
  DOCENT_DEFAULT_PLAN: z.enum(['free', 'core', 'unlimited']).default('free'),
  DOCENT_PLAN_PRICES: planPrices.default({}),
  DOCENT_SIGNUPS: onOff.default(false),
  DOCENT_ROLE: z.enum(['all', 'web', 'worker']).default('all'),
  DOCENT_ALLOWED_ORIGINS: z.string().default(''),
  DOCENT_TRUSTED_PROXIES: z.coerce.number().int().min(0).max(16).default(0),
  DOCENT_RATE_LIMITS: onOff.default(true),
  DOCENT_CUSTOM_TOOLS: onOff.default(true),
  DOCENT_GITHUB_API_URL: z.url({ protocol: /^https?$/ }).default('https://api.github.com'),
  DOCENT_LLM_PROVIDER: z.enum(['openai', 'anthropic']).default('openai'),
  DOCENT_LLM_BASE_URL: z.url({ protocol: /^https?$/ }).optional(),
  DOCENT_LLM_MODEL: z.string().optional(),
  DOCENT_LLM_TIMEOUT: z.coerce.number('must be seconds, 1 to 300').min(1).max(300).default(40),
  DOCENT_LLM_TOKENS_PER_DAY: z.coerce.number('must be a number of tokens').int().min(1).optional(),
  DOCENT_READER_MEMORY: z.coerce.number('must be megabytes, 192 or more').int().min(192).default(320),
  DOCENT_BROWSER: z.string().default(''),
  DOCENT_BROWSER_WITHOUT_SANDBOX: onOff.default(false),
  DOCENT_EMBEDDINGS_BASE_URL: z.url({ protocol: /^https?$/ }).optional(),
  DOCENT_EMBEDDINGS_MODEL: z.string().optional(),
  DOCENT_REDACT_KINDS: redactedKinds.default([]),
  DOCENT_REDACT_PATTERNS: redactedPatterns.default([]),
  DOCENT_DASHBOARD: onOff.default(true),
  DOCENT_THREADS: z.coerce.number('must be a number, 1 to 64').int().min(1).max(64).optional(),
  DOCENT_LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
} as const

/** Variables of commands that talk to a running service. */
const clientVariables = {
  DOCENT_URL: z.url({ protocol: /^https?$/ }).optional(),
  DOCENT_API_KEY: z.string().optional(),
  DOCENT_ACCESS_TOKEN: z.string().optional(),
  DOCENT_PROFILE: z.string().optional(),
  DOCENT_CONFIG_DIR: z.string().optional(),
} as const

/** Settings of commands that use a running service. */
export type ClientConfig = {
  /** Without a trailing slash. */
  url: string | null
  /** The service on this machine. */
  localUrl: string
  apiKey: string | null
  /** Access token of a private server. */
  accessToken: string | null
  /** Name of a stored sign-in. */
  profile: string | null
  /** Folder of the stored sign-ins. */
  configDir: string
}

/** Where programs of the user keep their settings. */
export type UserFolders = {
  home: string
  /** `%APPDATA%` on Windows, elsewhere that of the XDG Base Directory Specification. */
  config: string
}

/** Separate from the other settings, so that secrets reach only their users and never a log. */
const secretVariables = {
  DOCENT_SECRET_KEY: z
    .string()
    .default('')
    .transform((text) => text.split(/[\s,]+/).filter(Boolean))
    .pipe(z.array(z.string().min(32, 'each key must have at least 32 characters'))),
  DOCENT_LLM_API_KEY: z.string().optional(),
  DOCENT_EMBEDDINGS_API_KEY: z.string().optional(),
  DOCENT_GITHUB_CLIENT_ID: z.string().optional(),
  DOCENT_GITHUB_CLIENT_SECRET: z.string().optional(),
  DOCENT_ADMIN_EMAIL: z.string().optional(),
  DOCENT_ADMIN_PASSWORD: z.string().optional(),
} as const

export type Secrets = {
  /** Keys for credentials at rest: the encryption key first, then older keys for decryption. */
  secretKeys: readonly string[]
  /** API key of the language model provider. Null if none is sent. */
  llmApiKey: string | null
  /** API key of the embeddings provider. Null if none is sent. */
  embeddingsApiKey: string | null
  githubApp: ReturnType<typeof githubAppOf>
  admin: ReturnType<typeof adminOf>
}

/** All settings. `<NAME>_FILE` names a file with the value. */
export const SETTING_NAMES = Object.keys({ ...variables, ...clientVariables, ...secretVariables })

/** Names of variables that look like settings. */
export function givenNames(environment: Environment): string[] {
  return Object.keys(environment).filter((name) => /^(?:DOCENT_|DATABASE_URL)/.test(name))
}

/** Validated settings. */
export type Config = {
  host: string
  /** 0 picks a free port. */
  port: number
  /** External address of the service. Null: the address it listens on. */
  publicUrl: string | null
  /** External address of the SDK interface and the widget. Null: that of the service. */
  sdkPublicUrl: string | null
  dataDir: string
  /** Folder of backups. */
  backupDir: string
  database: { engine: 'sqlite'; path: string } | { engine: 'postgres'; url: string }
  /** CIDRs of private networks that may be indexed, unparsed. `net` parses them. */
  allowNetworks: string
  defaultPlan: 'free' | 'core' | 'unlimited'
  /** Prices of plans per month, in US cents. A missing plan has no fixed price. */
  planPrices: Partial<Record<'free' | 'core' | 'unlimited', number>>
  /** Anybody can create an account. */
  signUps: boolean
  role: 'all' | 'web' | 'worker'
  /** Origins allowed to call the MCP endpoints from a browser, besides our own and loopback. `*` allows any. */
  allowedOrigins: string[]
  /** Number of proxies in front of the service that append to X-Forwarded-For. */
  trustedProxies: number
  rateLimits: boolean
  /** Custom tools can be built from a description. */
  customTools: boolean
  /** Number of worker threads that run tools. */
  threads: number
  /** Memory for all parser processes together, in megabytes. */
  readerMemoryMb: number
  /** The browser that renders pages: a path, `off`, or empty to search the folders of `searchPath`. */
  browser: { wanted: string; searchPath: string }
  /** Allows root to start the browser without a sandbox. Other users always get the sandbox. */
  browserWithoutSandbox: boolean
  /** Base URL of GitHub's REST API, without a trailing slash. */
  githubApiUrl: string
  /** The language model that writes answers. Null: answers consist of sentences from the sources. */
  llm: LlmConfig | null
  /** The embedding model for passages and questions, or null. */
  embeddings: EmbeddingsConfig | null
  /** What is removed from the calls of all servers before they are stored. */
  redaction: Redaction
  /** Serves the dashboard, if it is built. */
  dashboard: boolean
  logLevel: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'silent'
}

/**
 * Reads the settings from the environment, or from the file in `<NAME>_FILE`. Throws `ConfigError` with the name of the
 * variable and the expected value.
 */
export function loadConfig(environment: Environment): Config {
  return finish(readVariables(environment, z.object(variables)), environment['PATH'] ?? '')
}

/** Reads the secrets in the same way. Errors do not repeat their values. */
export function loadSecrets(environment: Environment): Secrets {
  const given = readVariables(environment, z.object(secretVariables))
  return {
    secretKeys: given.DOCENT_SECRET_KEY,
    llmApiKey: given.DOCENT_LLM_API_KEY ?? null,
    embeddingsApiKey: given.DOCENT_EMBEDDINGS_API_KEY ?? null,
    githubApp: githubAppOf(given.DOCENT_GITHUB_CLIENT_ID, given.DOCENT_GITHUB_CLIENT_SECRET),
    admin: adminOf(given.DOCENT_ADMIN_EMAIL, given.DOCENT_ADMIN_PASSWORD),
  }
}

/** Reads the settings of a command that talks to a running service, in the same way. */
export function loadClientConfig(environment: Environment): ClientConfig {
  const given = readVariables(environment, z.object({ ...clientVariables, DOCENT_PORT: variables.DOCENT_PORT }))
  return {
    url: given.DOCENT_URL === undefined ? null : withoutSlash(given.DOCENT_URL),
    localUrl: `http://127.0.0.1:${given.DOCENT_PORT}`,
    apiKey: given.DOCENT_API_KEY ?? null,
    accessToken: given.DOCENT_ACCESS_TOKEN ?? null,
    profile: given.DOCENT_PROFILE ?? null,
    configDir: resolve(given.DOCENT_CONFIG_DIR ?? join(findUserFolders(environment).config, 'docent')),
  }
}

export function findUserFolders(environment: Environment): UserFolders {
  // `homedir` reads the variable of the process.
  const home = (process.platform !== 'win32' && environment['HOME']) || homedir()
  const roaming = process.platform === 'win32' ? environment['APPDATA'] : environment['XDG_CONFIG_HOME']
  const usual = process.platform === 'win32' ? join(home, 'AppData', 'Roaming') : join(home, '.config')
  return { home, config: roaming || usual }
}

function finish(given: z.output<z.ZodObject<typeof variables>>, searchPath: string): Config {
  const {
    DOCENT_DATA_DIR,
    DOCENT_ROLE,
    DATABASE_URL,
    DOCENT_HOST,
    DOCENT_PORT,
    DOCENT_PUBLIC_URL,
    DOCENT_SDK_PUBLIC_URL,
    DOCENT_BACKUP_DIR,
    DOCENT_ALLOW_NETWORKS,
    DOCENT_DEFAULT_PLAN,
    DOCENT_PLAN_PRICES,
    DOCENT_SIGNUPS,
    DOCENT_ALLOWED_ORIGINS,
    DOCENT_TRUSTED_PROXIES,
    DOCENT_RATE_LIMITS,
    DOCENT_CUSTOM_TOOLS,
    DOCENT_THREADS,
    DOCENT_READER_MEMORY,
    DOCENT_BROWSER,
    DOCENT_BROWSER_WITHOUT_SANDBOX,
    DOCENT_GITHUB_API_URL,
    DOCENT_REDACT_KINDS,
    DOCENT_REDACT_PATTERNS,
    DOCENT_DASHBOARD,
    DOCENT_LOG_LEVEL,
    ...others
  } = given
  const { DOCENT_LLM_PROVIDER, DOCENT_LLM_BASE_URL, DOCENT_LLM_MODEL, DOCENT_LLM_TIMEOUT, ...rest } = others
  const { DOCENT_LLM_TOKENS_PER_DAY, DOCENT_EMBEDDINGS_BASE_URL, DOCENT_EMBEDDINGS_MODEL, ...unread } = rest
  // A variable that nothing reads does not compile.
  unread satisfies Record<string, never>
  const dataDir = resolve(DOCENT_DATA_DIR)
  if (DOCENT_ROLE !== 'all' && !DATABASE_URL) {
    throw new ConfigError(`DOCENT_ROLE=${DOCENT_ROLE} needs DATABASE_URL: nodes share their work through PostgreSQL.`)
  }
  return {
    host: DOCENT_HOST,
    port: DOCENT_PORT,
    publicUrl: DOCENT_PUBLIC_URL ? withoutSlash(DOCENT_PUBLIC_URL) : null,
    sdkPublicUrl: DOCENT_SDK_PUBLIC_URL ? withoutSlash(DOCENT_SDK_PUBLIC_URL) : null,
    dataDir,
    backupDir: resolve(DOCENT_BACKUP_DIR ?? join(dataDir, 'backups')),
    database: DATABASE_URL
      ? { engine: 'postgres', url: DATABASE_URL }
      : { engine: 'sqlite', path: join(dataDir, 'docent.sqlite') },
    allowNetworks: DOCENT_ALLOW_NETWORKS,
    defaultPlan: DOCENT_DEFAULT_PLAN,
    planPrices: DOCENT_PLAN_PRICES,
    signUps: DOCENT_SIGNUPS,
    role: DOCENT_ROLE,
    allowedOrigins: DOCENT_ALLOWED_ORIGINS.split(/[\s,]+/).filter(Boolean),
    trustedProxies: DOCENT_TRUSTED_PROXIES,
    rateLimits: DOCENT_RATE_LIMITS,
    customTools: DOCENT_CUSTOM_TOOLS,
    threads: DOCENT_THREADS ?? availableParallelism(),
    readerMemoryMb: DOCENT_READER_MEMORY,
    browser: { wanted: DOCENT_BROWSER, searchPath },
    browserWithoutSandbox: DOCENT_BROWSER_WITHOUT_SANDBOX,
    githubApiUrl: withoutSlash(DOCENT_GITHUB_API_URL),
    llm: llmOf({
      DOCENT_LLM_PROVIDER,
      DOCENT_LLM_BASE_URL,
      DOCENT_LLM_MODEL,
      DOCENT_LLM_TIMEOUT,
      DOCENT_LLM_TOKENS_PER_DAY,
    }),
    embeddings: embeddingsOf({ DOCENT_EMBEDDINGS_BASE_URL, DOCENT_EMBEDDINGS_MODEL }),
    redaction: { kinds: DOCENT_REDACT_KINDS, patterns: DOCENT_REDACT_PATTERNS },
    dashboard: DOCENT_DASHBOARD,
    logLevel: DOCENT_LOG_LEVEL,
  }
}

/**
 * Location of the generated credentials key if the settings have none. Null with PostgreSQL: each node that shares a
 * database would create its own file.
 */
export function keyFileOf({ database, dataDir }: Config): string | null {
  return database.engine === 'sqlite' ? join(dataDir, 'secret.key') : null
}
