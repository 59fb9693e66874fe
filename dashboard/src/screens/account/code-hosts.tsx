import type { Output } from '@docent/sdk'
import { useState } from 'preact/hooks'
import { call } from '../../api/call.ts'
import { useAction } from '../../api/use-action.ts'
import { useLoad } from '../../api/use-load.ts'
import { ago, dateTime } from '../../lib/format.ts'
import { Allowed } from '../../ui/allowed.tsx'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { Field } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { Loaded, Problem } from '../../ui/states.tsx'

type Linked = Output<'linkedAccounts.get'>

const HOSTS = ['github.com', 'gitlab.com', 'bitbucket.org', 'codeberg.org']

/** Accounts at code hosts, whose private repositories can be indexed. */
export function CodeHosts() {
  const linked = useLoad('code hosts', (signal) =>
    Promise.all(HOSTS.map((host) => call('linkedAccounts.get', { host }, { signal }))),
  )
  return (
    <Loaded from={linked} what="the code hosts">
      {(all) => (
        <ul class="settings-list">
          {all.map((one) => (
            <Host key={one.host} item={one} onChange={linked.reload} />
          ))}
        </ul>
      )}
    </Loaded>
  )
}

function Host({ item, onChange }: { item: Linked; onChange: () => void }) {
  const { host, linked, login, linkedAt, appAvailable } = item
  const [isOpen, setOpen] = useState(false)
  const authorize = useAction(async () => {
    const { authorizeUrl } = await call('linkedAccounts.start', { host })
    location.assign(authorizeUrl)
  })
  return (
    <li>
      <div class="line">
        <p>
          <b>{host}</b>{' '}
          <span class="small mute">
            {linked ? `linked as ${login ?? 'an account'} ` : 'not linked'}
            {linkedAt && <time title={dateTime(linkedAt)}>{ago(linkedAt)}</time>}
          </span>
        </p>
        <p class="acts">
          {linked && (
            <ConfirmButton
              to="linkedAccounts.unlink"
              title={`Unlink ${host}`}
              about="Its token is deleted. Private repositories that are indexed stay, and are not read again."
              work={async () => {
                await call('linkedAccounts.unlink', { host })
                onChange()
              }}
            >
              Unlink
            </ConfirmButton>
          )}
          <Allowed to="linkedAccounts.link">
            {!linked && appAvailable && (
              <button type="button" class="btn s" disabled={authorize.isBusy} onClick={() => authorize.run()}>
                Link
              </button>
            )}
            <button
              type="button"
              class="btn s"
              aria-expanded={isOpen}
              aria-label={`Use a token for ${host}`}
              onClick={() => setOpen(!isOpen)}
            >
              Use a token
            </button>
          </Allowed>
        </p>
      </div>
      {authorize.error && <Problem error={authorize.error} />}
      {isOpen && (
        <TokenForm
          host={host}
          onDone={() => {
            setOpen(false)
            onChange()
          }}
        />
      )}
    </li>
  )
}

function TokenForm({ host, onDone }: { host: string; onDone: () => void }) {
  const [token, setToken] = useState('')
  const link = useAction(async () => {
    await call('linkedAccounts.link', { host, token })
    onDone()
  })
  return (
    <Form action={link} submit="Link the account">
      <Field
        label={`Personal access token of ${host}`}
        type="password"
        autocomplete="off"
        required
        value={token}
        hint="It only needs to read repositories. It is tested, then stored encrypted."
        onInput={({ currentTarget }) => setToken(currentTarget.value)}
      />
    </Form>
  )
}
