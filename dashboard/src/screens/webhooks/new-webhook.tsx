import { useState } from 'preact/hooks'
import { call } from '../../api/call.ts'
import { useAction } from '../../api/use-action.ts'
import { Form } from '../../ui/form.tsx'
import { ShownOnce } from '../../ui/shown-once.tsx'
import { type Available, type Draft, WebhookFields } from './webhook-fields.tsx'

const EMPTY: Draft = { url: '', name: '', events: ['server.failed', 'limit.reached'] }

type Props = { available: Available; isFull: boolean; onMade: () => void }

/** Makes a webhook, and shows its secret once. */
export function NewWebhook({ available, isFull, onMade }: Props) {
  const [draft, setDraft] = useState(EMPTY)
  const [secret, setSecret] = useState<string | null>(null)
  const create = useAction(async () => {
    const made = await call('webhooks.create', { ...draft, url: draft.url.trim(), events: [...draft.events] })
    setSecret(made.secret)
    setDraft(EMPTY)
    onMade()
  })
  return (
    <>
      {secret && (
        <ShownOnce
          what="The secret of the new webhook. The receiver verifies signatures with it"
          text={secret}
          onDone={() => setSecret(null)}
        />
      )}
      {isFull ? (
        <p class="mute">There are as many webhooks as an account can have. Delete one first.</p>
      ) : (
        <Form action={create} submit="Make a webhook" isPrimary isDisabled={draft.events.length === 0}>
          <WebhookFields draft={draft} available={available} onChange={setDraft} />
        </Form>
      )}
    </>
  )
}
