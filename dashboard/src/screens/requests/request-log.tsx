import type { Output } from '@docent/sdk'
import { useContext, useEffect, useRef } from 'preact/hooks'
import { call } from '../../api/call.ts'
import { ConnectionContext } from '../../api/connection.ts'
import { useLoad } from '../../api/use-load.ts'
import { ago, dateTime, duration, number, time } from '../../lib/format.ts'
import { questionIn } from '../../lib/recorded-call.ts'
import { setQuery } from '../../lib/router.ts'
import { useCalled } from '../../live/use-progress.ts'
import { OutcomeStatus } from '../../ui/outcome.tsx'
import { ListBar } from '../../ui/list-bar.tsx'
import { useAnswerPart } from '../../ui/listing.tsx'
import type { Server } from '../../ui/server-page.tsx'
import { Loaded } from '../../ui/states.tsx'
import { Status } from '../../ui/status.tsx'
import { useClientName } from './client-name.ts'
import { filterOf, given, isFiltered } from './filter.ts'
import { OpenCall } from './open-call.tsx'
import { rangeOf } from './range.ts'
import { Trace } from './trace.tsx'
import { Table } from '../../ui/table.tsx'

type Call = Output<'analytics.calls'>['calls'][number]
type Props = { server: Server; query: URLSearchParams }

const ORDERS = [
  { value: 'oldest', title: 'Oldest first' },
  { value: 'slowest', title: 'Slowest first' },
] as const
const ORDER = { name: 'sort', label: 'Order', every: 'Newest first', options: ORDERS }

/** The calls of clients, newest first or in another order. Each row opens to the passages of its call. */
export function RequestLog({ server, query }: Props) {
  const open = query.get('call')
  const part = useAnswerPart({ query, of: 'requests', sizes: [20, 10], answerSize: 20 })
  const page = part.answer
  const search = query.get('search')
  const sort = ORDERS.find(({ value }) => value === query.get('sort'))?.value
  const wanted = { ...given(filterOf(query)), ...(search ? { search } : {}), ...(sort ? { sort } : {}) }
  const asked = { id: server.id, range: rangeOf(query), page, ...wanted }
  const calls = useLoad(`log ${JSON.stringify(asked)}`, (signal) => call('analytics.calls', asked, { signal }))
  // Later pages stay as they are while somebody reads them.
  useCalled(server.id, () => {
    if (page === 1) calls.reload()
  })
  return (
    <section class="log" aria-labelledby="h-log">
      <div class="hd">
        <h2 id="h-log">Requests</h2>
        {page === 1 ? (
          <LiveStatus />
        ) : (
          <button type="button" class="btn s" onClick={calls.reload}>
            Look again
          </button>
        )}
      </div>
      <ListBar find="Find a question" query={query} choices={[ORDER]} />
      {open !== null && <OpenCall server={server} callId={open} listed={calls.data?.calls ?? null} />}
      <Loaded from={calls} what="the requests">
        {(list) =>
          list.total === 0 ? (
            <p class="mute">
              {isFiltered(filterOf(query)) || search
                ? 'No request matches the filters.'
                : 'There is no request yet. Connect a client, and its calls appear here at once.'}
            </p>
          ) : (
            <>
              <CallTable calls={part.shown(list.calls)} server={server} open={open} />
              {part.pager(list.total)}
            </>
          )
        }
      </Loaded>
    </section>
  )
}

function LiveStatus() {
  const isUp = useContext(ConnectionContext) === 'up'
  return (
    <Status tone={isUp ? 'busy' : 'wait'} pulse={isUp}>
      {isUp ? 'Live' : 'Not live'}
    </Status>
  )
}

/** What the visitor of a widget pressed. */
const FEEDBACK = { helpful: 'The visitor found it helpful', not_helpful: 'The visitor found it not helpful' } as const

/** A link elsewhere on the page can open a row. A row that was clicked is in view already. */
function show(element: HTMLElement | null): void {
  if (!element) return
  const { top, bottom } = element.getBoundingClientRect()
  if (top < 0 || bottom > innerHeight) element.scrollIntoView({ block: 'start' })
  element.focus({ preventScroll: true })
}

type TableProps = { calls: readonly Call[]; server: Server; open: string | null }

function CallTable({ calls, server, open }: TableProps) {
  return (
    <Table class="lt" columns={['When', 'Question', 'Client', 'Outcome', { right: 'Cited' }, { right: 'Took' }]}>
      {calls.map((one) => (
        <Row key={one.id} item={one} server={server} isOpen={one.id === open} />
      ))}
    </Table>
  )
}

function Row({ item, server, isOpen }: { item: Call; server: Server; isOpen: boolean }) {
  const { id, at, tool, client, outcome, durationMs, error, citations, feedback } = item
  const nameOf = useClientName()
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (isOpen) show(button.current)
  }, [isOpen])
  const isToday = Date.now() - Date.parse(at) < 12 * 3_600_000
  return (
    <>
      <tr class={isOpen ? 'open' : ''}>
        <td class="tm">
          <time dateTime={at} title={dateTime(at)}>
            {isToday ? time(at) : ago(at)}
          </time>
        </td>
        <td class="q">
          <button
            ref={button}
            type="button"
            aria-expanded={isOpen}
            onClick={() => setQuery({ call: isOpen ? null : id })}
          >
            {questionIn(item)}
          </button>{' '}
          <span class="m small mute">{tool}</span>
        </td>
        <td class="cl2">{nameOf(client.name)}</td>
        <td>
          <OutcomeStatus outcome={outcome} />
          {feedback && <div class="small mute">{FEEDBACK[feedback]}</div>}
        </td>
        <td class="r" data-label="Cited">
          {number(citations.length)}
        </td>
        <td class="r" data-label="Took">
          {duration(durationMs)}
        </td>
      </tr>
      {isOpen && (
        <tr class="dt">
          <td colSpan={6}>
            <div>
              {error && <p class="bad">{error}</p>}
              <Trace server={server} callId={id} question={questionIn(item)} />
            </div>
          </td>
        </tr>
      )}
    </>
  )
}
