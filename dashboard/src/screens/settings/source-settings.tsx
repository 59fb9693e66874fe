import { useState } from 'preact/hooks'
import { call } from '../../api/call.ts'
import { useAction } from '../../api/use-action.ts'
import { count, shortAddress } from '../../lib/format.ts'
import { typeTitle } from '../../lib/words.ts'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { Field } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { PatternFields } from '../../ui/pattern-fields.tsx'
import type { Server } from '../../ui/server-page.tsx'

type Part = { source: Server['sources'][number]; server: Server; onChange: () => void }

/** One source: its name, its path patterns and its end. */
export function SourceSettings({ source, server, onChange }: Part) {
  const [isOpen, setOpen] = useState(false)
  const name = source.label ?? shortAddress(source.url)
  return (
    <li>
      <div class="line">
        <p>
          <b>{name}</b>{' '}
          <span class="small mute">
            {typeTitle(source.type)}, {count(source.pagesIndexed, 'page')}
            {source.hasCredential && ', with a credential'}
          </span>
        </p>
        <p class="acts">
          <button type="button" class="btn s" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            Change
          </button>
          <ConfirmButton
            title={`Remove ${name}`}
            about="Everything indexed from it is deleted, at once and for good."
            work={async () => {
              await call('sources.remove', { id: server.id, sourceId: source.id })
              onChange()
            }}
          >
            Remove
          </ConfirmButton>
        </p>
      </div>
      {isOpen && <Change source={source} server={server} onChange={onChange} />}
    </li>
  )
}

function Change({ source, server, onChange }: Part) {
  const [label, setLabel] = useState(source.label ?? '')
  const [patterns, setPatterns] = useState({
    include: source.include.join('\n'),
    exclude: source.exclude.join('\n'),
  })
  const save = useAction(async () => {
    const lines = (text: string) =>
      text
        .split('\n')
        .map((line) => line.trim())
        .filter(Boolean)
    await call('sources.update', {
      id: server.id,
      sourceId: source.id,
      label: label.trim() || null,
      include: lines(patterns.include),
      exclude: lines(patterns.exclude),
    })
    onChange()
  })
  return (
    <Form action={save} submit="Save">
      <p class="m small mute">{source.url}</p>
      <Field
        label="Display name"
        maxLength={100}
        value={label}
        placeholder={shortAddress(source.url)}
        onInput={({ currentTarget }) => setLabel(currentTarget.value)}
      />
      <PatternFields value={patterns} onChange={setPatterns} />
      <p class="hint">Changed patterns start indexing again.</p>
    </Form>
  )
}
