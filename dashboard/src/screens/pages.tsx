import type { Output } from '@docent/sdk'
import { call } from '../api/call.ts'
import { useLoad } from '../api/use-load.ts'
import { count, number, shortAddress } from '../lib/format.ts'
import { type ScreenProps, setQuery } from '../lib/router.ts'
import { REASONS } from '../lib/words.ts'
import { Pager } from '../ui/pager.tsx'
import { Section } from '../ui/section.tsx'
import { type Server, ServerPage } from '../ui/server-page.tsx'
import { Loaded } from '../ui/states.tsx'
import { Status } from '../ui/status.tsx'
import { Table } from '../ui/table.tsx'

const STATES = {
  indexed: { tone: 'ok', word: 'Indexed' },
  skipped: { tone: 'mute', word: 'Skipped' },
  failed: { tone: 'bad', word: 'Failed' },
  waiting: { tone: 'wait', word: 'To go' },
} as const
type State = keyof typeof STATES
type Page = Output<'pages.list'>['pages'][number]

/** The pages of a server, each with its state. */
export function Pages({ params: { slug = '' }, query }: ScreenProps) {
  return (
    <ServerPage slug={slug} tab="overview">
      {(server) => (
        <Section title="Pages" about={<a href={`/servers/${slug}`}>Back to the overview</a>} last>
          <Filters server={server} query={query} />
          <PageList server={server} query={query} />
        </Section>
      )}
    </ServerPage>
  )
}

function Filters({ server, query }: { server: Server; query: URLSearchParams }) {
  const reasons = [...new Set(server.sources.flatMap(({ skipped }) => skipped.map(({ reason }) => reason)))]
  const choose = (name: string, value: string) => setQuery({ [name]: value === '' ? null : value, page: null })
  return (
    <div class="bar" role="group" aria-label="Filters">
      <select
        aria-label="State"
        value={query.get('state') ?? ''}
        onChange={({ currentTarget }) => choose('state', currentTarget.value)}
      >
        <option value="">Every state</option>
        {Object.entries(STATES).map(([state, { word }]) => (
          <option key={state} value={state}>
            {word}
          </option>
        ))}
      </select>
      {reasons.length > 0 && (
        <select
          aria-label="Reason"
          value={query.get('reason') ?? ''}
          onChange={({ currentTarget }) => choose('reason', currentTarget.value)}
        >
          <option value="">Every reason</option>
          {reasons.map((reason) => (
            <option key={reason} value={reason}>
              {REASONS[reason]?.word ?? reason.replaceAll('_', ' ')}
            </option>
          ))}
        </select>
      )}
      {server.sources.length > 1 && (
        <select
          aria-label="Source"
          value={query.get('source') ?? ''}
          onChange={({ currentTarget }) => choose('source', currentTarget.value)}
        >
          <option value="">Every source</option>
          {server.sources.map(({ id, url, label }) => (
            <option key={id} value={id}>
              {label ?? shortAddress(url)}
            </option>
          ))}
        </select>
      )}
      <a class="btn s" download href={`/api/mcp/${server.slug}/pages/export?format=csv`}>
        Download CSV
      </a>
    </div>
  )
}

function PageList({ server, query }: { server: Server; query: URLSearchParams }) {
  const page = Math.max(1, Number(query.get('page') ?? 1) || 1)
  const state = query.get('state')
  const reason = query.get('reason')
  const sourceId = query.get('source')
  const filter = {
    ...(state !== null && state in STATES ? { state: state as State } : {}),
    ...(reason ? { reason } : {}),
    ...(sourceId ? { sourceId } : {}),
  }
  const pages = useLoad(`pages ${server.id} ${query.toString()}`, (signal) =>
    call('pages.list', { id: server.id, page, ...filter }, { signal }),
  )
  return (
    <Loaded from={pages} what="the pages">
      {(list) =>
        list.total === 0 ? (
          <p class="mute">No page is like this.</p>
        ) : (
          <>
            <p class="small mute above" role="status">
              {count(list.total, 'page')}
            </p>
            <PageTable pages={list.pages} server={server} />
            <Pager page={list.page} pages={list.totalPages} />
          </>
        )
      }
    </Loaded>
  )
}

function PageTable({ pages, server }: { pages: readonly Page[]; server: Server }) {
  const urlOf = new Map(server.sources.map(({ id, url }) => [id, url]))
  return (
    <Table columns={['State', 'Page', { right: 'Passages' }]}>
      {pages.map((page) => (
        <Row key={`${page.sourceId} ${page.url}`} page={page} sourceUrl={urlOf.get(page.sourceId)} />
      ))}
    </Table>
  )
}

function Row({ page, sourceUrl }: { page: Page; sourceUrl: string | undefined }) {
  const { url, title, state, detail, chunks } = page
  return (
    <tr>
      <td>
        <Status tone={STATES[state].tone}>{STATES[state].word}</Status>
      </td>
      <td>
        {/^https?:/.test(url) ? (
          <a href={url} rel="noreferrer" target="_blank">
            {title ?? shortAddress(url, sourceUrl)}
          </a>
        ) : (
          (title ?? url)
        )}
        {title !== null && <div class="m small mute">{shortAddress(url, sourceUrl)}</div>}
        {detail && <div class="small">{detail}</div>}
      </td>
      <td class="r" data-label="Passages">
        {number(chunks)}
      </td>
    </tr>
  )
}
