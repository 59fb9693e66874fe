import type { TestProject } from 'vitest/node'
import { ensureBuilds } from '../../../../scripts/launch/builds.mjs'
import { type Templates, makeTemplates } from './templates.ts'
import { startPostgres } from './throw-away-postgres.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** URL of this run's PostgreSQL; empty if the machine has none. */
    postgresUrl: string
    /** What the databases of suites are copied from. */
    templates: Templates
    /** True for `npm run test:long`, which runs every test on both engines. */
    isLong: boolean
  }
}

/** The build, and one PostgreSQL for the whole run; every suite creates its own database in it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await ensureBuilds(project.config.root, process.execPath)
  const postgres = await startPostgres()
  if (!postgres) {
    process.stderr.write(
      '\nSKIPPED: no PostgreSQL binaries on this machine; nothing runs on PostgreSQL in this run.\n\n',
    )
  }
  project.provide('postgresUrl', postgres?.url ?? '')
  const made = await makeTemplates(postgres?.url)
  project.provide('templates', made.templates)
  return async () => {
    made[Symbol.dispose]()
    await postgres?.stop()
  }
}
