import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { z } from 'zod'

/** What the operator got wrong in the settings, in one sentence. */
export class ConfigError extends Error {
  override name = 'ConfigError'
}

const onOff = z.enum(['on', 'off']).transform((value) => value === 'on')
const port = z.coerce.number().int().min(0).max(65_535)

/** Every variable that the service reads, with its default: the first of two steps. */
const variables = {
  DOCENT_HOST: z.string().default('127.0.0.1'),
  DOCENT_PORT: port.default(8787),
  DOCENT_PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
  DOCENT_DATA_DIR: z.string().default('./data'),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must start with postgres://')
    .optional(),
  DOCENT_ALLOW_NETWORKS: z.string().default(''),
  DOCENT_DEFAULT_PLAN: z.enum(['free', 'core', 'unlimited']).default('free'),
  DOCENT_ROLE: z.enum(['all', 'web', 'worker']).default('all'),
  DOCENT_ALLOWED_ORIGINS: z.string().default(''),
  DOCENT_TRUSTED_PROXIES: z.coerce.number().int().min(0).max(16).default(0),
  DOCENT_RATE_LIMITS: onOff.default(true),
  DOCENT_LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
} as const

type Environment = Readonly<Record<string, string | undefined>>

/** Finished, checked settings. */
export type Config = {
  host: string
  /** 0 picks a free one. */
  port: number
  /** Where clients reach the service from outside; null: the address that it listens on. */
  publicUrl: string | null
  dataDir: string
  database: { engine: 'sqlite'; path: string } | { engine: 'postgres'; url: string }
  /** CIDRs of private networks that may be indexed, as given; `net` parses them. */
  allowNetworks: string
  defaultPlan: 'free' | 'core' | 'unlimited'
  role: 'all' | 'web' | 'worker'
  /** Origins beside our own and loopback that may call the MCP endpoints from a browser; `*` for any. */
  allowedOrigins: string[]
  /** How many proxies in front of the service append to X-Forwarded-For. */
  trustedProxies: number
  rateLimits: boolean
  logLevel: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'silent'
}

/**
 * Reads the settings from the environment, each also from the file that `<NAME>_FILE` names.
 * Throws `ConfigError` naming the variable and what it must be.
 */
export function loadConfig(environment: Environment = process.env): Config {
  const raw = Object.fromEntries(Object.keys(variables).map((name) => [name, readVariable(environment, name)]))
  const parsed = z.object(variables).safeParse(raw)
  if (!parsed.success) {
    const problems = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`)
    throw new ConfigError(`Settings that cannot be used. ${problems.join('. ')}`)
  }
  return finish(parsed.data)
}

function readVariable(environment: Environment, name: string): string | undefined {
  const file = environment[`${name}_FILE`]
  if (!file) return environment[name] || undefined
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (cause) {
    throw new ConfigError(`${name}_FILE names a file that cannot be read: ${file}`, { cause })
  }
}

function finish(given: z.output<z.ZodObject<typeof variables>>): Config {
  const dataDir = resolve(given.DOCENT_DATA_DIR)
  if (given.DOCENT_ROLE !== 'all' && !given.DATABASE_URL) {
    throw new ConfigError(
      `DOCENT_ROLE=${given.DOCENT_ROLE} needs DATABASE_URL: nodes share their work through PostgreSQL.`,
    )
  }
  return {
    host: given.DOCENT_HOST,
    port: given.DOCENT_PORT,
    publicUrl: given.DOCENT_PUBLIC_URL?.replace(/\/+$/, '') ?? null,
    dataDir,
    database: given.DATABASE_URL
      ? { engine: 'postgres', url: given.DATABASE_URL }
      : { engine: 'sqlite', path: join(dataDir, 'docent.sqlite') },
    allowNetworks: given.DOCENT_ALLOW_NETWORKS,
    defaultPlan: given.DOCENT_DEFAULT_PLAN,
    role: given.DOCENT_ROLE,
    allowedOrigins: given.DOCENT_ALLOWED_ORIGINS.split(/[\s,]+/).filter(Boolean),
    trustedProxies: given.DOCENT_TRUSTED_PROXIES,
    rateLimits: given.DOCENT_RATE_LIMITS,
    logLevel: given.DOCENT_LOG_LEVEL,
  }
}
