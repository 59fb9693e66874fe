import type { Output } from '@docent/sdk'
import { useContext } from 'preact/hooks'
import { call } from '../api/call.ts'
import { ConnectionContext } from '../api/connection.ts'
import { useAction } from '../api/use-action.ts'
import { useLoad } from '../api/use-load.ts'
import { type Counts, countsOf } from '../lib/counts.ts'
import { ago, count, dateTime, number } from '../lib/format.ts'
import type { Progress } from '../live/live.ts'
import type { ScreenProps } from '../lib/router.ts'
import { Allowed } from '../ui/allowed.tsx'
import { Icon } from '../ui/icons.tsx'
import { Ruler } from '../ui/ruler.tsx'
import { Section } from '../ui/section.tsx'
import { type Server, ServerPage } from '../ui/server-page.tsx'
import { SourceList } from '../ui/source-list.tsx'
import { Problem } from '../ui/states.tsx'
import { busyText } from './overview/busy-text.ts'
import { LeftOut } from './overview/left-out.tsx'
import { SourceRow } from './overview/source-row.tsx'
import '../styles/overview.css'

type Source = Server['sources'][number]

/** The sources of a server, the progress of indexing, pages left out, and its tools. */
export function Overview({ params: { slug = '' }, query }: ScreenProps) {
  return (
    <ServerPage slug={slug} tab="overview">
      {(server, { progress, reload }) => {
        const sources = mergeProgress(server.sources, progress)
        return (
          <>
            <Section title="Indexing" about={<About sources={sources} />}>
              <div class="ov">
                <div>
                  <Total sources={sources} progress={progress} />
                  <SourceList sources={sources} sizes={[16, 10]} query={query}>
                    {(shown) => (
                      <ul class="src">
                        {shown.map((source) => (
                          <SourceRow key={source.id} source={source} server={server} onChange={reload} />
                        ))}
                      </ul>
                    )}
                  </SourceList>
                  <IndexAgain server={server} onChange={reload} isBusy={isIndexing(sources)} />
                </div>
                <Ask server={server} sources={sources} />
              </div>
            </Section>
            <LeftOut server={server} query={query} />
            <ToolList server={server} />
          </>
        )
      }}
    </ServerPage>
  )
}

/** Events are newer than the loaded server. */
function mergeProgress(sources: readonly Source[], progress: Progress | null): Source[] {
  const latest = new Map(progress?.sources.map((source) => [source.id, source]))
  return sources.map((source) => ({ ...source, ...latest.get(source.id) }))
}

/** Sources that wait are not idle: their first page is not found yet. */
const isIndexing = (sources: readonly Source[]): boolean =>
  sources.some(({ crawlStatus }) => crawlStatus === 'pending' || crawlStatus === 'crawling')

function About({ sources }: { sources: readonly Source[] }) {
  const isUp = useContext(ConnectionContext) === 'up'
  if (isIndexing(sources)) return <>{isUp ? 'Updates by itself.' : 'Without a connection, this stands still.'}</>
  const last = sources
    .flatMap(({ lastIndexedAt }) => lastIndexedAt ?? [])
    .toSorted()
    .at(-1)
  if (!last) return null
  return (
    <time dateTime={last} title={dateTime(last)}>
      Finished {ago(last)}.
    </time>
  )
}

function Total({ sources, progress }: { sources: readonly Source[]; progress: Progress | null }) {
  const counts = countsOf(sources)
  if (sources.length === 0) return <p>This server has no source yet, so it has nothing to answer from.</p>
  const isBusy = isIndexing(sources)
  const eta = progress?.etaSeconds ?? null
  const settled = (100 * (counts.found - counts.toGo)) / Math.max(1, counts.found)
  const percent = Math.floor(progress?.percent ?? settled)
  return (
    <>
      <p class="big">
        <b>{isBusy ? `${percent}%` : number(counts.indexed)}</b>
        <span>
          {isBusy
            ? busyText(sources, progress)
            : `${counts.indexed === 1 ? 'page' : 'pages'} indexed of ${number(counts.found)} found`}
        </span>
      </p>
      <Ruler counts={counts} label="Indexing, all sources" etaSeconds={eta} />
      <Key counts={counts} />
    </>
  )
}

