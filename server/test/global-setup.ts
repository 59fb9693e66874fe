import type { TestProject } from 'vitest/node'
import { startPostgres } from './throw-away-postgres.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Address of the PostgreSQL of this run, or empty where the machine has none. */
    postgresUrl: string
  }
}

/** One PostgreSQL for the whole run; every suite makes a database of its own in it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const postgres = await startPostgres()
  if (!postgres) {
    process.stderr.write(
      '\nSKIPPED: no PostgreSQL binaries on this machine; nothing runs on PostgreSQL in this run.\n\n',
    )
  }
  project.provide('postgresUrl', postgres?.url ?? '')
  return async () => postgres?.stop()
}
