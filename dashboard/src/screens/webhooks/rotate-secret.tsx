import { useState } from 'preact/hooks'
import { call } from '../../api/call.ts'
import { useAction } from '../../api/use-action.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Form } from '../../ui/form.tsx'

const OVERLAPS = [
  { hours: 24, words: 'for 24 hours' },
  { hours: 168, words: 'for a week' },
  { hours: 1, words: 'for an hour' },
  { hours: 0, words: 'not any more, because it has leaked' },
]

type Props = { webhookId: string; name: string; onClose: () => void; onSecret: (secret: string) => void }

/** Replaces the secret of a webhook. The old one signs beside it for a time. */
export function RotateSecret({ webhookId, name, onClose, onSecret }: Props) {
  const [hours, setHours] = useState(24)
  const rotate = useAction(async () => {
    const { secret } = await call('webhooks.rotate', { webhookId, overlapHours: hours })
    onClose()
    onSecret(secret)
  })
  return (
    <Dialog title={`Replace the secret of ${name}`} onClose={onClose}>
      <Form action={rotate} submit="Make a new secret" isPrimary>
        <p>Until the time is over, each event has two signatures. Change the receiver within it.</p>
        <label class="field">
          <span class="lab">The old secret also signs</span>
          <select value={hours} onChange={({ currentTarget }) => setHours(Number(currentTarget.value))}>
            {OVERLAPS.map((each) => (
              <option key={each.hours} value={each.hours}>
                {each.words}
              </option>
            ))}
          </select>
        </label>
      </Form>
    </Dialog>
  )
}
