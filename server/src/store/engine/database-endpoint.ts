import type { Config } from '#config.ts'

/** PostgreSQL's port if DATABASE_URL names none. */
const DEFAULT_PORT = 5432

/**
 * Host and port of the database, or null for a file. A socket path has no port. It counts as this machine, where such a
 * database usually listens on TCP as well.
 */
export function databaseEndpoint(database: Config['database']): { host: string; port: number } | null {
  if (database.engine === 'sqlite') return null
  const url = URL.parse(database.url)
  const host = url?.searchParams.get('host') ?? url?.hostname ?? ''
  const port = url?.searchParams.get('port') ?? url?.port
  const isPath = host === '' || /^(?:\/|%2f)/i.test(host)
  return { host: isPath ? 'localhost' : host.replace(/^\[|\]$/g, ''), port: Number(port || DEFAULT_PORT) }
}
