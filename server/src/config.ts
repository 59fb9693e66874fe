import { availableParallelism, homedir, totalmem } from 'node:os'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { SYSTEM } from '#lib/operating-system.ts'
import { blobVariables, loadBlobs } from '#lib/blob-settings.ts'
import {
  ConfigError,
  type Environment,
  bothOf,
  embeddingsOf,
  httpUrl,
  list,
  llmOf,
  onOff,
  planPrices,
  port,
  readVariables,
  redactedKinds,
  redactedPatterns,
  secretKeys,
  signInProviders,
  watchedFolders,
} from '#lib/settings.ts'

export { ConfigError }

const postgresUrl = z.string().regex(/^postgres(ql)?:\/\//, 'must start with postgres://')

const megabytes = z.coerce.number('must be megabytes, 192 or more')
const threads = z.coerce.number('must be a number, 1 to 64')
const indexMegabytes = z.coerce.number('must be megabytes, 16 or more')

/** A quarter of the memory that the machine, or the container, has. */
const defaultIndexMemory = () => Math.max(64, Math.floor(memory() / 4_000_000))
/** A container without a limit has 0, or more than the machine. */
const memory = () => Math.min(totalmem(), process.constrainedMemory() || Infinity)

/** The settings of the service by their name in `Config`: the environment variable, and its form with the default. */
const variables = {
  host: ['DOCENT_HOST', z.string().default('127.0.0.1')],
  /** 0 picks a free port. */
  port: ['DOCENT_PORT', port.default(8787)],
  /** External address of the service. Null: the address it listens on. */
  publicUrl: ['DOCENT_PUBLIC_URL', httpUrl.nullish().default(null)],
  /** External address of the SDK interface and the widget. Null: that of the service. */
  sdkPublicUrl: ['DOCENT_SDK_PUBLIC_URL', httpUrl.nullish().default(null)],
  dataDir: ['DOCENT_DATA_DIR', z.string().default('./data')],
  /** Folder of backups, or `s3:` and its name in the bucket. */
  backupDir: ['DOCENT_BACKUP_DIR', z.string().optional()],
  databaseUrl: ['DATABASE_URL', postgresUrl.optional()],
  /** CIDRs of private networks that may be indexed, unparsed. `net` parses them. */
  allowNetworks: ['DOCENT_ALLOW_NETWORKS', z.string().default('')],
  defaultPlan: ['DOCENT_DEFAULT_PLAN', z.enum(['free', 'core', 'unlimited']).default('free')],
  /** Folders that are kept as sources of servers. */
  watch: ['DOCENT_WATCH', watchedFolders],
  /** Prices of plans per month, in US cents. A missing plan has no fixed price. */
  planPrices: ['DOCENT_PLAN_PRICES', planPrices.default({})],
  /** Days for which the audit logs of accounts are kept. */
  auditDays: ['DOCENT_AUDIT_DAYS', z.coerce.number('must be days, 1 to 3650').int().min(1).max(3650).default(400)],
  /** Requests by all keys that publish, delete or issue need an approval, not only those for assistants. */
  approvals: ['DOCENT_APPROVALS', onOff.default(false)],
  signUps: ['DOCENT_SIGNUPS', onOff.default(false)],
  /** Lets people sign in with a password. */
  passwordSignIn: ['DOCENT_PASSWORD_SIGN_IN', onOff.default(true)],
  role: ['DOCENT_ROLE', z.enum(['all', 'web', 'worker']).default('all')],
  /** Origins allowed to call the MCP endpoints from a browser, besides our own and loopback. `*` allows any. */
  allowedOrigins: ['DOCENT_ALLOWED_ORIGINS', list],
  /** Number of proxies in front of the service that append to X-Forwarded-For. */
  trustedProxies: ['DOCENT_TRUSTED_PROXIES', z.coerce.number().int().min(0).max(16).default(0)],
  rateLimits: ['DOCENT_RATE_LIMITS', onOff.default(true)],
  /** Lets people connect clients to their private servers by signing in. */
  oauth: ['DOCENT_OAUTH', onOff.default(true)],
  /** Tells clients that they may be known by a metadata document, which the service fetches from the internet. */
  oauthDocuments: ['DOCENT_OAUTH_DOCUMENTS', onOff.default(true)],
  /** Lets people connect clients to the endpoint of their whole account, too. */
  oauthAccount: ['DOCENT_OAUTH_ACCOUNT', onOff.default(false)],
  customTools: ['DOCENT_CUSTOM_TOOLS', onOff.default(true)],
  githubApiUrl: ['DOCENT_GITHUB_API_URL', httpUrl.default('https://api.github.com')],
  llmProvider: ['DOCENT_LLM_PROVIDER', z.enum(['openai', 'anthropic']).default('openai')],
  llmBaseUrl: ['DOCENT_LLM_BASE_URL', httpUrl.optional()],
  llmModel: ['DOCENT_LLM_MODEL', z.string().optional()],
  llmTimeout: ['DOCENT_LLM_TIMEOUT', z.coerce.number('must be seconds, 1 to 300').min(1).max(300).default(40)],
  llmTokens: ['DOCENT_LLM_TOKENS_PER_DAY', z.coerce.number('must be a number of tokens').int().min(1).optional()],
  /** Memory for all parser processes together, in megabytes. */
  readerMemoryMb: ['DOCENT_READER_MEMORY', megabytes.int().min(192).default(320)],
  /** Memory for the indexes that are searched, in megabytes. */
  indexMemoryMb: ['DOCENT_INDEX_MEMORY', indexMegabytes.int().min(16).default(defaultIndexMemory)],
  browser: ['DOCENT_BROWSER', z.string().default('')],
  /** Allows root to start the browser without a sandbox. Other users always get the sandbox. */
  browserWithoutSandbox: ['DOCENT_BROWSER_WITHOUT_SANDBOX', onOff.default(false)],
  embeddingsBaseUrl: ['DOCENT_EMBEDDINGS_BASE_URL', httpUrl.optional()],
  embeddingsModel: ['DOCENT_EMBEDDINGS_MODEL', z.string().optional()],
  redactKinds: ['DOCENT_REDACT_KINDS', redactedKinds.default([])],
  redactPatterns: ['DOCENT_REDACT_PATTERNS', redactedPatterns.default([])],
  dashboard: ['DOCENT_DASHBOARD', onOff.default(true)],
  /** Id of the configuration of the widget on the pages of the documentation. */
  documentsWidget: [
    'DOCENT_DOCS_WIDGET',
    z
      .string()
      .regex(/^cfg_\w{1,40}$/, 'must be an id such as cfg_…')
      .nullish()
      .default(null),
  ],
  threads: ['DOCENT_THREADS', threads.int().min(1).max(64).default(availableParallelism)],
  /** Port of the metrics. Null: they have none of their own. 0 picks a free one. */
  metricsPort: ['DOCENT_METRICS_PORT', port.nullish().default(null)],
  /** Base address of a collector of traces (OTLP over HTTP). Null: there are no traces. */
  tracesUrl: ['DOCENT_TRACES_URL', httpUrl.nullish().default(null)],
  tracesShare: ['DOCENT_TRACES_SHARE', z.coerce.number('must be 0 to 1').min(0).max(1).default(1)],
  logLevel: ['DOCENT_LOG_LEVEL', z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info')],
} as const

/** Settings of commands that talk to a running service. */
const clientVariables = {
  url: ['DOCENT_URL', httpUrl.nullish().default(null)],
  apiKey: ['DOCENT_API_KEY', z.string().nullish().default(null)],
  accessToken: ['DOCENT_ACCESS_TOKEN', z.string().nullish().default(null)],
  profile: ['DOCENT_PROFILE', z.string().nullish().default(null)],
  configDir: ['DOCENT_CONFIG_DIR', z.string().optional()],
} as const

/** Separate from the other settings, so that secrets reach only their users and never a log. */
const secretVariables = {
  /** Keys for credentials at rest: the encryption key first, then older keys for decryption. */
  secretKeys: ['DOCENT_SECRET_KEY', secretKeys],
  /** API keys of the providers of models. Null if none is sent. */
  llmApiKey: ['DOCENT_LLM_API_KEY', z.string().nullish().default(null)],
  embeddingsApiKey: ['DOCENT_EMBEDDINGS_API_KEY', z.string().nullish().default(null)],
  /** OpenID Connect providers with which people sign in. */
  signInProviders: ['DOCENT_SIGN_IN_PROVIDERS', signInProviders],
  /** Opens the metrics at the address of the service. */
  metricsToken: [
    'DOCENT_METRICS_TOKEN',
    z.string().min(16, 'must have at least 16 characters').nullish().default(null),
  ],
  clientId: ['DOCENT_GITHUB_CLIENT_ID', z.string().optional()],
  clientSecret: ['DOCENT_GITHUB_CLIENT_SECRET', z.string().optional()],
  email: ['DOCENT_ADMIN_EMAIL', z.string().optional()],
  password: ['DOCENT_ADMIN_PASSWORD', z.string().optional()],
} as const

/** The variables of all settings. `<NAME>_FILE` names a file with the value. */
export const SETTING_NAMES = [variables, blobVariables, clientVariables, secretVariables].flatMap((table) =>
  Object.values(table).map(([name]): string => name),
)

/** Names of variables that look like settings. */
export function givenNames(environment: Environment): string[] {
  return Object.keys(environment).filter((name) => /^(?:DOCENT_|DATABASE_URL)/.test(name))
}

/** Validated settings. URLs have no slash at their end. */
export type Config = ReturnType<typeof loadConfig>

type Database = { engine: 'sqlite'; path: string } | { engine: 'postgres'; url: string }

/** Reads the settings from the environment, or the files in `<NAME>_FILE`. Throws `ConfigError`. */
export function loadConfig(environment: Environment) {
  const { databaseUrl, browser, redactKinds, redactPatterns, ...given } = readVariables(environment, variables)
  const { llmProvider, llmBaseUrl, llmModel, llmTimeout, llmTokens, ...others } = given
  const { embeddingsBaseUrl, embeddingsModel, ...settings } = others
  const { role, backupDir } = settings
  const dataDir = resolve(settings.dataDir)
  const llmLimits = { timeoutMs: llmTimeout * 1000, tokensPerDay: llmTokens ?? null }
  if (role !== 'all' && !databaseUrl) {
    throw new ConfigError(`DOCENT_ROLE=${role} needs DATABASE_URL: nodes share their work through PostgreSQL.`)
  }
  const database: Database = databaseUrl
    ? { engine: 'postgres', url: databaseUrl }
    : { engine: 'sqlite', path: join(dataDir, 'docent.sqlite') }
  return {
    ...settings,
    oauthAccount: settings.oauth && settings.oauthAccount,
    dataDir,
    backupDir: backupDir?.startsWith('s3:') ? backupDir : resolve(backupDir ?? join(dataDir, 'backups')),
    database,
    blobs: loadBlobs(environment, dataDir),
    /** The browser that renders pages: a path, `off`, or empty to search the folders of `searchPath`. */
    browser: { wanted: browser, searchPath: environment['PATH'] ?? '' },
    /** The language model that writes answers. Null: answers consist of sentences from the sources. */
    llm: llmOf({ provider: llmProvider, baseUrl: llmBaseUrl, model: llmModel, ...llmLimits }),
    embeddings: embeddingsOf(embeddingsBaseUrl, embeddingsModel),
    /** What is removed from the calls of all servers before they are stored. */
    redaction: { kinds: redactKinds, patterns: redactPatterns },
  }
}

export type Secrets = ReturnType<typeof loadSecrets>

/** Reads the secrets in the same way. Errors do not repeat their values. */
export function loadSecrets(environment: Environment) {
  const { passwordSignIn } = variables
  const given = readVariables(environment, { ...secretVariables, passwordSignIn })
  const { clientId, clientSecret, email, password, passwordSignIn: hasPasswords, ...secrets } = given
  if (!hasPasswords && secrets.signInProviders.length === 0)
    throw new ConfigError('DOCENT_PASSWORD_SIGN_IN=off needs DOCENT_SIGN_IN_PROVIDERS: nobody could sign in.')
  return {
    ...secrets,
    /** The operator's GitHub app for linking accounts, or null. */
    githubApp: bothOf({ clientId, clientSecret }, 'DOCENT_GITHUB_CLIENT_ID and DOCENT_GITHUB_CLIENT_SECRET'),
    /** Operator to create on an instance without accounts, or null. */
    admin: bothOf({ email, password }, 'DOCENT_ADMIN_EMAIL and DOCENT_ADMIN_PASSWORD'),
  }
}

export type ClientConfig = ReturnType<typeof loadClientConfig>

/** Reads the settings of a command that talks to a running service, in the same way. */
export function loadClientConfig(environment: Environment) {
  const given = readVariables(environment, { ...clientVariables, port: variables.port })
  const { port: localPort, configDir, ...settings } = given
  return {
    ...settings,
    /** The service on this machine. */
    localUrl: `http://127.0.0.1:${localPort}`,
    configDir: resolve(configDir ?? join(findUserFolders(environment).config, 'docent')),
  }
}

export type UserFolders = ReturnType<typeof findUserFolders>

/** `config` is `%APPDATA%` on Windows, elsewhere that of the XDG Base Directory Specification. */
export function findUserFolders(environment: Environment) {
  const isWindows = SYSTEM === 'win32'
  // `homedir` reads the variable of the process.
  const home = (!isWindows && environment['HOME']) || homedir()
  const roaming = isWindows ? environment['APPDATA'] : environment['XDG_CONFIG_HOME']
  const usual = isWindows ? join(home, 'AppData', 'Roaming') : join(home, '.config')
  return { home, config: roaming || usual }
}

/** Location of the generated credentials key. Null with PostgreSQL, where each node would create its own. */
export function keyFileOf({ database, dataDir }: Config): string | null {
  return database.engine === 'sqlite' ? join(dataDir, 'secret.key') : null
}