function Key({ counts: { indexed, skipped, failed, toGo } }: { counts: Counts }) {
  return (
    <p class="key">
      <span class="k1">{number(indexed)} indexed</span>
      <span class="k2">{number(skipped)} skipped</span>
      <span class="k3">{number(failed)} failed</span>
      <span>{number(toGo)} to go</span>
    </p>
  )
}

function IndexAgain({ server, onChange, isBusy }: { server: Server; onChange: () => void; isBusy: boolean }) {
  const again = useAction(async () => {
    await call('servers.crawlOne', { id: server.id })
    onChange()
  })
  if (isBusy || server.sources.length === 0) return null
  return (
    <Allowed to="servers.crawlOne">
      {again.error && <Problem error={again.error} />}
      <div class="go">
        <button type="button" class="btn s" disabled={again.isBusy} onClick={() => again.run()}>
          Index again
        </button>
      </div>
    </Allowed>
  )
}

/** Questions to begin with. */
const ASKED = 3

/** Questions that were tried when the pages were indexed. */
function Ask({ server, sources }: { server: Server; sources: readonly Source[] }) {
  const passages = sources.reduce((sum, { chunks }) => sum + chunks, 0)
  const isOver = sources.every(({ crawlStatus }) => crawlStatus === 'complete' || crawlStatus === 'error')
  const tried = useLoad(`ask ${server.id} ${isOver}`, (signal) =>
    call('pages.questions', { id: server.slug }, { signal }),
  )
  const asked = (tried.data?.questions ?? []).slice(0, ASKED).map(({ question }) => question)
  return (
    <aside class="aside" aria-labelledby="h-ask">
      <h3 id="h-ask">{isOver || passages === 0 ? 'Ask it' : 'You can ask already'}</h3>
      <p>
        {passages === 0
          ? 'The endpoint answers as soon as the first passages are indexed.'
          : `The endpoint answers from ${isOver ? '' : 'the '}${count(passages, 'passage')}${isOver ? '.' : ' indexed so far.'}`}
      </p>
      {passages > 0 && asked.length > 0 && (
        <div class="ask">
          {asked.map((question) => (
            <a key={question} href={`/servers/${server.slug}/playground?${new URLSearchParams({ question })}`}>
              <Icon name="hand" />
              {question}
            </a>
          ))}
        </div>
      )}
      <p class="small after">
        <a href={`/servers/${server.slug}/playground`}>Open the playground</a>
      </p>
    </aside>
  )
}

function ToolList({ server }: { server: Server }) {
  const tools = useLoad(`tools ${server.id} ${server.tools.join()}`, (signal) =>
    call('tools.get', { id: server.slug }, { signal }),
  )
  return (
    <Section title="Tools" about="What a connected client sees." last>
      {tools.error && <Problem error={tools.error} retry={tools.reload} />}
      <table class="table tools">
        <thead class="vh">
          <tr>
            <th scope="col">Tool</th>
            <th scope="col">What it does</th>
            <th scope="col">Try it</th>
          </tr>
        </thead>
        <tbody>
          {server.tools.map((name) => (
            <tr key={name}>
              <th scope="row" class="m">
                {name}
              </th>
              <td>{aboutTool(tools.data, name)}</td>
              <td class="r">
                <a href={`/servers/${server.slug}/playground?tool=${encodeURIComponent(name)}`}>
                  Try it<span class="vh">: {name}</span>
                </a>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  )
}

function aboutTool(tools: Output<'tools.get'> | null, name: string): string {
  const custom = tools?.customTools.find(({ id }) => `custom:${id}` === name)
  return tools?.available.find((tool) => tool.name === name)?.title ?? custom?.displayName ?? ''
}
