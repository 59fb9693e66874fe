import { existsSync } from 'node:fs'
import { cp, mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ROOT } from '@docent/server/lib/place.ts'
import { catchStop } from '../catch-stop.ts'
import { importServer } from '../client/server-files.ts'
import { watchSources } from '../client/watch-sources.ts'
import { explainFailure } from '../client/explain-failure.ts'
import { connectConfigured } from '../connect-configured.ts'
import { EXIT } from '../exit-codes.ts'
import { openClient } from '../open-client.ts'
import { selectSignedIn } from '../profiles/select-instance.ts'
import type { Terminal } from '../terminal.ts'
import { uploadSources } from './sources-upload.ts'

/** `server` is one that an earlier call has made, or null for a new one. */
type Wanted = { server: string | null; wait: boolean; profile?: string }

/** The file of a server of these documents. `npm run build` writes it (`scripts/index-docs.mjs`); a checkout has none. */
const INDEXED = new URL('dist/docs-server.docent.gz', ROOT)

/**
 * `docent servers docs`: makes a server of the documents of this version of Docent, or sends them to it again. A built
 * copy has them indexed already.
 */
export async function serveDocuments(terminal: Terminal, { server, ...options }: Wanted): Promise<number> {
  if (server === null && existsSync(INDEXED)) return importDocuments(terminal, options)
  const api = connectConfigured(terminal, options.profile)
  const id = server ?? (await api.createServer({ name: 'Docs', sources: [], uploads: ['docs'] })).slug
  // The description of the API stays behind: it repeats `api.md`, and its 140 operations crowd out guides.
  await using temporary = await mkdtempDisposable(join(tmpdir(), 'docent-docs-'))
  const folder = join(temporary.path, 'docs')
  await cp(fileURLToPath(new URL('docs', ROOT)), folder, { recursive: true, filter: (path) => !path.endsWith('.json') })
  const code = await uploadSources(terminal, { ...options, server: id, paths: [folder], name: 'docs' })
  terminal.out(`${(await api.getServer(id)).url}\n`)
  return code
}

async function importDocuments(terminal: Terminal, { wait, profile }: Omit<Wanted, 'server'>): Promise<number> {
  const instance = selectSignedIn(terminal, profile)
  const client = openClient(instance)
  using stop = catchStop(terminal)
  try {
    const { lines = [], indexing } = await importServer(client, fileURLToPath(INDEXED), true)
    if (wait && indexing) await watchSources(terminal, client, { ...indexing, asJson: false, signal: stop.signal })
    for (const line of lines) terminal.out(`${line}\n`)
    return EXIT.ok
  } catch (error) {
    if (stop.signal.aborted) return EXIT.interrupted
    throw explainFailure(instance.url, error)
  }
}
