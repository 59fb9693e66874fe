import type { Output } from '@docent/sdk'
import { useState } from 'preact/hooks'
import { call } from '../../api/call.ts'
import { useAction } from '../../api/use-action.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { say } from '../../ui/notices.tsx'
import { Form } from '../../ui/form.tsx'
import { type Available, type Draft, WebhookFields } from './webhook-fields.tsx'

type Props = {
  webhook: Output<'webhooks.list'>['webhooks'][number]
  available: Available
  onClose: () => void
  onDone: () => void
}

/** Changes a webhook. Its secret stays. */
export function EditWebhook({ webhook: { id, url, name, events }, available, onClose, onDone }: Props) {
  const [draft, setDraft] = useState<Draft>({ url, name, events })
  const save = useAction(async () => {
    await call('webhooks.update', { webhookId: id, ...draft, url: draft.url.trim(), events: [...draft.events] })
    onClose()
    onDone()
    say('Saved')
  })
  return (
    <Dialog title={`Change ${name || 'the webhook'}`} onClose={onClose}>
      <Form action={save} submit="Save" isPrimary isDisabled={draft.events.length === 0}>
        <WebhookFields draft={draft} available={available} onChange={setDraft} />
        <p class="hint">The secret stays the same.</p>
      </Form>
    </Dialog>
  )
}
