import type { Output } from '@docent/sdk'
import { useState } from 'preact/hooks'
import { call } from '../../api/call.ts'
import { useAction } from '../../api/use-action.ts'
import { useLoad } from '../../api/use-load.ts'
import { ago, count, dateTime } from '../../lib/format.ts'
import { Allowed } from '../../ui/allowed.tsx'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { Field } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { Loaded } from '../../ui/states.tsx'

type Access = Output<'siteAccess.save'>
type Kind = Access['kind']

const KINDS: readonly [Kind, string][] = [
  ['basic', 'User and password'],
  ['header', 'Header'],
  ['cookie', 'Cookie'],
]

/** Credentials for sites behind a login. */
export function SiteAccess() {
  const all = useLoad('site access', (signal) => call('siteAccess.list', {}, { signal }))
  const [isOpen, setOpen] = useState(false)
  return (
    <Loaded from={all} what="the sites">
      {({ siteAccess }) => (
        <>
          {siteAccess.length === 0 && !isOpen && <p class="mute">No site.</p>}
          <ul class="settings-list">
            {siteAccess.map((access) => (
              <Site key={access.id} access={access} onChange={all.reload} />
            ))}
            {isOpen && (
              <li>
                <AccessForm
                  onDone={() => {
                    setOpen(false)
                    all.reload()
                  }}
                />
              </li>
            )}
          </ul>
          {!isOpen && (
            <Allowed to="siteAccess.save">
              <p class="go">
                <button type="button" class="btn s" onClick={() => setOpen(true)}>
                  Add a site
                </button>
              </p>
            </Allowed>
          )}
        </>
      )}
    </Loaded>
  )
}

function Site({ access, onChange }: { access: Access; onChange: () => void }) {
  const { id, origin, kind, lastUsedAt, sources } = access
  const unused = sources.filter(({ usesAccess }) => !usesAccess)
  const users = sources.length - unused.length
  return (
    <li>
      <div class="line">
        <p>
          <b>{origin}</b>{' '}
          <span class="small mute">
            {KINDS.find(([each]) => each === kind)?.[1]}, {count(users, 'source')},{' '}
            {lastUsedAt ? <time title={dateTime(lastUsedAt)}>used {ago(lastUsedAt)}</time> : 'not used yet'}
          </span>
        </p>
        <p class="acts">
          <ConfirmButton
            to="siteAccess.remove"
            title={`Remove ${origin}`}
            about={`The credential is deleted, and everything that was read with it: the content of ${count(users, 'source')}.`}
            work={async () => {
              await call('siteAccess.remove', { siteAccessId: id })
              onChange()
            }}
          >
            Remove
          </ConfirmButton>
        </p>
      </div>
      {unused.map(({ sourceId, slug, url }) => (
        <p key={sourceId} class="small">
          <a href={`/servers/${slug}`}>{url}</a> is not read with it. Remove the source and add it again. Its server
          becomes private then.
        </p>
      ))}
    </li>
  )
}

function AccessForm({ onDone }: { onDone: () => void }) {
  const [kind, setKind] = useState<Kind>('basic')
  const [origin, setOrigin] = useState('')
  const [name, setName] = useState('')
  const [secret, setSecret] = useState('')
  const save = useAction(async () => {
    const credential = {
      basic: { basic: { user: name, password: secret } },
      header: { header: { name, value: secret } },
      cookie: { cookie: secret },
    }[kind]
    await call('siteAccess.save', { origin, ...credential })
    onDone()
  })
  return (
    <Form action={save} submit="Try and save">
      <Field
        label="Address of the site"
        type="url"
        required
        placeholder="https://"
        value={origin}
        hint="The credential is sent to this host only. It is tried at this address, then stored encrypted, in place of an earlier one."
        onInput={({ currentTarget }) => setOrigin(currentTarget.value)}
      />
      <fieldset class="choice">
        <legend class="lab">Credential</legend>
        {KINDS.map(([value, title]) => (
          <label key={value} class="check">
            <input type="radio" name="access-kind" checked={kind === value} onChange={() => setKind(value)} />
            {title}
          </label>
        ))}
      </fieldset>
      {kind !== 'cookie' && (
        <Field
          label={kind === 'basic' ? 'User' : 'Name of the header'}
          required
          autocomplete="off"
          value={name}
          onInput={({ currentTarget }) => setName(currentTarget.value)}
        />
      )}
      <Field
        label={{ basic: 'Password', header: 'Value of the header', cookie: 'Cookie' }[kind]}
        type="password"
        required={kind !== 'basic'}
        autocomplete="off"
        value={secret}
        hint={kind === 'cookie' ? COOKIE_HINT : undefined}
        onInput={({ currentTarget }) => setSecret(currentTarget.value)}
      />
    </Form>
  )
}

const COOKIE_HINT =
  'Sign in with your browser. In its developer tools, under Network, copy the value of the Cookie header of a request to the site.'
