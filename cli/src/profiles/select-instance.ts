import { loadClientConfig } from '@docent/server/config.ts'
import { CommandError } from '../command-error.ts'
import { EXIT } from '../exit-codes.ts'
import type { Terminal } from '../terminal.ts'
import { type Profile, readProfiles } from './profiles-file.ts'

/** The running service that a command uses. */
export type Instance = {
  /** Without a trailing slash. */
  url: string
  /** Null without a sign-in. */
  apiKey: string | null
  /** Access token of a private server, from the environment. */
  accessToken: string | null
  /** Name of the stored sign-in with this address and key; null if the environment gave them. */
  profile: string | null
  email: string | null
}

type Asking = Pick<Terminal, 'environment'>

export const NO_KEY = 'Sign in with “docent login”, or set DOCENT_API_KEY to an API key of the account.'

/**
 * `--profile` first, then the environment, then the current profile. A stored key goes to its own address only, so
 * `DOCENT_URL` alone selects the stored sign-in for that address.
 */
export function selectInstance({ environment }: Asking, wanted: string | undefined): Instance {
  const config = loadClientConfig(environment)
  const { url, apiKey, accessToken, localUrl, configDir } = config
  const given = { accessToken, profile: null, email: null }
  if (wanted === undefined && apiKey !== null) return { ...given, url: url ?? localUrl, apiKey }
  const stored = readProfiles(configDir)
  const use = (name: string, { url: at, apiKey: key, email }: Profile): Instance => {
    return { url: at, apiKey: key, accessToken, profile: name, email }
  }
  const name = wanted ?? config.profile
  if (name !== null) {
    const profile = stored.profiles[name]
    if (!profile) throw unknownProfile(name, Object.keys(stored.profiles))
    return use(name, profile)
  }
  const current = stored.current === null ? undefined : stored.profiles[stored.current]
  if (url === null) {
    if (current && stored.current !== null) return use(stored.current, current)
    return { ...given, url: localUrl, apiKey: null }
  }
  // The current profile first: several accounts can have a profile at one address.
  if (current && stored.current !== null && current.url === url) return use(stored.current, current)
  const [found] = Object.entries(stored.profiles).filter(([, profile]) => profile.url === url)
  return found ? use(...found) : { ...given, url, apiKey: null }
}

/** The same with a key. Throws `CommandError` without one. */
export function selectSignedIn(asking: Asking, wanted: string | undefined): Instance & { apiKey: string } {
  const { apiKey, ...instance } = selectInstance(asking, wanted)
  if (!apiKey) throw new CommandError(NO_KEY, EXIT.signIn)
  return { ...instance, apiKey }
}

export function unknownProfile(name: string, known: readonly string[]): CommandError {
  const list = known.length === 0 ? 'Sign in with: docent login' : `Known are: ${known.join(', ')}.`
  return new CommandError(`There is no profile “${name}”. ${list}`, EXIT.notFound)
}
