import { cp, mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ROOT } from '@docent/server/lib/place.ts'
import { connectConfigured } from '../connect-configured.ts'
import type { Terminal } from '../terminal.ts'
import { uploadSources } from './sources-upload.ts'

/** `server` is one that an earlier call has made, or null for a new one. */
type Wanted = { server: string | null; wait: boolean; profile?: string }

/** `docent servers docs`: makes a server of the documents of this version of Docent, or sends them to it again. */
export async function serveDocuments(terminal: Terminal, { server, ...options }: Wanted): Promise<number> {
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
