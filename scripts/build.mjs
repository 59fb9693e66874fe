// Builds what the service runs and sends to browsers, as the launcher does, and indexes the documents, which only
// packages and images contain.
import { join } from 'node:path'
import { indexDocs } from './index-docs.mjs'
import { ensureBuilds } from './launch/builds.mjs'
import { LaunchError, sayStep } from './launch/say.mjs'

try {
  const root = join(import.meta.dirname, '..')
  await ensureBuilds(root, process.execPath)
  await sayStep('Indexing the documents', () => indexDocs(root))
} catch (error) {
  if (!(error instanceof LaunchError)) throw error
  process.stderr.write(`docent: ${error.message}\n`)
  process.exitCode = error.exitCode
}
