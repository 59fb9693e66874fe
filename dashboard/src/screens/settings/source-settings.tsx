import { useState } from 'preact/hooks'
import { call } from '../../api/call.ts'
import { count, shortAddress } from '../../lib/format.ts'
import { kindOf, sourceName, unitOf, uploadOf } from '../../lib/words.ts'
import { Allowed } from '../../ui/allowed.tsx'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { Conflict } from '../../ui/conflict.tsx'
import { Field } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { PatternFields } from '../../ui/pattern-fields.tsx'
import { useDraft } from '../../ui/use-draft.ts'
import { PushAddress } from './push-address.tsx'
import type { Server } from '../../ui/server-page.tsx'

type Part = { source: Server['sources'][number]; server: Server; onChange: () => void }

/** One source: its name, its path patterns and its end. */
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

const FIELDS = { label: 'Display name', include: 'Only these paths', exclude: 'Without these paths' } as const

const fieldsOf = ({ label, include, exclude }: Pick<Part['source'], 'label' | 'include' | 'exclude'>) => ({
  label: label ?? '',
  include: include.join('\n'),
  exclude: exclude.join('\n'),
})

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)

function Change({ source, server, onChange }: Part) {
  const draft = useDraft({
    saved: fieldsOf(source),
    read: async () => {
      const { sources } = await call('servers.get', { id: server.id })
      return fieldsOf(sources.find(({ id }) => id === source.id) ?? source)
    },
    write: ({ label, include, exclude }) =>
      call('sources.update', {
        id: server.id,
        sourceId: source.id,
        ...(label === undefined ? {} : { label: label.trim() || null }),
        ...(include === undefined ? {} : { include: linesOf(include) }),
        ...(exclude === undefined ? {} : { exclude: linesOf(exclude) }),
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
      <PatternFields
        value={values}
        onChange={({ include, exclude }) => change(changedOf(values, { include, exclude }))}
      />
      <p class="hint">Changed patterns start indexing again.</p>
    </Form>
  )
}

type Patterns = { include: string; exclude: string }

/** The one of two fields that was edited. */
const changedOf = (before: Patterns, after: Patterns): Partial<Patterns> => ({
  ...(before.include === after.include ? {} : { include: after.include }),
  ...(before.exclude === after.exclude ? {} : { exclude: after.exclude }),
})
