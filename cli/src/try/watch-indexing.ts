import { setTimeout as sleep } from 'node:timers/promises'
import { stripVTControlCharacters } from 'node:util'
import type { Terminal } from '../terminal.ts'
import { describeSource } from './describe-source.ts'
import type { DocentApi, ServerDetail } from './docent-api.ts'

const POLL_MS = 250
/** Interval between lines where they cannot be redrawn, as in a log. */
const LINE_MS = 3_000
const DEFAULT_COLUMNS = 100

type Watched = {
  api: DocentApi
  serverId: string
  signal: AbortSignal
  /** Ids of the sources to watch; all by default. */
  only?: ReadonlySet<string>
}

/** Shows one line per source until nothing is left to do, and returns the outcome. Rejects when aborted. */
export async function watchIndexing(
  terminal: Terminal,
  { api, serverId, signal, only }: Watched,
): Promise<ServerDetail> {
  let drawn = 0
  let nextLine = 0
  for (;;) {
    // Progress before detail: the last line drawn must be the outcome.
    const progress = await api.getProgress(serverId)
    const server = await api.getServer(serverId)
    const watched = server.sources.filter(({ id }) => only?.has(id) ?? true)
    const done = progress.status !== 'crawling' || (only && watched.every(isSettled))
    const lines = watched.map((source) => {
      return `${nameOf(source)}  ${describeSource(source, terminal.colors, progress.etaSeconds)}`
    })
    if (terminal.canRedraw) {
      const columns = terminal.stderr.columns || DEFAULT_COLUMNS
      terminal.err(
        `${drawn > 0 ? `\u001b[${drawn}A` : ''}${lines.map((line) => `\u001b[2K${fit(line, columns)}\n`).join('')}`,
      )
      drawn = lines.length
    } else if (done || performance.now() >= nextLine) {
      terminal.err(lines.map((line) => `${line}\n`).join(''))
      nextLine = performance.now() + LINE_MS
    }
    if (done) return server
    await sleep(POLL_MS, undefined, { signal })
  }
}

const isSettled = ({ crawlStatus }: ServerDetail['sources'][number]): boolean =>
  crawlStatus === 'complete' || crawlStatus === 'error'

const nameOf = (source: ServerDetail['sources'][number]): string => source.label ?? hostAndPath(source.url)

function hostAndPath(url: string): string {
  const { host, pathname } = new URL(url)
  return host + (pathname === '/' ? '' : pathname)
}

/** A line to be redrawn must not wrap. One too long loses its colours before it is cut. */
function fit(line: string, columns: number): string {
  const plain = stripVTControlCharacters(line)
  return plain.length < columns ? line : `${plain.slice(0, columns - 2)}…`
}
