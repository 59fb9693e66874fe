import { runCli } from '../../../../cli/src/run-cli.ts'
import { spawnCli } from '../../../../cli/src/spawn-cli.ts'
import type { Place } from './engines.ts'

/** Runs a command on the store of a place to its end, in a separate process beside a service in this one. */
export async function runOn(
  args: string[],
  { database, dataDir }: Pick<Place, 'database' | 'dataDir'>,
  { isSeparate = false, environment = {} }: { isSeparate?: boolean; environment?: Record<string, string> } = {},
) {
  const url = database.engine === 'postgres' ? { DATABASE_URL: database.url } : {}
  const run = (isSeparate ? spawnCli : runCli)(args, { env: { DOCENT_DATA_DIR: dataDir, ...url, ...environment } })
  return { code: await run.ended, stdout: run.stdout, stderr: run.stderr }
}

/** Makes a backup and returns its path. */
export async function backUp(place: Place, ...options: string[]): Promise<string> {
  const { code, stdout, stderr } = await runOn(['backup', 'create', ...options], place)
  if (code !== 0) throw new Error(stderr)
  return stdout.trim()
}
