import type { Output } from '@docent/sdk'
import { call } from '../api/call.ts'
import { useAccount } from '../api/session.ts'
import { useAction } from '../api/use-action.ts'
import { useLoad } from '../api/use-load.ts'
import { ago, dateTime } from '../lib/format.ts'
import type { ScreenProps } from '../lib/router.ts'
import { PageHead } from '../ui/page-head.tsx'
import { Section } from '../ui/section.tsx'
import { Loaded, Problem } from '../ui/states.tsx'
import { Table } from '../ui/table.tsx'

type Approvals = Output<'approvals.list'>
type Approval = Approvals['approvals'][number]

/** Requests of keys that wait for an owner. Assistants give the user the address of one. */
export function ApprovalsScreen({ query }: ScreenProps) {
  const { role } = useAccount()
  const approvals = useLoad('approvals', (signal) => call('approvals.list', {}, { signal }))
  const wanted = query.get('id')
  if (role !== 'owner') {
    return (
      <>
        <PageHead title="Approvals" />
        <p>Only owners of the account approve requests. Ask one of them to open this page.</p>
      </>
    )
  }
  return (
    <>
      <PageHead title="Approvals" />
      <Section title="Requests" about="What keys want to publish, delete or issue.">
        <Loaded from={approvals} what="the requests">
          {({ approvals: all }) => (
            <>
              {wanted !== null && !all.some(({ id }) => id === wanted) && (
                <p role="status">The request of this address was made or refused already, or has expired.</p>
              )}
              <Requests all={all} wanted={wanted} onChange={approvals.reload} />
            </>
          )}
        </Loaded>
      </Section>
      <Section title="Which keys" last>
        <Loaded from={approvals} what="the setting">
          {(answer) => <WhichKeys {...answer} onChange={approvals.reload} />}
        </Loaded>
      </Section>
    </>
  )
}

type Listed = { all: readonly Approval[]; wanted: string | null; onChange: () => void }

function Requests({ all, wanted, onChange }: Listed) {
  const approve = useAction(async (approvalId: string) => {
    await call('approvals.approve', { approvalId })
    onChange()
  })
  const refuse = useAction(async (approvalId: string) => {
    await call('approvals.refuse', { approvalId })
    onChange()
  })
  if (all.length === 0) return <p class="mute">No request waits.</p>
  const error = approve.error ?? refuse.error
  const isBusy = approve.isBusy || refuse.isBusy
  return (
    <>
      {error && <Problem error={error} />}
      <Table columns={['Request', 'Key', 'Asked']} hasActions>
        {all
          .toSorted((one, other) => Number(other.id === wanted) - Number(one.id === wanted))
          .map((request) => (
            <tr key={request.id}>
              <th scope="row">
                {request.summary}
                {request.thing !== null && <>: “{request.thing}”</>}
                {Object.entries(request.arguments).map(([name, value]) => (
                  <div key={name} class="small mute">
                    {name}: {typeof value === 'string' ? value : JSON.stringify(value)}
                  </div>
                ))}
              </th>
              <td data-label="Key">{request.key.name}</td>
              <td data-label="Asked">
                <time title={dateTime(request.createdAt)}>{ago(request.createdAt)}</time>
              </td>
              <td class="r">
                {request.approvedAt === null ? (
                  <button
                    type="button"
                    class="btn s"
                    disabled={isBusy}
                    aria-label={`Approve for ${request.key.name}: ${request.summary}`}
                    onClick={() => approve.run(request.id)}
                  >
                    Approve
                  </button>
                ) : (
                  <span class="small">Approved, once, until {dateTime(request.expiresAt)}</span>
                )}{' '}
                <button
                  type="button"
                  class="btn s"
                  disabled={isBusy}
                  aria-label={`Refuse for ${request.key.name}: ${request.summary}`}
                  onClick={() => refuse.run(request.id)}
                >
                  Refuse
                </button>
              </td>
            </tr>
          ))}
      </Table>
    </>
  )
}

function WhichKeys({ allKeys, byInstance, onChange }: Approvals & { onChange: () => void }) {
  const change = useAction(async (next: boolean) => {
    await call('approvals.change', { allKeys: next })
    onChange()
  })
  return (
    <>
      {change.error && <Problem error={change.error} />}
      <label class="check">
        <input
          type="checkbox"
          checked={allKeys || byInstance}
          disabled={byInstance || change.isBusy}
          onChange={({ currentTarget }) => change.run(currentTarget.checked)}
        />
        All keys of the account need approvals, not only those for assistants
      </label>
      {byInstance && <p class="small mute">The operator of this instance asks for approvals of all keys.</p>}
    </>
  )
}
