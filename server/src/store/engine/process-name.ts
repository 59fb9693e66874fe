import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { VERSION } from '#version.ts'

/** First word of the name that each process gives its connections. */
export const APPLICATION = 'docent'

/** PostgreSQL cuts longer names (NAMEDATALEN - 1). */
const MAX_LENGTH = 63

/** A process of Docent, parsed from the name of its connection. */
export type NamedProcess = { id: string; role: string; version: string; host: string }

/** A new name for a process: an id, its role, its version and its machine. PostgreSQL allows ASCII only. */
export function nameProcess(role: string): string {
  const id = randomBytes(4).toString('hex')
  const host = hostname().replaceAll(/[^\w.-]/g, '-')
  return `${APPLICATION} ${id} ${role} ${VERSION} ${host}`.slice(0, MAX_LENGTH)
}

/** Reads a name. Null for the name of another program. */
export function readProcessName(name: string): NamedProcess | null {
  const [application, id, role, version, host = ''] = name.split(' ')
  return application === APPLICATION && id && role && version ? { id, role, version, host } : null
}
