import type { Config } from '#config.ts'

/** PostgreSQL's port where DATABASE_URL names none. */
const DEFAULT_PORT = 5432

/**
 * Where the database listens, by name or address; null where it is a file. A URL that leads to a socket's path says
 * nothing of ports, and is taken for this machine, where such a database mostly listens as well.
 */
export function databaseEndpoint(database: Config['database']): { host: string; port: number } | null {
  if (database.engine === 'sqlite') return null
  const url = URL.parse(database.url)
  const host = url?.searchParams.get('host') ?? url?.hostname ?? ''
  const port = url?.searchParams.get('port') ?? url?.port
  const isPath = host === '' || /^(?:\/|%2f)/i.test(host)
  return { host: isPath ? 'localhost' : host.replace(/^\[|\]$/g, ''), port: Number(port || DEFAULT_PORT) }
}
