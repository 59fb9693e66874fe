import { useState } from 'preact/hooks'
import { call } from '../../api/call.ts'
import { count, shortAddress } from '../../lib/format.ts'
import { kindOf, sourceName, unitOf, uploadOf } from '../../lib/words.ts'
import { Allowed } from '../../ui/allowed.tsx'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { Conflict } from '../../ui/conflict.tsx'
import { Field } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { PatternFields, type PatternTexts, linesOf } from '../../ui/pattern-fields.tsx'
import { useDraft } from '../../ui/use-draft.ts'
import { PushAddress } from './push-address.tsx'
import type { Server } from '../../ui/server-page.tsx'

type Part = { source: Server['sources'][number]; server: Server; onChange: () => void }

/** One source: its name, its path patterns and versions, and its end. */
export function SourceSettings({ source, server, onChange }: Part) {
  const [isOpen, setOpen] = useState(false)
  const name = sourceName(source)
  return (
    <li>
      <div class="line">
        <p>
          <b>{name}</b>{' '}
          <span class="small mute">
            {kindOf(source)}, {count(source.pagesIndexed, unitOf(source))}
            {source.hasCredential && ', with a credential'}
          </span>
        </p>
        <p class="acts">
          <Allowed to="sources.update">
            <button type="button" class="btn s" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
              Change
            </button>
          </Allowed>
          <ConfirmButton
            to="sources.remove"
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
      {isOpen && (
        <>
          <Change source={source} server={server} onChange={onChange} />
          {uploadOf(source) === null && <PushAddress id={server.id} sourceId={source.id} />}
        </>
      )}
    </li>
  )
}

const FIELDS = {
  label: 'Display name',
  include: 'Only these paths',
  exclude: 'Without these paths',
  versions: 'Further versions',
} as const

const fieldsOf = ({ label, include, exclude, versions }: Pick<Part['source'], keyof typeof FIELDS>) => ({
  label: label ?? '',
  include: include.join('\n'),
  exclude: exclude.join('\n'),
  versions: versions.join('\n'),
})

function Change({ source, server, onChange }: Part) {
  const draft = useDraft({
    saved: fieldsOf(source),
    read: async () => {
      const { sources } = await call('servers.get', { id: server.id })
      return fieldsOf(sources.find(({ id }) => id === source.id) ?? source)
    },
    write: ({ label, ...patterns }) =>
      call('sources.update', {
        id: server.id,
        sourceId: source.id,
        ...(label === undefined ? {} : { label: label.trim() || null }),
        ...Object.fromEntries(Object.entries(patterns).map(([name, text]) => [name, linesOf(text)])),
      }),
    onSaved: onChange,
  })
  const { values, change, save, theirs, isChanged } = draft
  return (
    <Form
      action={save}
      submit="Save"
      isChanged={isChanged}
      problem={theirs && <Conflict draft={draft} labels={FIELDS} />}
    >
      <p class="m small mute">{source.url}</p>
      <Field
        label={FIELDS.label}
        maxLength={100}
        value={values.label}
        placeholder={shortAddress(source.url)}
        onInput={({ currentTarget }) => change({ label: currentTarget.value })}
      />
      <PatternFields value={values} onChange={(texts) => change(changedOf(values, texts))} />
      <p class="hint">Changed patterns and versions start indexing again.</p>
    </Form>
  )
}

/** Those of the fields that were edited. */
const changedOf = (before: PatternTexts, after: PatternTexts): Partial<PatternTexts> =>
  Object.fromEntries(Object.entries(after).filter(([name, text]) => before[name as keyof PatternTexts] !== text))
