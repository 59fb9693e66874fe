import { hostname } from 'node:os'
import { loadClientConfig } from '@docent/server/config.ts'
import type { DocentClient } from '@docent/sdk'
import { DocentApiError } from '@docent/sdk/error'
import { explainFailure } from '../client/explain-failure.ts'
import { CommandError } from '../command-error.ts'
import { EXIT } from '../exit-codes.ts'
import { fetchAsDocent, openClient } from '../open-client.ts'
import { type Profile, profilesPath, readProfiles, writeProfiles } from '../profiles/profiles-file.ts'
import { askLine, readSecret } from '../read-secret.ts'
import type { Terminal } from '../terminal.ts'

export type LoginOptions = {
  url?: string
  profile?: string
  email?: string
  passwordStdin?: boolean
  keyStdin?: boolean
}

/** `docent login`: stores an API key for the commands, a new one for a password, or the one that is given. */
export async function logIn(terminal: Terminal, options: LoginOptions): Promise<number> {
  const config = loadClientConfig(terminal.environment)
  const { email: given, passwordStdin = false, keyStdin = false } = options
  if (given === undefined && passwordStdin) {
    throw new CommandError('Give the address of the account with --email.', EXIT.usage)
  }
  if (given !== undefined && keyStdin) throw new CommandError('Give --email or --key-stdin, not both.', EXIT.usage)
  const url = readAddress(options.url ?? (await askAddress(terminal, config.url ?? config.localUrl)))
  warnIfReadable(terminal, url)
  const email = given ?? (keyStdin ? '' : await askEmail(terminal))
  let profile: Profile
  try {
    if (email === '') {
      const apiKey = await readSecret(terminal, { name: 'API key', option: '--key-stdin', fromStdin: keyStdin })
      profile = await checkKey(url, apiKey.trim())
    } else {
      const fromStdin = passwordStdin
      const password = await readSecret(terminal, { name: 'password', option: '--password-stdin', fromStdin })
      profile = await createKey(url, { email, password })
    }
  } catch (error) {
    if (error instanceof DocentApiError && error.code === null) throw notDocent(url, error)
    throw explainFailure(url, error)
  }
  await store(terminal, config.configDir, { name: options.profile ?? new URL(url).host, profile })
  return EXIT.ok
}

type Named = { name: string; profile: Profile }

async function store({ err }: Terminal, folder: string, { name, profile }: Named): Promise<void> {
  const { profiles } = readProfiles(folder)
  writeProfiles(folder, { current: name, profiles: { ...profiles, [name]: profile } })
  const who = profile.email === null ? 'with the API key' : `as ${profile.email}`
  err(`Signed in to ${profile.url} ${who}. The key is in ${profilesPath(folder)}, as the profile “${name}”.\n`)
  const before = profiles[name]
  if (before?.keyId && before.keyId !== profile.keyId) await revokeKey(before)
}

/** Revokes a key that an earlier sign-in created. A service that is away keeps it, and its account can revoke it. */
export async function revokeKey({ url, apiKey, keyId }: Profile): Promise<boolean> {
  if (keyId === null) return false
  try {
    await openClient({ url, apiKey }, { retries: 0 }).keys.revoke({ keyId })
    return true
  } catch (error) {
    if (error instanceof DocentApiError || error instanceof TypeError) return false
    throw error
  }
}

/** An API key made with the password. The session that makes it ends at once. */
async function createKey(url: string, sent: { email: string; password: string }): Promise<Profile> {
  const client = openClient({ url, apiKey: null }, { fetch: fetchAsBrowser(url), retries: 0 })
  const { account } = await client.sessions.create(sent)
  const { plaintext, id } = await client.keys.create({ name: `docent login on ${hostname()}`.slice(0, 100) })
  await client.sessions.end({})
  return { url, apiKey: plaintext, keyId: id, email: account.email }
}

async function checkKey(url: string, apiKey: string): Promise<Profile> {
  if (apiKey === '') throw new CommandError('An API key is needed, such as dk_live_….', EXIT.usage)
  const client = openClient({ url, apiKey }, { retries: 0 })
  const { key } = await client.account.entitlements()
  return { url, apiKey, keyId: null, email: key.scope === 'account' ? await readEmail(client) : null }
}

async function readEmail(client: DocentClient): Promise<string> {
  return (await client.sessions.list()).account.email
}

/** Keeps the cookie of the session, and names the service as the sender, as pages of the dashboard do. */
function fetchAsBrowser(url: string): typeof fetch {
  let cookie = ''
  return async (input, init) => {
    const headers = new Headers(init?.headers)
    headers.set('origin', new URL(url).origin)
    if (cookie) headers.set('cookie', cookie)
    const response = await fetchAsDocent(input, { ...init, headers })
    const [set] = response.headers.getSetCookie()
    if (set !== undefined) cookie = set.split(';')[0] ?? ''
    return response
  }
}

async function askAddress(terminal: Terminal, usual: string): Promise<string> {
  if (!terminal.isInteractive) throw new CommandError('Give the address of the service: docent login URL', EXIT.usage)
  return (await askLine(terminal, `Address of the service (${usual}): `)) || usual
}

async function askEmail(terminal: Terminal): Promise<string> {
  if (terminal.isInteractive) return askLine(terminal, 'Email address (leave it empty to give an API key): ')
  const how = 'Give an API key with --key-stdin, or sign in with --email and --password-stdin.'
  throw new CommandError(`There is no terminal to ask on. ${how}`, EXIT.usage)
}

/** `docs.example.org` is an https address, and `localhost:8787` an http one. */
export function readAddress(text: string): string {
  const isLocal = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::|\/|$)/.test(text)
  const full = /^[a-z]+:\/\//i.test(text) ? text : `${isLocal ? 'http' : 'https'}://${text}`
  const url = URL.parse(full)
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.search || url.hash) {
    throw new CommandError(`“${text}” is not the address of a service, such as https://docent.example.org.`, EXIT.usage)
  }
  return url.href.replace(/(?<!\/)\/+$/, '')
}

function warnIfReadable({ err, colors }: Terminal, url: string): void {
  const { protocol, hostname: host } = new URL(url)
  if (protocol === 'https:' || /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(host)) return
  err(`${colors.yellow('warning')}  ${url} is not encrypted: others on the network can read what you send.\n`)
}

function notDocent(url: string, { status }: DocentApiError): CommandError {
  return new CommandError(`${url} answered ${status}, and not as Docent does. Is this the address of the service?`)
}
