import type { Output } from '@docent/sdk'
import { useState } from 'preact/hooks'
import { call } from '../../api/call.ts'
import { useAction } from '../../api/use-action.ts'
import { Field } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { ShownOnce } from '../../ui/shown-once.tsx'

type Available = Output<'webhooks.list'>['available']
type Event = Available[number]['type']

/** Makes a webhook, and shows its secret once. */
export function NewWebhook({
  available,
  isFull,
  onMade,
}: {
  available: Available
  isFull: boolean
  onMade: () => void
}) {
  const [url, setUrl] = useState('')
  const [name, setName] = useState('')
  const [events, setEvents] = useState<readonly Event[]>(['server.failed', 'limit.reached'])
  const [secret, setSecret] = useState<string | null>(null)
  const create = useAction(async () => {
    const made = await call('webhooks.create', { url: url.trim(), name, events: [...events] })
    setSecret(made.secret)
    setUrl('')
    setName('')
    onMade()
  })
  const toggle = (type: Event) =>
    setEvents(events.includes(type) ? events.filter((other) => other !== type) : [...events, type])
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
        <Form action={create} submit="Make a webhook" isPrimary isDisabled={events.length === 0}>
          <Field
            label="Address"
            type="url"
            required
            value={url}
            placeholder="https://hooks.example.com/docent"
            spellcheck={false}
            onInput={({ currentTarget }) => setUrl(currentTarget.value)}
          />
          <Field
            label="Name"
            maxLength={100}
            value={name}
            placeholder="What it is for"
            onInput={({ currentTarget }) => setName(currentTarget.value)}
          />
          <fieldset class="events">
            <legend class="lab">Events</legend>
            <ul class="choices">
              {available.map(({ type, about }) => (
                <li key={type}>
                  <label>
                    <input type="checkbox" checked={events.includes(type)} onChange={() => toggle(type)} />
                    <span>
                      <code>{type}</code>
                      <span class="small mute">{about}.</span>
                    </span>
                  </label>
                </li>
              ))}
            </ul>
          </fieldset>
        </Form>
      )}
    </>
  )
}
