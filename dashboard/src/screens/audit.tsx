import { AUDIT_PAGE_SIZE } from '@docent/contract/limits'
import type { Output } from '@docent/sdk'
import { call } from '../api/call.ts'
import { useLoad } from '../api/use-load.ts'
import { ago, count, dateTime } from '../lib/format.ts'
import { type ScreenProps, setQuery } from '../lib/router.ts'
import { ListBar } from '../ui/list-bar.tsx'
import { NothingFound, useAnswerPart } from '../ui/listing.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { Section } from '../ui/section.tsx'
import { Loaded } from '../ui/states.tsx'
import { Table } from '../ui/table.tsx'

type Entry = Output<'audit.list'>['entries'][number]

/** First words of the actions, with what they are about. */
const NOUNS = {
  servers: 'Servers',
  sources: 'Sources',
  pages: 'Pages',
  tools: 'Tools of servers',
  customTools: 'Custom tools',
  retrievalRules: 'Rules',
  pins: 'Pins',
  configurations: 'Widgets',
  accessTokens: 'Access tokens',
  keys: 'API keys',
  sessions: 'Sign-ins',
  members: 'Members',
  connections: 'Connections',
  credentials: 'Client secrets',
  webhooks: 'Webhooks',
  linkedAccounts: 'Code hosts',
  siteAccess: 'Site access',
  pushes: 'Push addresses',
  purchases: 'Orders',
  account: 'Account',
  instance: 'Instance',
  audit: 'Audit log',
}
const THINGS = ['server', 'source', 'member', 'invitation', 'webhook', 'purchase']

/** What was done in the account, the newest first, for owners. */
export function Audit({ query }: ScreenProps) {
  const part = useAnswerPart({ query, of: 'entries', sizes: [25, 10], answerSize: AUDIT_PAGE_SIZE })
  const filter = filterOf(query)
  const asked = { ...filter, page: part.answer }
  const log = useLoad(`audit ${JSON.stringify(asked)}`, (signal) => call('audit.list', asked, { signal }))
  const team = useLoad('audit team', (signal) => call('members.list', {}, { signal }))
  const servers = useLoad('audit servers', (signal) => call('servers.list', {}, { signal }))
  const people = team.data?.members.map(({ id, email }) => ({ value: id, title: email })) ?? []
  const names = new Map([
    ...people.map(({ value, title }) => [value, title] as const),
    ...(servers.data ?? []).map(({ id, name }) => [id, name] as const),
  ])
  return (
    <>
      <PageHead title="Audit log">
        {(['csv', 'ndjson'] as const).map((format) => (
          <a key={format} class="btn" download href={`/api/audit/export?${new URLSearchParams({ ...filter, format })}`}>
            Export {format.toUpperCase()}
          </a>
        ))}
      </PageHead>
      <Section title="Acts" about="Changes, exports, reads of secrets, sign-ins and connections." last>
        <ListBar
          find="Find a person, a key or an id"
          query={query}
          choices={[
            { name: 'person', label: 'Person', every: 'Everybody', options: people },
            { name: 'noun', label: 'Action', every: 'Every action', options: titled(NOUNS) },
            { name: 'thing', label: 'Thing', every: 'Every thing', options: THINGS.map(asOption) },
          ]}
        />
        <Loaded from={log} what="the audit log">
          {({ entries, total }) => (
            <>
              <p class="small mute above" role="status">
                {count(total, 'entry', 'entries')}
              </p>
              {total === 0 && Object.keys(filter).length > 0 && (
                <NothingFound show="Show all entries" onShow={() => setQuery(ALL)} />
              )}
              {total > 0 && <Entries entries={part.shown(entries)} names={names} />}
              {part.pager(total)}
            </>
          )}
        </Loaded>
      </Section>
    </>
  )
}

const ALL = { search: null, person: null, noun: null, thing: null, page: null }

const asOption = (value: string) => ({ value, title: value })
const titled = (words: Readonly<Record<string, string>>) =>
  Object.entries(words).map(([value, title]) => ({ value, title }))

/** The choices in the address, as the service names them. */
function filterOf(query: URLSearchParams): Record<'search' | 'memberId' | 'noun' | 'thing', string> | {} {
  const given = { search: 'search', memberId: 'person', noun: 'noun', thing: 'thing' }
  return Object.fromEntries(
    Object.entries(given).flatMap(([field, name]) => (query.get(name) ? [[field, query.get(name)]] : [])),
  )
}

/** Names by id. Those of other things, and of what is purged, are in no list: their ids are shown alone. */
type Names = ReadonlyMap<string, string>

function Entries({ entries, names }: { entries: readonly Entry[]; names: Names }) {
  return (
    <Table columns={['When', 'Who', 'What', 'Thing']}>
      {entries.map((entry, index) => (
        <tr key={`${entry.at} ${index}`}>
          <td data-label="When">
            <time dateTime={entry.at} title={dateTime(entry.at)}>
              {ago(entry.at)}
            </time>
          </td>
          <th scope="row">
            {entry.by ?? 'nobody known'}
            <div class="small mute">
              by {entry.credential}
              {entry.address !== null && ` from ${entry.address}`}
            </div>
          </th>
          <td data-label="What">
            <span class="m">{entry.action}</span>
            {entry.details !== null && <div class="small mute">{detailsIn(entry.details, names)}</div>}
          </td>
          <td {...(entry.thing === null ? {} : { 'data-label': 'Thing' })}>
            {entry.thing}
            {entry.thingId !== null && names.has(entry.thingId) && ` ${names.get(entry.thingId)}`}
            {entry.thingId !== null && <div class="m small mute">{entry.thingId}</div>}
          </td>
        </tr>
      ))}
    </Table>
  )
}

/** The values of a request, such as `role: editor`. */
function detailsIn(json: string, names: Names): string {
  const values = Object.entries(JSON.parse(json) as Record<string, unknown>)
  const shown = (value: unknown) => [value].flat().map((each) => names.get(String(each)) ?? String(each))
  return values.map(([name, value]) => `${name}: ${shown(value).join(', ')}`).join(' · ')
}
