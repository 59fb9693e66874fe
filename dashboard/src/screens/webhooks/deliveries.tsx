import type { Output } from '@docent/sdk'
import { call } from '../../api/call.ts'
import { useAction } from '../../api/use-action.ts'
import { useLoad } from '../../api/use-load.ts'
import { ago, count, dateTime, duration } from '../../lib/format.ts'
import { Loaded, Problem } from '../../ui/states.tsx'
import { Status, type Tone } from '../../ui/status.tsx'
import { Table } from '../../ui/table.tsx'

type Delivery = Output<'webhooks.deliveries'>['deliveries'][number]

const STATES: Record<Delivery['state'], { tone: Tone; word: string }> = {
  queued: { tone: 'busy', word: 'Waiting' },
  delivered: { tone: 'ok', word: 'Delivered' },
  failed: { tone: 'bad', word: 'Failed' },
}

/** The result of the last attempt, such as `204 after 38 ms`. */
export function resultOf({ attempts, nextAttemptAt }: Delivery): string {
  const last = attempts.at(-1)
  if (!last) return nextAttemptAt ? 'Not sent yet' : 'Ended before it was sent, because the webhook was switched off'
  return last.error ?? `${last.status} after ${duration(last.durationMs)}`
}

/** The last deliveries of a webhook, newest first. Each can be sent again. */
export function Deliveries({ webhookId, onSent }: { webhookId: string; onSent: () => void }) {
  const log = useLoad(`deliveries ${webhookId}`, (signal) => call('webhooks.deliveries', { webhookId }, { signal }))
  return (
    <Loaded from={log} what="the log">
      {({ deliveries }) =>
        deliveries.length === 0 ? (
          <p class="mute">Nothing was sent yet.</p>
        ) : (
          <Table columns={['Event', 'State', 'Result', 'Made']} hasActions>
            {deliveries.map((delivery) => (
              <Row
                key={delivery.id}
                delivery={delivery}
                webhookId={webhookId}
                onSent={() => {
                  log.reload()
                  onSent()
                }}
              />
            ))}
          </Table>
        )
      }
    </Loaded>
  )
}

function Row({ delivery, webhookId, onSent }: { delivery: Delivery; webhookId: string; onSent: () => void }) {
  const { id, type, state, attempts, nextAttemptAt, createdAt } = delivery
  const { tone, word } = STATES[state]
  const resend = useAction(async () => {
    await call('webhooks.resend', { webhookId, deliveryId: id })
    onSent()
  })
  return (
    <tr>
      <th scope="row">
        {type}
        <p class="small mute m">{id}</p>
      </th>
      <td>
        <Status tone={tone}>{word}</Status>
      </td>
      <td data-label="Result">
        {resultOf(delivery)}
        {attempts.length > 1 && <p class="small mute">{count(attempts.length, 'attempt')}</p>}
        {nextAttemptAt && attempts.length > 0 && (
          <p class="small mute">
            Again <time title={dateTime(nextAttemptAt)}>{ago(nextAttemptAt)}</time>
          </p>
        )}
      </td>
      <td data-label="Made">
        <time title={dateTime(createdAt)}>{ago(createdAt)}</time>
      </td>
      <td class="r">
        <button type="button" class="btn s" disabled={resend.isBusy} onClick={() => resend.run()}>
          {resend.isBusy ? 'Sending …' : state === 'queued' ? 'Send now' : 'Send again'}
        </button>
        {resend.error && <Problem error={resend.error} />}
      </td>
    </tr>
  )
}
