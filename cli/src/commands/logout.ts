import { loadClientConfig } from '@docent/server/config.ts'
import { CommandError } from '../command-error.ts'
import { EXIT } from '../exit-codes.ts'
import { readProfiles, writeProfiles } from '../profiles/profiles-file.ts'
import { unknownProfile } from '../profiles/select-instance.ts'
import type { Terminal } from '../terminal.ts'
import { revokeKey } from './login.ts'

/** `docent logout`: deletes a stored sign-in, and revokes the key if signing in created it. */
export async function logOut(terminal: Terminal, wanted: string | undefined): Promise<number> {
  const { configDir, profile: named } = loadClientConfig(terminal.environment)
  const { current, profiles } = readProfiles(configDir)
  const name = wanted ?? named ?? current
  if (name === null) throw new CommandError('There is no stored sign-in.', EXIT.notFound)
  const { [name]: profile, ...rest } = profiles
  if (!profile) throw unknownProfile(name, Object.keys(profiles))
  const isRevoked = await revokeKey(profile)
  const next = current === name ? (Object.keys(rest)[0] ?? null) : current
  writeProfiles(configDir, { current: next, profiles: rest })
  const fate = isRevoked ? 'and its key is revoked' : 'and its key stays valid: revoke it in the account if needed'
  terminal.err(`Signed out of ${profile.url}: the profile “${name}” is deleted, ${fate}.\n`)
  if (next !== null && current === name) terminal.err(`Commands use the profile “${next}” now.\n`)
  return EXIT.ok
}
