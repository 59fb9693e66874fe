import type { Output } from '@docent/sdk'
import { call } from '../api/call.ts'
import { type Action, useAction } from '../api/use-action.ts'
import { useLoad } from '../api/use-load.ts'
import { ago, count, dateTime } from '../lib/format.ts'
import { byText } from '../lib/listing.ts'
import { type ScreenProps, navigate } from '../lib/router.ts'
import { Allowed } from '../ui/allowed.tsx'
import { Listing } from '../ui/listing.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { Section } from '../ui/section.tsx'
import { Loaded, Problem } from '../ui/states.tsx'
import { Table } from '../ui/table.tsx'

type Server = Output<'servers.list'>[number]
type Restore = Action<[id: string]>

const PLAN = {
  textOf: ({ name, slug }: Server) => `${name} ${slug}`,
  orders: [
    {
      name: 'deleted',
      title: 'Last deleted first',
      compare: (a: Server, b: Server) => (b.deletedAt ?? '').localeCompare(a.deletedAt ?? ''),
    },
    byText<Server>('name', 'By name', ({ name }) => name),
  ],
}

/** Servers that were deleted and can still be restored. */
export function Deleted({ query }: ScreenProps) {
  const servers = useLoad('deleted', (signal) => call('servers.list', {}, { signal }))
  const restore = useAction(async (id: string) => {
    const { slug } = await call('servers.restore', { id })
    navigate(`/servers/${slug}`)
  })
  return (
    <>
      <PageHead title="Deleted servers" />
      <Section title="Restore" about="A server can be restored for seven days. Then everything it had is removed." last>
        {restore.error && <Problem error={restore.error} />}
        <Loaded from={servers} what="the servers">
          {(all) => {
            const deleted = all.filter(({ status }) => status === 'deleted')
            if (deleted.length === 0) return <p class="mute">No server was deleted in the last seven days.</p>
            return (
              <Listing items={deleted} one="server" plan={PLAN} sizes={[20, 10]} query={query}>
                {(shown) => <DeletedTable servers={shown} restore={restore} />}
              </Listing>
            )
          }}
        </Loaded>
      </Section>
    </>
  )
}

function DeletedTable({ servers, restore }: { servers: readonly Server[]; restore: Restore }) {
  return (
    <Table columns={['Server', 'Deleted', 'Removed for good']} hasActions>
      {servers.map((server) => (
        <Row key={server.id} server={server} restore={restore} />
      ))}
    </Table>
  )
}

function Row({ server, restore }: { server: Server; restore: Restore }) {
  const { id, name, slug, sourceCount, deletedAt, purgeAt } = server
  return (
    <tr>
      <th scope="row">
        {name}
        <div class="small mute m">{slug}</div>
        <div class="small mute">{count(sourceCount, 'source')}</div>
      </th>
      <td data-label="Deleted">{deletedAt && <time title={dateTime(deletedAt)}>{ago(deletedAt)}</time>}</td>
      <td data-label="Removed for good">{purgeAt && <time title={dateTime(purgeAt)}>{ago(purgeAt)}</time>}</td>
      <td class="r">
        <Allowed to="servers.restore">
          <button
            type="button"
            class="btn s"
            disabled={restore.isBusy}
            aria-label={`Restore ${name}`}
            onClick={() => restore.run(id)}
          >
            Restore
          </button>
        </Allowed>
      </td>
    </tr>
  )
}
