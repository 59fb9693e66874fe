import type { Output } from '@docent/sdk'
import { call } from '../api/call.ts'
import { useLoad } from '../api/use-load.ts'
import { countsOf } from '../lib/counts.ts'
import { ago, count, dateTime, left, number } from '../lib/format.ts'
import { NEWEST, byText } from '../lib/listing.ts'
import type { ScreenProps } from '../lib/router.ts'
import type { Progress } from '../live/live.ts'
import { useAllProgress, useCalled } from '../live/use-progress.ts'
import { Allowed } from '../ui/allowed.tsx'
import { ImportServer } from '../ui/import-server.tsx'
import { Listing } from '../ui/listing.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { Section } from '../ui/section.tsx'
import { Spark } from '../ui/spark.tsx'
import { Loaded } from '../ui/states.tsx'
import { Status, Visibility } from '../ui/status.tsx'
import { NewServerForm } from '../ui/new-server-form.tsx'
import '../styles/servers.css'

type Listed = Output<'servers.list'>[number]

/** The servers of the account. Without any, the form for the first one. */
export function Servers({ query }: ScreenProps) {
  const servers = useLoad('servers', (signal) => call('servers.list', {}, { signal }))
  const progress = useAllProgress()
  const recent = useLoad('recent', (signal) => call('analytics.recent', {}, { signal }))
  useCalled(null, recent.reload)
  return (
    <Loaded from={servers} what="the servers" head={<PageHead title="Servers" />}>
      {(all) => {
        const live = all.filter(({ status }) => status !== 'deleted')
        const deleted = all.length - live.length
        if (live.length === 0) return <FirstServer deleted={deleted} />
        return (
          <>
            <PageHead title="Servers">
              <Allowed to="servers.create">
                <a class="btn p" href="/new">
                  New server
                </a>
              </Allowed>
            </PageHead>
            <Section
              title={count(live.length, 'server')}
              about={
                deleted > 0 ? (
                  <a href="/deleted">{count(deleted, 'deleted server')}</a>
                ) : (
                  'Each is one endpoint for AI clients.'
                )
              }
              last
            >
              <Listing items={live} one="server" plan={planOf(progress, recent.data)} sizes={[16, 8]} query={query}>
                {(shown) => (
                  <ul class="catalogue">
                    {shown.map((server) => (
                      <Row key={server.id} server={server} progress={progress(server.id)} recent={recent.data} />
                    ))}
                  </ul>
                )}
              </Listing>
            </Section>
          </>
        )
      }}
    </Loaded>
  )
}

type Recent = Output<'analytics.recent'>

const STATES = [
  { value: 'active', title: 'Ready' },
  { value: 'crawling', title: 'Indexing' },
  { value: 'error', title: 'Needs you' },
]
const VISIBILITIES = [
  { value: 'public', title: 'Public' },
  { value: 'private', title: 'Private' },
]

/** How the servers are searched and sorted. Events are newer than the list. */
function planOf(progress: (serverId: string) => Progress | undefined, recent: Recent | null) {
  const calls = new Map(recent?.servers.map((one) => [one.serverId, one.calls.reduce((sum, each) => sum + each, 0)]))
  return {
    textOf: ({ name, slug, description }: Listed) => `${name} ${slug} ${description ?? ''}`,
    orders: [
      NEWEST,
      {
        name: 'changed',
        title: 'Last changed first',
        compare: (a: Listed, b: Listed) => b.updatedAt.localeCompare(a.updatedAt),
      },
      {
        name: 'requests',
        title: 'Most requests first',
        compare: (a: Listed, b: Listed) => (calls.get(b.id) ?? 0) - (calls.get(a.id) ?? 0),
      },
      byText<Listed>('name', 'By name', ({ name }) => name),
    ],
    choices: [
      {
        name: 'state',
        every: 'Every state',
        options: STATES,
        fits: ({ id, status }: Listed, value: string) => (progress(id)?.status ?? status) === value,
      },
      {
        name: 'visibility',
        every: 'Public and private',
        options: VISIBILITIES,
        fits: ({ visibility }: Listed, value: string) => visibility === value,
      },
    ],
  }
}
type RowProps = { server: Listed; progress: Progress | undefined; recent: Recent | null }

function Row({ server, progress, recent }: RowProps) {
  const { slug, name, description, visibility, url, sourceCount, toolCount, updatedAt } = server
  const status = progress?.status ?? server.status
  return (
    <li>
      <div>
        <h2>
          <a href={`/servers/${slug}`}>{name}</a>
        </h2>
        {description && <p class="about">{description}</p>}
        <p class="m small mute">{url}</p>
      </div>
      <p class="now">
        <span>{count(sourceCount, 'source')}</span>
        <span>{count(toolCount, 'tool')}</span>
        <time dateTime={updatedAt} title={dateTime(updatedAt)}>
          changed {ago(updatedAt)}
        </time>
      </p>
      <Requests recent={recent} server={server} />
      <div class="state">
        <State status={status} progress={progress} />
        <Visibility value={visibility} />
      </div>
    </li>
  )
}

/** The last days as bars, beside their sum. They are left out if they could not be read. */
function Requests({ recent, server: { id, slug } }: { recent: Recent | null; server: Listed }) {
  if (!recent) return <p class="week" />
  const own = recent.servers.find(({ serverId }) => serverId === id)
  if (!own) return <p class="week small mute">No request in {recent.days.length} days</p>
  const total = own.calls.reduce((sum, one) => sum + one, 0)
  return (
    <p class="week">
      <Spark days={recent.days} calls={own.calls} failed={own.failed} />
      <a class="small" href={`/servers/${slug}/requests?range=7d`}>
        {count(total, 'request')}
      </a>
    </p>
  )
}

function State({ status, progress }: { status: Listed['status']; progress: Progress | undefined }) {
  if (status === 'active') {
    const failed = progress?.sources.filter(({ crawlStatus }) => crawlStatus === 'error').length ?? 0
    return (
      <span class="stack-s">
        <Status tone={failed > 0 ? 'warn' : 'ok'}>Ready</Status>
        {failed > 0 && <span class="small mute">{count(failed, 'source')} failed</span>}
      </span>
    )
  }
  if (status === 'error') return <Status tone="bad">Needs you</Status>
  if (!progress) return <Status tone="wait">Waiting</Status>
  const { indexed, found } = countsOf(progress.sources)
  return (
    <span class="stack-s">
      <Status tone="busy" pulse>
        Indexing
      </Status>
      <span class="small mute">
        {found === 0 ? 'Looking for pages' : `${number(indexed)} of ${count(found, 'page')}`}
        {progress.etaSeconds !== null && `, ${left(progress.etaSeconds)} left`}
      </span>
    </span>
  )
}

function FirstServer({ deleted }: { deleted: number }) {
  return (
    <>
      <PageHead title="Make your first server" />
      <Section
        title="Documentation"
        about={
          deleted > 0 ? (
            <a href="/deleted">{count(deleted, 'deleted server')}</a>
          ) : (
            'A server answers from it within seconds.'
          )
        }
        to="servers.create"
      >
        <NewServerForm />
      </Section>
      <ImportServer />
    </>
  )
}
