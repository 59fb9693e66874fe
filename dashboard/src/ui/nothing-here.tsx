import { useContext } from 'preact/hooks'
import { call } from '../api/call.ts'
import { useMay } from '../api/may.ts'
import { AccountContext } from '../api/session.ts'
import { useLoad } from '../api/use-load.ts'
import { accountPlaces, nearestPlaces, serverPlaces } from '../lib/places.ts'
import { PageHead } from './page-head.tsx'
import { useTitle } from './use-title.ts'

type Props = {
  title: string
  /** What the address says instead of a name that exists. */
  wanted: string
  /** Also the screens of the account, and of each server. */
  withScreens?: boolean
}

/** An address that leads nowhere: what has a similar name, and the way back. */
export function NothingHere({ title, wanted, withScreens = false }: Props) {
  useTitle(title)
  const may = useMay()
  const isOperator = useContext(AccountContext)?.isOperator ?? false
  const { data } = useLoad('nearest', (signal) => call('servers.list', {}, { signal }))
  const ofServers = serverPlaces(data ?? [])
  const places = withScreens
    ? [...accountPlaces(isOperator, may), ...ofServers]
    : ofServers.filter(({ path }) => path.split('/').length === 3)
  const found = nearestPlaces(wanted, places)
  return (
    <>
      <PageHead title={title} />
      <p class="after">
        {found.length > 0 ? 'It may be one of these:' : 'The link is wrong, or what it led to is deleted.'}
      </p>
      <ul class="dots">
        {found.map(({ name, path }) => (
          <li key={path}>
            <a href={path}>{name}</a>
          </li>
        ))}
      </ul>
      <p class="go">
        <a class="btn" href="/servers">
          See your servers
        </a>
        {!withScreens && may('servers.restore') && (
          <a class="btn" href="/deleted">
            See deleted servers
          </a>
        )}
      </p>
    </>
  )
}
