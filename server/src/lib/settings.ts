import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { ROLE_NAMES } from '@docent/contract/values/permissions'
import { RedactionSchema } from '@docent/contract/values/redaction'
import { parseJson } from './objects.ts'

/** An invalid setting. The message is one sentence for the operator. */
export class ConfigError extends Error {
  override name = 'ConfigError'
}

export type Environment = Readonly<Record<string, string | undefined>>

/** Settings by name: the variable, and the form of its value. */
type Settings = Readonly<Record<string, readonly [variable: string, form: z.ZodType]>>

/** Reads the variable of each setting from the environment, or from the file in `<NAME>_FILE`. */
export function readVariables<S extends Settings>(environment: Environment, settings: S) {
  const problems: string[] = []
  const values = Object.entries(settings).map(([name, [variable, form]]) => {
    const { data, error } = form.safeParse(readVariable(environment, variable))
    problems.push(...(error?.issues ?? []).map(({ message }) => `${variable}: ${message}`))
    return [name, data]
  })
  if (problems.length > 0) throw new ConfigError(`Settings that cannot be used. ${problems.join('. ')}`)
  return Object.fromEntries(values) as { [Name in keyof S]: z.output<S[Name][1]> }
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

/** Packages that run a local model, each by the URL of its main file. */
export type OnnxRuntime = {
  runtime: string
  tokenizers: string
  /** True for native code, which the child process needs permission to load. */
  isNative: boolean
}

/** A model behind an HTTP endpoint, or one in a local folder given by its absolute path. */
export type EmbeddingsConfig =
  | { kind: 'endpoint'; baseUrl: string; model: string }
  /** `runtime`: by default, the packages installed beside Docent. */
  | { kind: 'local'; path: string; runtime?: OnnxRuntime }

export type LlmConfig = {
  provider: 'openai' | 'anthropic'
  /** Without a trailing slash. */
  baseUrl: string
  model: string
  /** Timeout in milliseconds. */
  timeoutMs: number
  /** Tokens per day (UTC) for all servers of one account, prompts and completions together. Null means no limit. */
  tokensPerDay: number | null
}

const PROVIDERS = { openai: 'https://api.openai.com/v1', anthropic: 'https://api.anthropic.com' } as const

type GivenLlm = Pick<LlmConfig, 'provider' | 'timeoutMs' | 'tokensPerDay'> & {
  baseUrl: string | undefined
  model: string | undefined
}

/** The model name enables the language model. */
export function llmOf({ provider, baseUrl, model, ...limits }: GivenLlm): LlmConfig | null {
  if (!model) {
    if (baseUrl) throw new ConfigError('DOCENT_LLM_BASE_URL needs DOCENT_LLM_MODEL: the name of the model there.')
    return null
  }
  const base = baseUrl ?? PROVIDERS[provider]
  // People give the URL with and without the version.
  return { provider, baseUrl: provider === 'anthropic' ? base.replace(/\/v1$/, '') : base, model, ...limits }
}

/** Matches file paths. A provider's model name can contain a slash, but never begins with one. */
const PATH = /^(?:~?\.{0,2}[/\\]|\.{1,2}$|[A-Za-z]:[/\\]|file:)/

/** The model name enables embeddings. A folder without a base URL means a local model. */
export function embeddingsOf(baseUrl: string | undefined, model: string | undefined): EmbeddingsConfig | null {
  if (!model) return null
  const isFile = model.startsWith('file:')
  if (isFile && baseUrl) {
    throw new ConfigError(
      'DOCENT_EMBEDDINGS_MODEL names a folder of this machine, and DOCENT_EMBEDDINGS_BASE_URL another place: leave one out.',
    )
  }
  // A local server can use paths as model names.
  if (baseUrl || !PATH.test(model)) return { kind: 'endpoint', baseUrl: baseUrl ?? PROVIDERS.openai, model }
  return { kind: 'local', path: isFile ? pathOfUrl(model) : resolve(model) }
}

/** `file:///models/e5`, and the common misspelling `file:models/e5`. */
function pathOfUrl(url: string): string {
  if (!url.startsWith('file://')) return resolve(decodeURIComponent(url.slice('file:'.length)))
  try {
    return fileURLToPath(url)
  } catch (cause) {
    throw new ConfigError(`DOCENT_EMBEDDINGS_MODEL is no address of a folder on this machine: ${url}`, { cause })
  }
}

/** An address without slashes at its end. */
export const httpUrl = z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/(?<!\/)\/+$/, ''))

