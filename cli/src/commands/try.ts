import { catchStop, type Stop } from '../catch-stop.ts'
import { CommandError } from '../command-error.ts'
import { EXIT } from '../exit-codes.ts'
import { type LocalUpload, readLocal } from '../local/read-local.ts'
import { sortPlaces } from '../local/sort-places.ts'
import type { Terminal } from '../terminal.ts'
import { converse } from '../try/converse.ts'
import { describeLeft, describeSkipped } from '../try/describe-source.ts'
import { connectApi, type Created, type DocentApi, Refusal, type ServerDetail } from '../try/docent-api.ts'
import { warnOfUnknownSettings } from '../doctor/check-settings.ts'
import { networkHint } from '../try/network-hint.ts'
import { startThrowAway } from '../try/start-throw-away.ts'
import { watchIndexing } from '../try/watch-indexing.ts'
import { sendAll } from './sources-upload.ts'

/** Questions to begin with. */
const SUGGESTED = 3

type Wanted = { places: string[]; name: string | null }

/**
 * `docent try`: a server from addresses and files that lives as long as the command and answers questions on a
 * terminal.
 */
export async function tryPlaces(terminal: Terminal, wanted: Wanted): Promise<number> {
  using stop = catchStop(terminal)
  warnOfUnknownSettings(terminal)
  const { urls, paths } = sortPlaces(wanted.places, terminal.folder)
  const uploads = await readLocal(paths, terminal.folder)
  await using service = await startThrowAway(terminal)
  const api = connectApi(service)
  try {
    const created = await create(api, { urls, uploads, name: wanted.name })
    await sendAll(api, created.serverId, uploads)
    const watched = { api: withOwnAdvice(api), serverId: created.serverId, signal: stop.signal }
    const server = await watchIndexing(terminal, watched)
    report(terminal, server, uploads)
    const questions = await api.listQuestions(created.slug)
    terminal.err(welcome(terminal, created, questions.slice(0, SUGGESTED)))
    // Scripts get only the address on standard output.
    if (!terminal.isInteractive) terminal.out(`${created.url}\n`)
    await live(terminal, { api, slug: created.slug, stop })
    return EXIT.ok
  } catch (error) {
    if (!stop.signal.aborted) throw error
    return EXIT.interrupted
  }
}

async function live(terminal: Terminal, { api, slug, stop }: { api: DocentApi; slug: string; stop: Stop }) {
  if (terminal.isInteractive) await converse(terminal, api, slug, stop)
  await stop.requested
}

type Named = { urls: string[]; uploads: LocalUpload[]; name: string | null }

async function create(api: DocentApi, { urls, uploads, name: given }: Named): Promise<Created> {
  try {
    const sources = urls.map((url) => ({ url }))
    const name = given ?? URL.parse(urls[0] ?? '')?.hostname ?? uploads[0]?.name ?? 'docs'
    return await api.createServer({ name, sources, uploads: uploads.map((upload) => upload.name) })
  } catch (error) {
    if (error instanceof Refusal) throw new CommandError(error.message + networkHint(error.message, urls))
    throw error
  }
}

const REFRESH = /\brefresh the source\b/i

/** The server goes with the command, so that nobody can refresh its sources. */
function withOwnAdvice({ getServer, getProgress }: DocentApi): Pick<DocentApi, 'getServer' | 'getProgress'> {
  return {
    getProgress,
    async getServer(id) {
      const server = await getServer(id)
      const sources = server.sources.map(({ crawlError, ...source }) =>
        crawlError === undefined
          ? source
          : { ...source, crawlError: crawlError.replace(REFRESH, 'Run the command again') },
      )
      return { ...server, sources }
    },
  }
}

/** Reports what was skipped and why. Throws if nothing could be indexed. */
function report(terminal: Terminal, { sources, status }: ServerDetail, uploads: readonly LocalUpload[]): void {
  if (status === 'error') {
    // The lines of the sources say why.
    const one = sources.length === 1 ? 'The source' : 'None of the sources'
    throw new CommandError(
      `${one} could ${sources.length === 1 ? 'not ' : ''}be indexed. Mend what is said above, and run the command again.`,
    )
  }
  const lines = [...sources.flatMap(describeSkipped), ...uploads.flatMap(({ left }) => describeLeft(left))]
  for (const line of lines) terminal.err(terminal.colors.dim(`  ${line}\n`))
}

function welcome({ colors, isInteractive }: Terminal, { url, slug }: Created, questions: string[]): string {
  const lines = [
    '',
    `Endpoint  ${colors.bold(url)}`,
    `Connect   ${colors.bold(`claude mcp add --transport http ${slug} ${url}`)}`,
    ...questions.map((question, at) => `${at === 0 ? 'Ask it   ' : '         '} ${question}`),
    '',
    isInteractive
      ? 'Type a question, or connect a client. Ctrl-C ends it and removes its data.'
      : 'It answers until it is stopped, and its data goes with it.',
    '',
  ]
  return `${lines.join('\n')}\n`
}
