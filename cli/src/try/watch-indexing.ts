import { setTimeout as sleep } from 'node:timers/promises'
import { stripVTControlCharacters } from 'node:util'
import type { Terminal } from '../terminal.ts'
import { describeSource } from './describe-source.ts'
import type { DocentApi, Progress, ServerDetail } from './docent-api.ts'

/** Interval of requests to a service in this process. */
const POLL_MS = 250
/** Interval between lines where they cannot be redrawn, as in a log. */
const LINE_MS = 3_000
const DEFAULT_COLUMNS = 100

type Watched = {
  api: Pick<DocentApi, 'getServer' | 'getProgress'>
  serverId: string
  signal: AbortSignal
  /** Ids of the sources to watch; all by default. */
  only?: ReadonlySet<string>
  pollMs?: number
}

type Seen = {
  progress: Progress
  server: ServerDetail
  /** The watched sources. */
  sources: ServerDetail['sources']
  isLast: boolean
}

/** The state of the server and its sources, until nothing is left to do. Rejects when aborted. */
export async function* pollIndexing({
  api,
  serverId,
  signal,
  only,
  pollMs = POLL_MS,
}: Watched): AsyncGenerator<Seen, void> {
  for (;;) {
    // Progress before detail: the last state must be the outcome.
    const progress = await api.getProgress(serverId)
    const server = await api.getServer(serverId)
    const isWatched = ({ id }: { id: string }) => only?.has(id) ?? true
    const isDone = only !== undefined && progress.sources.filter(isWatched).every(isSettled)
    const isLast = progress.status !== 'crawling' || isDone
    yield { progress, server, sources: server.sources.filter(isWatched), isLast }
    if (isLast) return
    await sleep(pollMs, undefined, { signal })
  }
}

/** Shows one line per source until nothing is left to do, and returns the outcome. Rejects when aborted. */
export async function watchIndexing(terminal: Terminal, watched: Watched): Promise<ServerDetail> {
  let drawn = 0
  let nextLine = 0
  let printed: string[] = []
  for await (const { progress, server, sources, isLast } of pollIndexing(watched)) {
    // The last lines stay, so that they may wrap.
    const fitted = (line: string) => (isLast ? line : fit(line, terminal.stderr.columns || DEFAULT_COLUMNS))
    const lines = sources.map((source) => {
      return `${nameOf(source)}  ${describeSource(source, terminal.colors, progress.etaSeconds)}`
    })
    if (terminal.canRedraw) {
      terminal.err(
        `${drawn > 0 ? `\u001b[${drawn}A` : ''}${lines.map((line) => `\u001b[2K${fitted(line)}\n`).join('')}`,
      )
      drawn = lines.length
    } else if (isLast || performance.now() >= nextLine) {
      const news = lines.filter((line) => !printed.includes(line))
      terminal.err(news.map((line) => `${line}\n`).join(''))
      printed = lines
      nextLine = performance.now() + LINE_MS
    }
    if (isLast) return server
  }
  throw new Error('The indexing was not watched to its end')
}

const isSettled = ({ crawlStatus }: Progress['sources'][number]): boolean =>
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
