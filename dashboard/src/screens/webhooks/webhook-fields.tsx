import type { Output } from '@docent/sdk'
import { Field } from '../../ui/field.tsx'

export type Available = Output<'webhooks.list'>['available']
export type Draft = { url: string; name: string; events: readonly Available[number]['type'][] }

type Props = { draft: Draft; available: Available; onChange: (draft: Draft) => void }

/** The fields of a webhook: its address, its name and its events. */
export function WebhookFields({ draft, available, onChange }: Props) {
  const { url, name, events } = draft
  return (
    <>
      <Field
        label="Address"
        type="url"
        required
        value={url}
        placeholder="https://hooks.example.com/docent"
        spellcheck={false}
        onInput={({ currentTarget }) => onChange({ ...draft, url: currentTarget.value })}
      />
      <Field
        label="Name"
        maxLength={100}
        value={name}
        placeholder="What it is for"
        onInput={({ currentTarget }) => onChange({ ...draft, name: currentTarget.value })}
      />
      <fieldset class="events">
        <legend class="lab">Events</legend>
        <ul class="choices">
          {available.map(({ type, about }) => (
            <li key={type}>
              <label>
                <input
                  type="checkbox"
                  checked={events.includes(type)}
                  onChange={() => {
                    const others = events.filter((other) => other !== type)
                    onChange({ ...draft, events: others.length < events.length ? others : [...events, type] })
                  }}
                />
                <span>
                  <code>{type}</code>
                  <span class="small mute">{about}.</span>
                </span>
              </label>
            </li>
          ))}
        </ul>
      </fieldset>
    </>
  )
}
