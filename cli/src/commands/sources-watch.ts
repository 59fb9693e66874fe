import { catchStop } from '../catch-stop.ts'
import { connectConfigured } from '../connect-configured.ts'
import { EXIT } from '../exit-codes.ts'
import { keepSent } from '../local/keep-sent.ts'
import type { Terminal } from '../terminal.ts'
import { asAnnounced } from './sources-upload.ts'

type Wanted = { server: string; path: string; name: string | null; profile?: string }

/** `docent sources watch`: keeps a file or folder as a source of one server, and sends it again after each change. */
export async function watchFolder(terminal: Terminal, { server, path, name, profile }: Wanted): Promise<number> {
  const api = connectConfigured(terminal, profile)
  using stop = catchStop(terminal)
  await keepSent(
    {
      path,
      from: terminal.folder,
      async send(upload) {
        const [named = upload] = name === null ? await asAnnounced(api, server, [upload]) : [{ ...upload, name }]
        await api.upload(server, named)
        terminal.out(`${new Date().toLocaleTimeString()}  sent ${named.name}\n`)
      },
      onProblem: (problem) => terminal.err(`${problem}\n`),
    },
    stop.signal,
  )
  return EXIT.ok
}
