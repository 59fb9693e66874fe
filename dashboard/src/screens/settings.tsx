import { useState } from 'preact/hooks'
import { call } from '../api/call.ts'
import { useAction } from '../api/use-action.ts'
import { navigate, type ScreenProps } from '../lib/router.ts'
import { Allowed } from '../ui/allowed.tsx'
import { CallerLimits } from '../ui/caller-limits.tsx'
import { ConfirmButton } from '../ui/confirm-button.tsx'
import { Conflict } from '../ui/conflict.tsx'
import { Field, TextArea } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { say } from '../ui/notices.tsx'
import { Section } from '../ui/section.tsx'
import { type Server, ServerPage } from '../ui/server-page.tsx'
import { ShownOnce } from '../ui/shown-once.tsx'
import { SourceList } from '../ui/source-list.tsx'
import { Problem } from '../ui/states.tsx'
import { useDraft } from '../ui/use-draft.ts'
import { AccessTokens } from './settings/access-tokens.tsx'
import { AddSource } from './settings/add-source.tsx'
import { SourceSettings } from './settings/source-settings.tsx'

type Part = { server: Server; onChange: () => void }

/** The settings of a server: its name, sources, access and deletion. */
export function Settings({ params: { slug = '' }, query }: ScreenProps) {
  return (
    <ServerPage slug={slug} tab="settings">
      {(server, { reload }) => (
        <>
          <Section title="Sources" about="What the server answers from." id="sources">
            <SourceList sources={server.sources} sizes={[20, 12]} query={query}>
              {(shown) => (
                <ul class="settings-list">
                  {shown.map((source) => (
                    <SourceSettings key={source.id} source={source} server={server} onChange={reload} />
                  ))}
                </ul>
              )}
            </SourceList>
            <Allowed to="sources.add" says>
              <AddSource server={server} onChange={reload} />
            </Allowed>
          </Section>
          <Section title="About" about="The address stays the same.">
            <About server={server} onChange={reload} />
          </Section>
          <Section title="Access" about="Who may call it.">
            <Access server={server} onChange={reload} />
          </Section>
          <Section
            title="Pages over HTTP"
            about="For agents that read Markdown, and for links of citations to uploads."
            to="servers.update"
          >
            <WebPages server={server} onChange={reload} />
          </Section>
          {server.visibility === 'private' && (
            <Section
              title="Access tokens"
              about="One for each client. They open this server only."
              to="accessTokens.list"
            >
              <AccessTokens server={server} query={query} />
            </Section>
          )}
          <Section
            title="Export"
            about="Settings, pages and index as one file. It has no tokens, credentials or calls."
            to="servers.export"
          >
            <Export server={server} />
          </Section>
          <Section title="Delete" about="It can be restored for seven days." to="servers.delete" last>
            <ConfirmButton
              to="servers.delete"
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

const FIELDS = { name: 'Name', description: 'Description', refresh: 'Index again' } as const

const fieldsOf = ({ name, description, refresh }: Pick<Server, 'name' | 'description' | 'refresh'>) => ({
  name,
  description: description ?? '',
  refresh: refresh as string,
})

function About({ server, onChange }: Part) {
  const draft = useDraft({
    saved: fieldsOf(server),
    read: async () => fieldsOf(await call('servers.get', { id: server.id })),
    write: ({ name, description, refresh }) =>
      call('servers.update', {
        id: server.id,
        ...(name === undefined ? {} : { name }),
        ...(description === undefined ? {} : { description: description.trim() || null }),
        ...(refresh === undefined ? {} : { refresh: refresh as Refresh }),
      }),
    onSaved: onChange,
  })
  const { values, change, save, theirs, isChanged } = draft
  return (
    <Form
      to="servers.update"
      action={save}
      submit="Save"
      isChanged={isChanged}
      problem={theirs && <Conflict draft={draft} labels={FIELDS} />}
    >
      <Field
        label={FIELDS.name}
        required
        maxLength={200}
        value={values.name}
        onInput={({ currentTarget }) => change({ name: currentTarget.value })}
      />
      <TextArea
        label={FIELDS.description}
        maxLength={2000}
        value={values.description}
        onText={(description) => change({ description })}
      />
      <label class="field">
        <span class="lab">{FIELDS.refresh}</span>
        <select value={values.refresh} onChange={({ currentTarget }) => change({ refresh: currentTarget.value })}>
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

const WEB_PAGES = {
  off: 'Off',
  unlisted: 'For everybody who may call the server',
  listed: 'The same, and named in catalogues and search engines if it is public',
} as const

function WebPages({ server: { id, url, webPages }, onChange }: Part) {
  const save = useAction(async (value: keyof typeof WEB_PAGES) => {
    await call('servers.update', { id, webPages: value })
    onChange()
    say('Saved')
  })
  const places = ['llms.txt', 'llms-full.txt', 'sitemap.xml', 'skill.md', 'server-card', 'server.json', 'server.mcpb']
  return (
    <>
      {save.error && <Problem error={save.error} />}
      <div class="stack">
        <label class="field">
          <span class="lab">Who can read the pages as Markdown</span>
          <select
            value={webPages}
            disabled={save.isBusy}
            onChange={({ currentTarget }) => save.run(currentTarget.value as keyof typeof WEB_PAGES)}
          >
            {Object.entries(WEB_PAGES).map(([value, title]) => (
              <option key={value} value={value}>
                {title}
              </option>
            ))}
          </select>
        </label>
      </div>
      {webPages !== 'off' && (
        <ul class="web-places">
          {places.map((place) => (
            <li key={place}>
              <a href={`${url}/${place}`} target="_blank" rel="noreferrer">
                {`${url}/${place}`}
              </a>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

/** The file has all pages of one moment, so the service writes none while they change. */
function Export({ server: { slug, sources } }: { server: Server }) {
  const isChanging = sources.some(({ crawlStatus }) => crawlStatus === 'pending' || crawlStatus === 'crawling')
  return (
    <>
      <p>Any instance makes the same server from it, under “New server”, without reading the sources again.</p>
      {isChanging ? (
        <p class="mute">It can be exported when its sources are indexed.</p>
      ) : (
        <div class="go">
          <a class="btn" download={`${slug}.docent`} href={`/api/mcp/${slug}/export`}>
            Export the server
          </a>
        </div>
      )}
    </>
  )
}

function Access({ server: { id, name, visibility, url }, onChange }: Part) {
  const [token, setToken] = useState<string | null>(null)
  const [isOffering, setOffering] = useState(false)
  const hide = async () => {
    const { issuedToken } = await call('servers.setVisibility', { id, visibility: 'private' })
    onChange()
    return issuedToken
  }
  const makePrivate = useAction(async () => {
    setToken((await hide())?.plaintext ?? null)
    say('Saved')
  })
  const makePublic = async () => {
    await call('servers.setVisibility', { id, visibility: 'public' })
    setToken(null)
    setOffering(true)
    onChange()
    say({
      text: `${name} is public.`,
      undo: async () => {
        const issued = await hide()
        // Nobody had a token before.
        if (issued) await call('accessTokens.revoke', { id, tokenId: issued.id })
      },
    })
  }
  return (
    <>
      {token && <ShownOnce what="The first access token" text={token} onDone={() => setToken(null)} />}
      <p>
        {visibility === 'public'
          ? 'Public: anybody who has the address can call it.'
          : 'Private: only callers with an access token.'}
      </p>
      {makePrivate.error && <Problem error={makePrivate.error} />}
      {isOffering && visibility === 'public' && (
        <>
          <h3 class="sub">Limit callers without a token</h3>
          <p>Anybody can now use up the requests of your plan. These limits apply to all your public servers.</p>
          <CallerLimits />
        </>
      )}
      <Allowed to="servers.setVisibility" says>
        <div class="go">
          {visibility === 'public' ? (
            <button type="button" class="btn" disabled={makePrivate.isBusy} onClick={() => makePrivate.run()}>
              Make it private
            </button>
          ) : (
            <ConfirmButton
              to="servers.setVisibility"
              title={`Make ${name} public`}
              class="btn"
              about={`Anybody who has the address can then ask it and read its sources, without a token: ${url}. Its access tokens stay.`}
              work={makePublic}
            >
              Make it public
            </ConfirmButton>
          )}
        </div>
      </Allowed>
    </>
  )
}
