import { PAGES_PER_ANSWER } from '@docent/contract/limits'
import { call } from '../api/call.ts'
import { useLoad } from '../api/use-load.ts'
import { count, shortAddress } from '../lib/format.ts'
import { type ScreenProps, setQuery } from '../lib/router.ts'
import { REASONS } from '../lib/words.ts'
import { ListBar } from '../ui/list-bar.tsx'
import { NothingFound, useAnswerPart } from '../ui/listing.tsx'
import { Section } from '../ui/section.tsx'
import { type Server, ServerPage } from '../ui/server-page.tsx'
import { Loaded } from '../ui/states.tsx'
import { Table } from '../ui/table.tsx'
import { PageRow, STATES } from './pages/page-row.tsx'

const ORDERS = [
  { value: 'address', title: 'By address' },
  { value: 'passages', title: 'Most passages first' },
] as const

/** The pages of a server, each with its state. */
export function Pages({ params: { slug = '' }, query }: ScreenProps) {
  return (
    <ServerPage slug={slug} tab="overview">
      {(server, { reload }) => (
        <Section title="Pages" about={<a href={`/servers/${slug}`}>Back to the overview</a>} last>
          <ListBar find="Find a page" query={query} choices={choicesOf(server)}>
            <a class="btn s" download href={exportUrl(server, query)}>
              Download CSV
            </a>
          </ListBar>
          <PageList server={server} query={query} onChange={reload} />
        </Section>
      )}
    </ServerPage>
  )
}

function choicesOf({ sources }: Server) {
  const reasons = [...new Set(sources.flatMap(({ skipped }) => skipped.map(({ reason }) => reason)))]
  const states = Object.entries(STATES).map(([value, { word }]) => ({ value, title: word }))
  const named = reasons.map((value) => ({ value, title: REASONS[value]?.word ?? value.replaceAll('_', ' ') }))
  const bySource = sources.map(({ id, url, label }) => ({ value: id, title: label ?? shortAddress(url) }))
  return [
    { name: 'state', label: 'State', every: 'Every state', options: states },
    ...(named.length > 0 ? [{ name: 'reason', label: 'Reason', every: 'Every reason', options: named }] : []),
    ...(bySource.length > 1 ? [{ name: 'source', label: 'Source', every: 'Every source', options: bySource }] : []),
    { name: 'sort', label: 'Order', every: 'Last visited first', options: ORDERS },
  ]
}

/** The choices in the address that the service knows. */
function filterOf(query: URLSearchParams) {
  const state = Object.keys(STATES).find((name) => name === query.get('state')) as keyof typeof STATES | undefined
  const [reason, sourceId, search] = ['reason', 'source', 'search'].map((name) => query.get(name) ?? '')
  return {
    ...(state ? { state } : {}),
    ...(reason ? { reason } : {}),
    ...(sourceId ? { sourceId } : {}),
    ...(search ? { search } : {}),
  }
}

function exportUrl({ slug }: Server, query: URLSearchParams): string {
  return `/api/mcp/${slug}/pages/export?${new URLSearchParams({ ...filterOf(query), format: 'csv' })}`
}

const ALL = { search: null, state: null, reason: null, source: null, page: null }

type ListProps = { server: Server; query: URLSearchParams; onChange: () => void }

function PageList({ server, query, onChange }: ListProps) {
  const part = useAnswerPart({ query, of: 'pages', sizes: [25, 10], answerSize: PAGES_PER_ANSWER })
  const sort = ORDERS.find(({ value }) => value === query.get('sort'))?.value ?? ('newest' as const)
  const asked = { id: server.slug, page: part.answer, ...filterOf(query), sort }
  // Loaded again when indexing has moved on.
  const settled = server.sources.map(({ crawlStatus, lastIndexedAt }) => `${crawlStatus} ${lastIndexedAt}`).join()
  const pages = useLoad(`pages ${JSON.stringify(asked)} ${settled}`, (signal) => call('pages.list', asked, { signal }))
  const sources = new Map(server.sources.map((source) => [source.id, source]))
  return (
    <Loaded from={pages} what="the pages">
      {(list) => (
        <>
          <p class="small mute above" role="status">
            {count(list.total, 'page')}
          </p>
          {list.total === 0 && Object.keys(filterOf(query)).length > 0 && (
            <NothingFound show="Show all pages" onShow={() => setQuery(ALL)} />
          )}
          {list.total > 0 && (
            <Table columns={['State', 'Page', { right: 'Passages' }]} hasActions>
              {part.shown(list.pages).map((page) => (
                <PageRow
                  key={`${page.sourceId} ${page.url}`}
                  page={page}
                  server={server}
                  source={sources.get(page.sourceId)}
                  onChange={onChange}
                />
              ))}
            </Table>
          )}
          {part.pager(list.total)}
        </>
      )}
    </Loaded>
  )
}
