import { catchStop } from '../catch-stop.ts'
import { CommandError } from '../command-error.ts'
import { connectConfigured } from '../connect-configured.ts'
import { EXIT } from '../exit-codes.ts'
import { type LocalUpload, nameWithExtension, readLocal } from '../local/read-local.ts'
import type { Terminal } from '../terminal.ts'
import { describeLeft, describeSkipped } from '../try/describe-source.ts'
import type { DocentApi } from '../try/docent-api.ts'
import { watchIndexing } from '../try/watch-indexing.ts'

type Wanted = { server: string; paths: string[]; name: string | null; wait: boolean; profile?: string }

/** `docent sources upload`: sends files and folders to a running service as sources of one server. */
export async function uploadSources(terminal: Terminal, wanted: Wanted): Promise<number> {
  const { server, paths, name, wait, profile } = wanted
  const api = connectConfigured(terminal, profile)
  if (name !== null && paths.length > 1) {
    throw new CommandError('One name is for one path. Leave --name out, and each is called as it is here.', EXIT.usage)
  }
  using stop = catchStop(terminal)
  const read = await readLocal(paths, terminal.folder)
  const uploads = name === null ? await asAnnounced(api, server, read) : read.map((one) => ({ ...one, name }))
  const sourceIds = await sendAll(api, server, uploads)
  for (const { left } of uploads)
    for (const line of describeLeft(left)) terminal.err(terminal.colors.dim(`  ${line}\n`))
  if (!wait) return EXIT.ok
  try {
    const { sources } = await watchIndexing(terminal, { api, serverId: server, signal: stop.signal, only: sourceIds })
    const failed = sources.filter(({ id, crawlStatus }) => sourceIds.has(id) && crawlStatus === 'error')
    // The lines of the sources say why.
    if (failed.length > 0)
      throw new CommandError(failed.map(({ url }) => `${url} could not be indexed.`).join('\n       '))
    for (const source of sources.filter(({ id }) => sourceIds.has(id))) {
      for (const line of describeSkipped(source)) terminal.err(terminal.colors.dim(`  ${line}\n`))
    }
    return EXIT.ok
  } catch (error) {
    if (!stop.signal.aborted) throw error
    terminal.err('\nWhat was sent is indexed all the same.\n')
    return EXIT.interrupted
  }
}

/** A server can expect `manual.pdf` where we would send `manual`; then use its name. */
export async function asAnnounced(
  api: DocentApi,
  server: string,
  uploads: readonly LocalUpload[],
): Promise<LocalUpload[]> {
  const known = new Set((await api.getServer(server)).sources.map(({ url }) => url))
  return uploads.map((upload) => {
    const full = nameWithExtension(upload.fileName)
    const isExpected = known.has(`upload://${full}/`) && !known.has(`upload://${upload.name}/`)
    return isExpected ? { ...upload, name: full } : upload
  })
}

/** Sends each upload and returns the ids of the resulting sources. */
export async function sendAll(api: DocentApi, server: string, uploads: readonly LocalUpload[]): Promise<Set<string>> {
  const ids = new Set<string>()
  for (const upload of uploads) ids.add((await api.upload(server, upload)).id)
  return ids
}
