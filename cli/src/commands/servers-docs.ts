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
  const folder = fileURLToPath(new URL('docs/', ROOT))
  const code = await uploadSources(terminal, { ...options, server: id, paths: [folder], name: 'docs' })
  terminal.out(`${(await api.getServer(id)).url}\n`)
  return code
}
