import type { DocentClient } from '@docent/sdk'
import { CommandError } from '../command-error.ts'
import type { Terminal } from '../terminal.ts'
import { describeSkipped } from '../try/describe-source.ts'
import type { Source } from '../try/docent-api.ts'
import { pollIndexing, watchIndexing } from '../try/watch-indexing.ts'

type Watched = { server: string; only?: ReadonlySet<string>; asJson: boolean; signal: AbortSignal }

/** A service elsewhere is asked less often than the one of `docent try`. */
const POLL_MS = 1_000

/**
 * Shows the progress of each source until the indexing ends: lines for people on standard error, or a JSON document for
 * each change. Throws if a source could not be indexed.
 */
export async function watchSources(
  terminal: Terminal,
  client: DocentClient,
  { server: id, only, asJson, signal }: Watched,
): Promise<void> {
  const api = {
    getServer: () => client.servers.get({ id }, { signal }),
    getProgress: () => client.servers.progress({ id }, { signal }),
  }
  const watched = { api, serverId: id, signal, pollMs: POLL_MS, ...(only ? { only } : {}) }
  if (!asJson) {
    const { sources } = await watchIndexing(terminal, watched)
    const mine = sources.filter((source) => only?.has(source.id) ?? true)
    for (const line of mine.flatMap(describeSkipped)) terminal.err(terminal.colors.dim(`  ${line}\n`))
    // The lines of the sources say why.
    return refuseFailed(mine, ({ url }) => `${url} could not be indexed.`)
  }
  let last = ''
  for await (const { progress, sources, isLast } of pollIndexing(watched)) {
    const text = JSON.stringify({
      ...progress,
      sources: progress.sources.filter((source) => only?.has(source.id) ?? true),
    })
    if (text !== last) terminal.out(`${text}\n`)
    last = text
    if (isLast) refuseFailed(sources, ({ url, crawlError }) => crawlError ?? `${url} could not be indexed.`)
  }
}

function refuseFailed(sources: readonly Source[], describe: (source: Source) => string): void {
  const failed = sources.filter(({ crawlStatus }) => crawlStatus === 'error')
  if (failed.length === 0) return
  throw new CommandError(failed.map(describe).join('\n'))
}
