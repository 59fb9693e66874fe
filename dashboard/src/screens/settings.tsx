import { useState } from 'preact/hooks'
import { call } from '../api/call.ts'
import { useAction } from '../api/use-action.ts'
import { navigate, type ScreenProps } from '../lib/router.ts'
import { ConfirmButton } from '../ui/confirm-button.tsx'
import { Field, TextArea } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { Section } from '../ui/section.tsx'
import { type Server, ServerPage } from '../ui/server-page.tsx'
import { ShownOnce } from '../ui/shown-once.tsx'
import { Problem } from '../ui/states.tsx'
import { AccessTokens } from './settings/access-tokens.tsx'
import { AddSource } from './settings/add-source.tsx'
import { SourceSettings } from './settings/source-settings.tsx'

type Part = { server: Server; onChange: () => void }

/** The settings of a server: its name, sources, access and deletion. */
export function Settings({ params: { slug = '' } }: ScreenProps) {
  return (
    <ServerPage slug={slug} tab="settings">
      {(server, { reload }) => (
        <>
          <Section title="Sources" about="What the server answers from." id="sources">
            <ul class="settings-list">
              {server.sources.map((source) => (
                <SourceSettings key={source.id} source={source} server={server} onChange={reload} />
              ))}
            </ul>
            <AddSource server={server} onChange={reload} />
          </Section>
          <Section title="About" about="The address stays the same.">
            <About key={server.updatedAt} server={server} onChange={reload} />
          </Section>
          <Section title="Access" about="Who may call it.">
            <Access server={server} onChange={reload} />
          </Section>
          {server.visibility === 'private' && (
            <Section title="Access tokens" about="One for each client. They open this server only.">
              <AccessTokens server={server} />
            </Section>
          )}
          <Section title="Delete" about="It can be restored for seven days." last>
            <ConfirmButton
              title={`Delete ${server.name}`}
              about="The endpoint stops answering at once. The server can be restored for seven days."
              class="btn danger"
              work={async () => {
                await call('servers.delete', { id: server.id })
                navigate('/servers')
              }}
            >
              Delete the server
            </ConfirmButton>
          </Section>
        </>
      )}
    </ServerPage>
  )
}

const REFRESH = { off: 'Only by hand', hourly: 'Every hour', daily: 'Every day', weekly: 'Every week' } as const
type Refresh = keyof typeof REFRESH

function About({ server, onChange }: Part) {
  const [name, setName] = useState(server.name)
  const [description, setDescription] = useState(server.description ?? '')
  const [refresh, setRefresh] = useState<Refresh>(server.refresh)
  const save = useAction(async () => {
    await call('servers.update', { id: server.id, name, description: description.trim() || null, refresh })
    onChange()
  })
  return (
    <Form action={save} submit="Save">
      <Field
        label="Name"
        required
        maxLength={200}
        value={name}
        onInput={({ currentTarget }) => setName(currentTarget.value)}
      />
      <TextArea label="Description" maxLength={2000} value={description} onText={setDescription} />
      <label class="field">
        <span class="lab">Index again</span>
        <select value={refresh} onChange={({ currentTarget }) => setRefresh(currentTarget.value as Refresh)}>
          {Object.entries(REFRESH).map(([value, title]) => (
            <option key={value} value={value}>
              {title}
            </option>
          ))}
        </select>
      </label>
    </Form>
  )
}

function Access({ server, onChange }: Part) {
  const [token, setToken] = useState<string | null>(null)
  const change = useAction(async () => {
    const visibility = server.visibility === 'public' ? 'private' : 'public'
    const { issuedToken } = await call('servers.setVisibility', { id: server.id, visibility })
    setToken(issuedToken?.plaintext ?? null)
    onChange()
  })
  return (
    <>
      {token && <ShownOnce what="The first access token" text={token} onDone={() => setToken(null)} />}
      <p>
        {server.visibility === 'public'
          ? 'Public: anybody who has the address can call it.'
          : 'Private: only callers with an access token.'}
      </p>
      {change.error && <Problem error={change.error} />}
      <div class="go">
        <button type="button" class="btn" disabled={change.isBusy} onClick={() => change.run()}>
          {server.visibility === 'public' ? 'Make it private' : 'Make it public'}
        </button>
      </div>
    </>
  )
}
