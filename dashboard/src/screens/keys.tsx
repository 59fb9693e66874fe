import type { KeyScope } from '@docent/contract/values/permissions'
import type { Output } from '@docent/sdk'
import { useId, useState } from 'preact/hooks'
import { call } from '../api/call.ts'
import { useMay } from '../api/may.ts'
import { useAction } from '../api/use-action.ts'
import { useLoad } from '../api/use-load.ts'
import type { ScreenProps } from '../lib/router.ts'
import { Field } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { SecretTable } from '../ui/secret-table.tsx'
import { Section } from '../ui/section.tsx'
import { ServerPicker } from '../ui/server-picker.tsx'
import { ShownOnce } from '../ui/shown-once.tsx'
import { Loaded } from '../ui/states.tsx'

/** The API keys of the account. */
export function Keys({ query }: ScreenProps) {
  const keys = useLoad('keys', useMay()('keys.list') ? (signal) => call('keys.list', {}, { signal }) : null)
  const servers = useLoad('key servers', (signal) => call('servers.list', {}, { signal }))
  const nameOf = new Map(servers.data?.map(({ id, name }) => [id, name]))
  const scopeOf = (serverIds: readonly string[] | null) =>
    serverIds === null ? 'every server' : serverIds.map((server) => nameOf.get(server) ?? server).join(', ')
  const revoke = async (keyId: string) => {
    await call('keys.revoke', { keyId })
    keys.reload()
  }
  return (
    <>
      <PageHead title="API keys">
        <a class="btn" href="/approvals">
          Approvals
        </a>
      </PageHead>
      <Section
        to="keys.create"
        title="New key"
        about="For programs and the command line. A key manages servers; clients need access tokens instead."
      >
        <NewKey servers={servers.data?.filter(({ status }) => status !== 'deleted') ?? []} onMade={keys.reload} />
      </Section>
      <Section title="Keys" about="Valid now." to="keys.list">
        <Loaded from={keys} what="the keys">
          {({ keys: all }) =>
            all.length === 0 ? (
              <p class="mute">There is no key yet.</p>
            ) : (
              <SecretTable
                kind="Key"
                query={query}
                secrets={all.map(({ last4, serverIds, scopes, forAssistant, ...key }) => ({
                  ...key,
                  shown: `dk_live_…${last4}`,
                  sees: `${scopeOf(serverIds)}${scopes === null ? '' : ` (${scopes.join(', ')})`}${forAssistant ? ', with approvals' : ''}`,
                }))}
                about="Programs that use it are refused from their next request on."
                onRevoke={revoke}
                to="keys.revoke"
              />
            )
          }
        </Loaded>
      </Section>
      <Connections query={query} />
    </>
  )
}

/** Applications that somebody connected to a private server or the account by signing in. */
function Connections({ query }: Pick<ScreenProps, 'query'>) {
  const connections = useLoad('connections', (signal) => call('connections.list', {}, { signal }))
  const revoke = async (connectionId: string) => {
    await call('connections.revoke', { connectionId })
    connections.reload()
  }
  return (
    <Section title="Connections" about="Applications that were let in by signing in." last>
      <Loaded from={connections} what="the connections">
        {({ connections: all }) =>
          all.length === 0 ? (
            <p class="mute">
              Nobody has connected an application yet. Give it the address of a private server, and sign in.
            </p>
          ) : (
            <SecretTable
              kind="Application"
              query={query}
              secrets={all.map(({ id, name, host, returnsTo, serverName, createdAt, lastUsedAt }) => ({
                id,
                name,
                shown: host ?? `unchecked name, returns to ${returnsTo}`,
                sees: serverName ?? 'the whole account',
                createdAt,
                lastUsedAt,
              }))}
              about="The application is refused from its next request on."
              onRevoke={revoke}
              to="connections.revoke"
            />
          )
        }
      </Loaded>
    </Section>
  )
}

/** Uses of a key with the scopes that each needs. */
const USES: Record<
  'everything' | 'assistant' | 'content' | 'asking' | 'reading',
  { title: string; scopes: KeyScope[] | null; forAssistant?: true }
> = {
  everything: { title: 'do everything', scopes: null },
  assistant: { title: 'do everything, and ask before it publishes or deletes', scopes: null, forAssistant: true },
  content: { title: 'read, ask, and change sources, tools and rules', scopes: ['read', 'ask', 'write'] },
  asking: { title: 'read and ask', scopes: ['read', 'ask'] },
  reading: { title: 'read only', scopes: ['read'] },
}

function NewKey({ servers, onMade }: { servers: Output<'servers.list'>; onMade: () => void }) {
  const [name, setName] = useState('')
  const [server, setServer] = useState('')
  const [use, setUse] = useState<keyof typeof USES>('everything')
  const id = useId()
  const [plaintext, setPlaintext] = useState<string | null>(null)
  const create = useAction(async () => {
    const made = await call('keys.create', {
      name,
      scopes: USES[use].scopes,
      forAssistant: USES[use].forAssistant ?? false,
      ...(server === '' ? {} : { serverIds: [server] }),
    })
    setPlaintext(made.plaintext)
    setName('')
    onMade()
  })
  return (
    <>
      {plaintext && <ShownOnce what="The new key" text={plaintext} onDone={() => setPlaintext(null)} />}
      <Form action={create} submit="Make a key" isPrimary>
        <Field
          label="Name"
          required
          maxLength={100}
          value={name}
          placeholder="Who or what it is for"
          onInput={({ currentTarget }) => setName(currentTarget.value)}
        />
        <div class="field">
          <label for={id}>May</label>
          <select
            id={id}
            value={use}
            onChange={({ currentTarget }) => setUse(currentTarget.value as keyof typeof USES)}
          >
            {Object.entries(USES).map(([value, { title }]) => (
              <option key={value} value={value}>
                {title}
              </option>
            ))}
          </select>
        </div>
        <ServerPicker label="Sees" servers={servers} value={server} every="Every server" onChoose={setServer} />
      </Form>
    </>
  )
}