/** Words with spaces or commas between them. */
export const list = z
  .string()
  .default('')
  .transform((text) => text.split(/[\s,]+/).filter(Boolean))

export const secretKeys = list.pipe(z.array(z.string().min(32, 'each key must have at least 32 characters')))

const { kinds, patterns } = RedactionSchema.shape

const splitAt = (separator: RegExp) => (text: unknown) =>
  String(text)
    .split(separator)
    .map((part) => part.trim())
    .filter(Boolean)

/** `email, card`: kinds with the limits of a server's own redaction. */
export const redactedKinds = z.preprocess(splitAt(/[\s,]+/), kinds.unwrap())

/** `ORD-*, project falcon`, or one pattern per line. The limits are those of a server's own redaction. */
export const redactedPatterns = z.preprocess(splitAt(/[,\n]/), patterns.unwrap())

const ProviderSchema = z.strictObject({
  /** Part of the address to which the browser returns. */
  id: z.string().regex(/^[a-z\d-]{1,40}$/),
  /** For the button. */
  name: z.string().trim().min(1).max(60),
  issuer: z.url({ protocol: /^https?$/ }),
  clientId: z.string().min(1),
  clientSecret: z.string().min(1).optional(),
  scope: z.string().default('openid email profile'),
  groupsClaim: z.string().min(1).default('groups'),
  /** Role in the account for the members of a group. */
  roles: z.record(z.string(), z.enum(ROLE_NAMES)).default({}),
  /** Email address of the account to which `roles` applies. By default, the operator's. */
  account: z.email().optional(),
  /** The operator vouches for the addresses of a provider that says of none that it is confirmed. */
  trustAddresses: z.boolean().default(false),
})

/** An OpenID Connect provider with which people sign in. */
export type ProviderSettings = z.output<typeof ProviderSchema>

const LIST_OF_PROVIDERS = 'must be a JSON list of providers, as docs/sign-in.md describes'

/** Providers as a JSON list. Errors name the place, and repeat no value. */
export const signInProviders = z
  .string()
  .default('[]')
  .transform((text, { addIssue }): ProviderSettings[] => {
    const { data, error } = z.array(ProviderSchema).safeParse(parseJson(text))
    const isUnique = data && new Set(data.map(({ id }) => id)).size === data.length
    if (isUnique) return data
    const at = error?.issues[0]?.path.join('.')
    addIssue(data ? 'two providers have the same id' : at ? `${LIST_OF_PROVIDERS}. See ${at}` : LIST_OF_PROVIDERS)
    return z.NEVER
  })

/** `on` or `off`. */
export const onOff = z.enum(['on', 'off']).transform((value) => value === 'on')
const PORT = 'must be a port, 0 to 65535'

/** Folders by server: `handbook=/srv/handbook,api=./docs`. */
export const watchedFolders = z
  .string()
  .default('')
  .transform((text) => text.split(',').flatMap((pair) => (pair.trim() === '' ? [] : pair.trim())))
  .refine((pairs) => pairs.every((pair) => /^[^=]+=./.test(pair)), 'must be server=folder, with commas between them')
  .transform((pairs) => {
    return pairs.map((pair) => ({ server: pair.slice(0, pair.indexOf('=')), path: pair.slice(pair.indexOf('=') + 1) }))
  })

/** `core=29, unlimited=99.50`: dollars a month by plan, as cents. */
export const planPrices = z
  .string()
  .regex(
    /^(?:\s*(?:free|core|unlimited)=\d{1,6}(?:\.\d\d)?\s*(?:,|$))*$/,
    'must be prices in dollars a month, such as core=29, unlimited=99.50',
  )
  .transform((text) => {
    const pairs = text.split(',').flatMap((part) => (part.trim() === '' ? [] : [part.trim().split('=')]))
    return Object.fromEntries(pairs.map(([plan = '', dollars]) => [plan, Math.round(Number(dollars) * 100)]))
  })

/** A TCP port; 0 lets the system choose. */
export const port = z.coerce.number(PORT).int(PORT).min(0, PORT).max(65_535, PORT)

/** Settings that need each other, or null without both. `names` are their variables. */
export function bothOf<Name extends string>(given: Record<Name, string | undefined>, names: string) {
  const values = Object.values(given)
  if (values.every(Boolean)) return given as Record<Name, string>
  if (!values.some(Boolean)) return null
  throw new ConfigError(`${names} need each other: set both or neither.`)
}
