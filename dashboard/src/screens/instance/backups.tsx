import type { Output } from '@docent/sdk'
import { useEffect } from 'preact/hooks'
import { call } from '../../api/call.ts'
import { useAction } from '../../api/use-action.ts'
import { useLoad } from '../../api/use-load.ts'
import { ago, bytes, dateTime } from '../../lib/format.ts'
import { Loaded, Problem } from '../../ui/states.tsx'
import { Status } from '../../ui/status.tsx'
import { Table } from '../../ui/table.tsx'

type Listed = Output<'instance.backups'>

const POLL_MS = 1_000
/** As `docent doctor`: older backups rarely help. */
const OLD_MS = 7 * 24 * 60 * 60_000

/** The backups of this node, and a button for one more. */
export function Backups() {
  const backups = useLoad('backups', (signal) => call('instance.backups', {}, { signal }))
  const create = useAction(async () => {
    await call('instance.createBackup', {})
    backups.reload()
  })
  const isRunning = backups.data?.backups.some(({ isComplete }) => !isComplete) ?? false
  useEffect(() => {
    if (!isRunning) return
    const timer = setInterval(backups.reload, POLL_MS)
    return () => clearInterval(timer)
  }, [isRunning, backups.reload])
  return (
    <Loaded from={backups} what="the backups">
      {(listed) => (
        <>
          <Advice listed={listed} />
          {create.error && <Problem error={create.error} />}
          {listed.lastError && !isRunning && <Problem error={new Error(listed.lastError)} />}
          {listed.backups.length > 0 && <Files backups={listed.backups} />}
          <div class="go">
            <button type="button" class="btn" disabled={create.isBusy || isRunning} onClick={() => create.run()}>
              Back up now
            </button>
            <span class="small mute">
              Into <code>{listed.folder}</code>. Keep a copy on another machine, and the key in another place.
            </span>
          </div>
        </>
      )}
    </Loaded>
  )
}

function Advice({ listed: { backups } }: { listed: Listed }) {
  const last = backups.find(({ isComplete }) => isComplete)
  if (backups.length === 0) return <p class="mute">There is no backup yet.</p>
  if (!last || Date.now() - Date.parse(last.createdAt) < OLD_MS) return null
  return <p class="nb">The last backup was made {ago(last.createdAt)}. Make one every day.</p>
}

function Files({ backups }: Pick<Listed, 'backups'>) {
  return (
    <Table columns={['File', 'Made', 'State', { right: 'Size' }]}>
      {backups.map(({ name, createdAt, isComplete, bytes: size }) => (
        <tr key={name}>
          <th scope="row" class="m">
            {name}
          </th>
          <td data-label="Made">
            <time dateTime={createdAt} title={dateTime(createdAt)}>
              {ago(createdAt)}
            </time>
          </td>
          <td>
            {isComplete ? (
              <Status tone="ok">Complete</Status>
            ) : (
              <Status tone="busy" pulse>
                Being written
              </Status>
            )}
          </td>
          <td class="r" data-label="Size">
            {bytes(size)}
          </td>
        </tr>
      ))}
    </Table>
  )
}
