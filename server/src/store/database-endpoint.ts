import type { Config } from '#config.ts'

/** PostgreSQL's port where DATABASE_URL names none. */
const DEFAULT_PORT = 5432

/** Where the database listens, by name or address; null where it is a file. A socket's path is taken as this machine. */
export function databaseEndpoint(database: Config['database']): { host: string; port: number } | null {
  if (database.engine === 'sqlite') return null
  const { hostname, port } = new URL(database.url)
  return { host: hostname.replace(/^\[|\]$/g, '') || 'localhost', port: Number(port || DEFAULT_PORT) }
}
