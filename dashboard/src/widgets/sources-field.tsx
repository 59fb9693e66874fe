import type { Output } from '@docent/sdk'
import { call } from '../api/call.ts'
import { useLoad } from '../api/use-load.ts'
import { shortAddress } from '../lib/format.ts'
import { byText } from '../lib/listing.ts'
import { Listing } from '../ui/listing.tsx'
import { ServerPicker } from '../ui/server-picker.tsx'
import { Problem } from '../ui/states.tsx'
import type { ChosenSources, Draft } from './draft.ts'

type Server = Output<'servers.list'>[number]
type Sources = Draft['sources']
type Props = { servers: readonly Server[]; value: Sources; query: URLSearchParams; onChange: (value: Sources) => void }

/** More servers are found by their names. */
const MOST = 8

/** The servers that answer, each with all its sources or some. */
export function SourcesField({ servers, value, query, onChange }: Props) {
  const change = (serverId: string, chosen: ChosenSources | null) => {
    const next = new Map(value)
    if (chosen === null) next.delete(serverId)
    else next.set(serverId, chosen)
    onChange(next)
  }
  const isLong = servers.length > MOST
  const hasPrivate = servers.some(({ id, visibility }) => value.has(id) && visibility === 'private')
  return (
    <fieldset class="plainset">
      <legend class="vh">Servers that answer</legend>
      {servers.length === 0 && <p class="mute">You have no server yet. A widget answers from your servers.</p>}
      <ul class="choices">
        {servers
          .filter(({ id }) => !isLong || value.has(id))
          .map((server) => {
            const chosen = value.get(server.id)
            return (
              <li key={server.id}>
                <label>
                  <input
                    type="checkbox"
                    checked={chosen !== undefined}
                    onChange={({ currentTarget }) => change(server.id, currentTarget.checked ? 'all' : null)}
                  />
                  <span>
                    <b>{server.name}</b>
                    {server.visibility === 'private' && <span class="small mute"> private</span>}
                  </span>
                </label>
                {chosen !== undefined && (
                  <SomeSources
                    server={server}
                    chosen={chosen}
                    query={query}
                    onChange={(next) => change(server.id, next)}
                  />
                )}
              </li>
            )
          })}
      </ul>
      {isLong && (
        <ServerPicker
          label="Add a server"
          servers={servers.filter(({ id }) => !value.has(id))}
          value=""
          onChoose={(id) => change(id, 'all')}
        />
      )}
      <p class="hint">
        {value.size === 0 ? 'Nothing is chosen, so all your public servers answer.' : 'Only these answer.'}
        {hasPrivate && ' Private servers answer only with an attribution token.'}
      </p>
    </fieldset>
  )
}

type Source = Pick<Output<'servers.get'>['sources'][number], 'id' | 'label' | 'url'>

const PLAN = {
  textOf: ({ label, url }: Source) => `${label ?? ''} ${url}`,
  orders: [
    { name: 'oldest', title: 'Oldest first', compare: () => 0 },
    byText<Source>('name', 'By name', ({ label, url }) => label ?? shortAddress(url)),
  ],
}

const placesFor = (count: number): Source[] =>
  Array.from({ length: count }, (_, index) => ({ id: String(index), label: '…', url: '' }))

type SomeProps = {
  server: Server
  chosen: ChosenSources
  query: URLSearchParams
  onChange: (chosen: ChosenSources) => void
}

function SomeSources({ server, chosen, query, onChange }: SomeProps) {
  const loaded = useLoad(`widget sources ${server.id}`, (signal) => call('servers.get', { id: server.id }, { signal }))
  if (loaded.error) return <Problem error={loaded.error} retry={loaded.reload} />
  // Until the sources are here, their place is kept.
  const sources: readonly Source[] = loaded.data?.sources ?? placesFor(server.sourceCount)
  if (sources.length < 2) return null
  const ids = sources.map(({ id }) => id)
  const isOn = (id: string) => chosen === 'all' || chosen.includes(id)
  const toggle = (id: string) => {
    const next = ids.filter((one) => isOn(one) !== (one === id))
    // The last one stays: a server without sources would not be chosen.
    if (next.length > 0) onChange(next.length === ids.length ? 'all' : next)
  }
  return (
    <Listing items={sources} one="source" plan={{ ...PLAN, prefix: server.slug }} sizes={[16, 8]} query={query}>
      {(shown) => (
        <ul class="subchoices">
          {shown.map(({ id, url, label }) => (
            <li key={id}>
              <label class="check">
                <input type="checkbox" checked={isOn(id)} disabled={!loaded.data} onChange={() => toggle(id)} />
                <span>{label ?? shortAddress(url)}</span>
              </label>
            </li>
          ))}
        </ul>
      )}
    </Listing>
  )
}
