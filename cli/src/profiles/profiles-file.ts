import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { differences } from '@docent/server/lib/operating-system.ts'
import { CommandError } from '../command-error.ts'

/** A stored sign-in to one instance. */
export type Profile = {
  /** Without a trailing slash. */
  url: string
  apiKey: string
  /** Id of a key that the sign-in created, and that signing out revokes. Null for a key that the user gave. */
  keyId: string | null
  email: string | null
}

export type Profiles = { current: string | null; profiles: Readonly<Record<string, Profile>> }

const NAME = 'profiles.json'
/** Permissions for other users of the machine. */
const OF_OTHERS = 0o077

export const profilesPath = (folder: string): string => join(folder, NAME)

/** The stored sign-ins of the folder; none if it has no file. Refuses a file that other users can read. */
export function readProfiles(folder: string): Profiles {
  const path = profilesPath(folder)
  let text
  try {
    const isOpen = differences.hasFileModes && (statSync(path).mode & OF_OTHERS) !== 0
    if (isOpen) throw new CommandError(`Other users can read the API keys in ${path}. Close it with: chmod 600 ${path}`)
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if (isMissing(error)) return { current: null, profiles: {} }
    throw error
  }
  const read = parse(text)
  if (read === null) throw new CommandError(`${path} is damaged. Delete it, and sign in again with: docent login`)
  return read
}

/** Replaces the file at once, so that a crash leaves the old one. Only the user can read it. */
export function writeProfiles(folder: string, profiles: Profiles): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const path = profilesPath(folder)
  const draft = `${path}.${process.pid}`
  try {
    writeFileSync(draft, `${JSON.stringify(profiles, null, 2)}\n`, { mode: 0o600 })
    chmodSync(draft, 0o600)
    renameSync(draft, path)
  } finally {
    rmSync(draft, { force: true })
  }
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')

function parse(text: string): Profiles | null {
  try {
    const read = JSON.parse(text) as Profiles
    const { current, profiles } = read
    const isWhole =
      (current === null || typeof current === 'string') &&
      Object.values(profiles).every(({ url, apiKey }) => typeof url === 'string' && typeof apiKey === 'string')
    return isWhole ? read : null
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return null
    throw error
  }
}
