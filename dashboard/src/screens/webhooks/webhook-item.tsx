import type { Output } from '@docent/sdk'
import { useState } from 'preact/hooks'
import { call } from '../../api/call.ts'
import { useAction } from '../../api/use-action.ts'
import { ago, count, dateTime } from '../../lib/format.ts'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { ShownOnce } from '../../ui/shown-once.tsx'
import { Problem } from '../../ui/states.tsx'
import { Status } from '../../ui/status.tsx'
import { Deliveries, resultOf } from './deliveries.tsx'
import { EditWebhook } from './edit-webhook.tsx'
import { RotateSecret } from './rotate-secret.tsx'
import type { Available } from './webhook-fields.tsx'

type Webhook = Output<'webhooks.list'>['webhooks'][number]

type Props = { webhook: Webhook; available: Available; onChange: () => void }

/** A webhook with its state, its actions and its log. */
export function WebhookItem({ webhook, available, onChange }: Props) {
  const { id: webhookId, url, name, events, enabled } = webhook
  const [isOpen, setOpen] = useState(false)
  const [dialog, setDialog] = useState<'edit' | 'rotate' | null>(null)
  const [secret, setSecret] = useState<string | null>(null)
  const { test, turn, error, result, round, refresh, forget } = useWebhook(webhookId, onChange)
  return (
    <li>
      <h3>{name || new URL(url).host}</h3>
      <p class="small m">{url}</p>
      <p class="small mute">{events.join(', ')}</p>
      <State webhook={webhook} />
      <div class="go">
        <button type="button" class="btn s" disabled={test.isBusy} onClick={() => test.run()}>
          {test.isBusy ? 'Sending …' : 'Send a test'}
        </button>
        <button type="button" class="btn s" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Hide the log' : 'Show the log'}
        </button>
        <button type="button" class="btn s" onClick={() => setDialog('edit')}>
          Change
        </button>
        <button type="button" class="btn s" onClick={() => setDialog('rotate')}>
          Replace the secret
        </button>
        <button type="button" class="btn s" disabled={turn.isBusy} onClick={() => turn.run(!enabled)}>
          {enabled ? 'Switch off' : 'Switch on'}
        </button>
        <DeleteButton webhook={webhook} onDone={onChange} />
      </div>
      <div role="status">{result && <p class="nb">{result}</p>}</div>
      {error && <Problem error={error} />}
      {secret && (
        <ShownOnce
          what="The new secret. Give it to the receiver"
          text={secret}
          onDone={() => {
            setSecret(null)
            refresh()
          }}
        />
      )}
      {dialog === 'edit' && (
        <EditWebhook webhook={webhook} available={available} onClose={() => setDialog(null)} onDone={refresh} />
      )}
      {dialog === 'rotate' && (
        <RotateSecret
          webhookId={webhookId}
          name={name || url}
          onClose={() => setDialog(null)}
          onSecret={(made) => {
            setSecret(made)
            forget()
          }}
        />
      )}
      {isOpen && <Deliveries key={round} webhookId={webhookId} onSent={forget} />}
    </li>
  )
}

/** Sends a test, and switches the webhook on and off. `round` grows with each change, so that the log is read again. */
function useWebhook(webhookId: string, onChange: () => void) {
  const [round, setRound] = useState(0)
  const [result, setResult] = useState<string | null>(null)
  const refresh = () => {
    setRound((old) => old + 1)
    onChange()
  }
  /** After something else was sent, the result of an earlier test is out of date. */
  const forget = () => {
    setResult(null)
    onChange()
  }
  const test = useAction(async () => {
    setResult(null)
    const delivery = await call('webhooks.test', { webhookId })
    setResult(delivery.state === 'delivered' ? `The test came through: ${resultOf(delivery)}.` : resultOf(delivery))
    refresh()
  })
  const turn = useAction(async (on: boolean) => {
    await call('webhooks.update', { webhookId, enabled: on })
    refresh()
  })
  return { test, turn, error: test.error ?? turn.error, result, round, refresh, forget }
}

function DeleteButton({ webhook: { id, name, url }, onDone }: { webhook: Webhook; onDone: () => void }) {
  return (
    <ConfirmButton
      to="webhooks.delete"
      title={`Delete the webhook ${name || url}`}
      about="Waiting deliveries and the log are deleted too."
      work={async () => {
        await call('webhooks.delete', { webhookId: id })
        onDone()
      }}
    >
      Delete
    </ConfirmButton>
  )
}

function State({ webhook }: { webhook: Webhook }) {
  const { enabled, disabledReason, failingSince, lastDeliveredAt, waiting, dropped, previousSecretUntil } = webhook
  const [tone, word] = !enabled
    ? (['wait', 'Off'] as const)
    : failingSince
      ? (['bad', 'Failing'] as const)
      : (['ok', 'On'] as const)
  return (
    <>
      <p class="small">
        <Status tone={tone}>{word}</Status>{' '}
        {enabled && failingSince && (
          <>
            since <time title={dateTime(failingSince)}>{ago(failingSince)}</time>.{' '}
          </>
        )}
        {lastDeliveredAt ? (
          <>
            Last delivered <time title={dateTime(lastDeliveredAt)}>{ago(lastDeliveredAt)}</time>.
          </>
        ) : (
          'Nothing was delivered yet.'
        )}
        {waiting > 0 && ` ${count(waiting, 'event')} waiting.`}
        {dropped > 0 && ` ${count(dropped, 'event')} dropped, because too many were waiting.`}
      </p>
      {previousSecretUntil && (
        <p class="small mute">
          The old secret also signs until{' '}
          <time title={dateTime(previousSecretUntil)}>{dateTime(previousSecretUntil)}</time>.
        </p>
      )}
      {disabledReason && <p class="nb">The service switched it off. {disabledReason}</p>}
    </>
  )
}
