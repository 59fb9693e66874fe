// Builds what the service sends to browsers, for installations without the launcher, which does the same.
import { join } from 'node:path'
import { ensureBuilds } from './launch/builds.mjs'
import { LaunchError } from './launch/say.mjs'

try {
  await ensureBuilds(join(import.meta.dirname, '..'), process.execPath)
} catch (error) {
  if (!(error instanceof LaunchError)) throw error
  process.stderr.write(`docent: ${error.message}\n`)
  process.exitCode = error.exitCode
}
