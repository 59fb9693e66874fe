import type { Output } from '@docent/sdk'
import type { ComponentChildren } from 'preact'
import { call } from '../../api/call.ts'
import { useLoad } from '../../api/use-load.ts'
import { ago, count, number } from '../../lib/format.ts'
import { Allowed } from '../../ui/allowed.tsx'
import type { Server } from '../../ui/server-page.tsx'
import { Loaded } from '../../ui/states.tsx'
import { useClientName } from './client-name.ts'
import { nameOfPage } from './name-of-page.ts'
import type { Range } from './range.ts'

type Group = Output<'analytics.unanswered'>['groups'][number]
type CitedPage = Output<'analytics.pages'>['pages'][number]
type Client = NonNullable<Output<'analytics.report'>['clients']>[number]

/** Rows of each list. */
const MOST = 6

type Props = { server: Server; range: Range; clients: readonly Client[]; query: URLSearchParams }

/** Questions without a good answer, clients, and cited pages of the period. */
export function Details({ server, range, clients, query }: Props) {
  return (
    <div class="three">
      <Unanswered server={server} range={range} query={query} />
      <Clients clients={clients} query={query} />
      <Pages server={server} range={range} />
    </div>
  )
}

type ListProps = { server: Server; range: Range; query: URLSearchParams }

function Unanswered({ server, range, query }: ListProps) {
  const groups = useLoad(`unanswered ${server.id} ${range}`, (signal) =>
    call('analytics.unanswered', { id: server.id, range }, { signal }),
  )
  return (
    <Part title="Questions without a good answer" about="Grouped by meaning.">
      <Loaded from={groups} what="the questions">
        {({ groups: all }) =>
          all.length === 0 ? (
            <p class="small mute">No question of this period is without a good answer.</p>
          ) : (
            <ul class="gap">
              {all.slice(0, MOST).map((group) => (
                <Question key={group.question} group={group} server={server} query={query} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Part>
  )
}

type QuestionProps = { group: Group; server: Server; query: URLSearchParams }

function Question({ group, server, query }: QuestionProps) {
  const { question, calls, wordings, examples, lastAskedAt } = group
  const path = `/servers/${server.slug}`
  const [first] = examples
  return (
    <li>
      <div>
        <a href={`${path}/playground?${new URLSearchParams({ question })}`}>{question}</a>
        <Said group={group} />
        {wordings > 1 && (
          <details class="small">
            <summary>{count(wordings, 'wording')}</summary>
            <ul>
              {examples.map((one) => (
                <li key={one.callId}>
                  {one.query} <span class="mute">{number(one.calls)} ×</span>
                </li>
              ))}
            </ul>
          </details>
        )}
      </div>
      <span class="n" title={`last ${ago(lastAskedAt)}`}>
        {number(calls)} ×
      </span>
      <span class="do">
        <Allowed to="sources.add">
          <a href={`${path}/settings#sources`}>Add a source</a>
        </Allowed>
        {first && (
          <a href={`${path}/requests?${withParameter(query, 'call', first.callId)}`}>
            See why<span class="vh">: {question}</span>
          </a>
        )}
      </span>
    </li>
  )
}

/** What people said about the answers. The words are those of strangers, so they are plain text in quotation marks. */
function Said({ group: { notHelpful, reports, examples } }: { group: Group }) {
  const problem = examples.find((one) => one.problem !== undefined)?.problem
  const counted = [
    ...(reports > 0 ? [`reported ${number(reports)} ×`] : []),
    ...(notHelpful > 0 ? [`did not help ${number(notHelpful)} ×`] : []),
  ]
  if (counted.length === 0) return null
  return (
    <p class="small mute">
      {counted.join(', ')}
      {problem !== undefined && (
        <>
          . A caller wrote: <q dir="auto">{problem}</q>
        </>
      )}
    </p>
  )
}

/** Each client is a filter of the whole screen. */
function Clients({ clients, query }: { clients: readonly Client[]; query: URLSearchParams }) {
  const nameOf = useClientName()
  const totals = new Map<string, number>()
  // One client in several versions is one row.
  for (const { name, calls } of clients) totals.set(name ?? '', (totals.get(name ?? '') ?? 0) + calls)
  const rows = [...totals].map(([name, value]) => ({
    key: name,
    value,
    label:
      name === '' ? (
        <span>{nameOf(null)}</span>
      ) : (
        <a href={`?${withParameter(query, 'client', name)}`}>{nameOf(name)}</a>
      ),
  }))
  return (
    <Part title="Clients">
      <Bars rows={rows.toSorted((a, b) => b.value - a.value)} empty="No client has called yet." />
    </Part>
  )
}

function withParameter(query: URLSearchParams, name: string, value: string): URLSearchParams {
  const next = new URLSearchParams(query)
  next.set(name, value)
  next.delete('page')
  return next
}

function Pages({ server, range }: { server: Server; range: Range }) {
  const pages = useLoad(`cited ${server.id} ${range}`, (signal) =>
    call('analytics.pages', { id: server.id, range }, { signal }),
  )
  return (
    <Part title="Most used pages">
      <Loaded from={pages} what="the pages">
        {({ pages: all }) => (
          <Bars
            rows={all.map((one) => ({
              key: one.url,
              value: one.citations,
              label: <PageLink page={one} name={nameOfPage(one, all)} />,
            }))}
            empty="No page was cited yet."
          />
        )}
      </Loaded>
    </Part>
  )
}

/** Pages of uploads have addresses that cannot be opened. */
function PageLink({ page: { url }, name }: { page: CitedPage; name: string }) {
  return /^https?:/.test(url) ? (
    <a href={url} target="_blank" rel="noreferrer">
      {name}
    </a>
  ) : (
    <span>{name}</span>
  )
}

function Part({ title, about, children }: { title: string; about?: string; children: ComponentChildren }) {
  const id = `h-${title.replaceAll(' ', '-')}`
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {about && <p class="small mute">{about}</p>}
      {children}
    </section>
  )
}

type Row = { key: string; value: number; label: ComponentChildren }

function Bars({ rows, empty }: { rows: readonly Row[]; empty: string }) {
  if (rows.length === 0) return <p class="small mute">{empty}</p>
  const most = Math.max(1, ...rows.map(({ value }) => value))
  return (
    <ul class="bl">
      {rows.slice(0, MOST).map(({ key, value, label }) => (
        <li key={key}>
          <i style={{ width: `${(value / most) * 100}%` }} />
          {label}
          <b>{number(value)}</b>
        </li>
      ))}
    </ul>
  )
}
