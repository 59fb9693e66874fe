import type { Output } from '@docent/sdk'
import { useState } from 'preact/hooks'
import { call } from '../api/call.ts'
import { useAction } from '../api/use-action.ts'
import { useLoad } from '../api/use-load.ts'
import { ago, dateTime } from '../lib/format.ts'
import { ConfirmButton } from '../ui/confirm-button.tsx'
import { Field } from '../ui/field.tsx'
import { Section } from '../ui/section.tsx'
import { ShownOnce } from '../ui/shown-once.tsx'
import { Loaded, Problem } from '../ui/states.tsx'
import { useTitle } from '../ui/use-title.ts'

type Key = Output<'keys.list'>['keys'][number]

/** The API keys of the account. */
export function Keys() {
  useTitle('API keys')
  const keys = useLoad('keys', (signal) => call('keys.list', {}, { signal }))
  const servers = useLoad('key servers', (signal) => call('servers.list', {}, { signal }))
  const nameOf = new Map(servers.data?.map(({ id, name }) => [id, name]))
  return (
    <>
      <div class="head">
        <h1>API keys</h1>
      </div>
      <Section
        title="New key"
        about="For programs and the command line. A key manages servers; clients need access tokens instead."
      >
        <NewKey servers={servers.data?.filter(({ status }) => status !== 'deleted') ?? []} onMade={keys.reload} />
      </Section>
      <Section title="Keys" about="Valid now." last>
        <Loaded from={keys} what="the keys">
          {({ keys: all }) =>
            all.length === 0 ? (
              <p class="mute">There is no key yet.</p>
            ) : (
              <table class="table">
                <thead>
                  <tr>
                    <th scope="col">Name</th>
                    <th scope="col">Key</th>
                    <th scope="col">Sees</th>
                    <th scope="col">Last used</th>
                    <th scope="col" class="r">
                      <span class="vh">What you can do</span>
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {all.map((key) => (
                    <Row key={key.id} item={key} nameOf={nameOf} onChange={keys.reload} />
                  ))}
                </tbody>
              </table>
            )
          }
        </Loaded>
      </Section>
    </>
  )
}

function Row({ item, nameOf, onChange }: { item: Key; nameOf: ReadonlyMap<string, string>; onChange: () => void }) {
  const { id, name, last4, serverIds, lastUsedAt } = item
  return (
    <tr>
      <th scope="row">{name}</th>
      <td class="m">dk_live_…{last4}</td>
      <td data-label="Sees">
        {serverIds === null ? 'every server' : serverIds.map((server) => nameOf.get(server) ?? server).join(', ')}
      </td>
      <td data-label="Last used">
        {lastUsedAt ? <time title={dateTime(lastUsedAt)}>{ago(lastUsedAt)}</time> : 'never'}
      </td>
      <td class="r">
        <ConfirmButton
          title={`Revoke ${name}`}
          about="Programs that use it are refused from their next request on."
          work={async () => {
            await call('keys.revoke', { keyId: id })
            onChange()
          }}
        >
          Revoke
        </ConfirmButton>
      </td>
    </tr>
  )
}

function NewKey({ servers, onMade }: { servers: Output<'servers.list'>; onMade: () => void }) {
  const [name, setName] = useState('')
  const [server, setServer] = useState('')
  const [plaintext, setPlaintext] = useState<string | null>(null)
  const create = useAction(async () => {
    const made = await call('keys.create', { name, ...(server === '' ? {} : { serverIds: [server] }) })
    setPlaintext(made.plaintext)
    setName('')
    onMade()
  })
  return (
    <>
      {plaintext && <ShownOnce what="The new key" text={plaintext} onDone={() => setPlaintext(null)} />}
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          create.run()
        }}
      >
        <Field
          label="Name"
          required
          maxLength={100}
          value={name}
          placeholder="Who or what it is for"
          onInput={({ currentTarget }) => setName(currentTarget.value)}
        />
        <label class="field">
          <span class="lab">Sees</span>
          <select value={server} onChange={({ currentTarget }) => setServer(currentTarget.value)}>
            <option value="">Every server</option>
            {servers.map(({ id, name: title }) => (
              <option key={id} value={id}>
                Only {title}
              </option>
            ))}
          </select>
        </label>
        {create.error && <Problem error={create.error} />}
        <div class="go">
          <button type="submit" class="btn p" disabled={create.isBusy}>
            Make a key
          </button>
        </div>
      </form>
    </>
  )
}
