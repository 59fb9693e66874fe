import { loadClientConfig } from '@docent/server/config.ts'
import { EXIT } from '../exit-codes.ts'
import { readProfiles, writeProfiles } from '../profiles/profiles-file.ts'
import { unknownProfile } from '../profiles/select-instance.ts'
import type { Terminal } from '../terminal.ts'
import { writeTable } from '../write-table.ts'

/** `docent profiles list`: the stored sign-ins, without their keys. */
export function listProfiles(terminal: Terminal, { asJson }: { asJson: boolean }): number {
  const { current, profiles } = readProfiles(loadClientConfig(terminal.environment).configDir)
  const rows = Object.entries(profiles).map(([name, { url, email }]) => ({
    name,
    url,
    email,
    isCurrent: name === current,
  }))
  if (asJson) terminal.out(`${JSON.stringify(rows, null, 2)}\n`)
  else if (rows.length === 0) terminal.err('There is no stored sign-in yet. Sign in with: docent login\n')
  else {
    const cells = rows.map(({ name, url, email, isCurrent }) => [name, isCurrent ? 'yes' : '', url, email ?? ''])
    writeTable(terminal, [['profile', 'current', 'service', 'account'], ...cells])
  }
  return EXIT.ok
}

/** `docent profiles use NAME`: makes a stored sign-in the current one. */
export function useProfile(terminal: Terminal, name: string): number {
  const { configDir } = loadClientConfig(terminal.environment)
  const { profiles } = readProfiles(configDir)
  const profile = profiles[name]
  if (!profile) throw unknownProfile(name, Object.keys(profiles))
  writeProfiles(configDir, { current: name, profiles })
  terminal.err(`Commands use ${profile.url} now, with the profile “${name}”.\n`)
  return EXIT.ok
}
