import type { Output } from '@docent/sdk'
import { useState } from 'preact/hooks'
import { call } from '../api/call.ts'
import { useMay } from '../api/may.ts'
import { useAction } from '../api/use-action.ts'
import { useLoad } from '../api/use-load.ts'
import { ago, count, dateTime } from '../lib/format.ts'
import { accountPlaces } from '../lib/places.ts'
import { type Theme, keepTheme, readTheme } from '../lib/theme.ts'
import { useAccount } from '../api/session.ts'
import { Allowed } from '../ui/allowed.tsx'
import { ConfirmButton } from '../ui/confirm-button.tsx'
import { Form } from '../ui/form.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { PasswordField } from '../ui/password-field.tsx'
import { Section } from '../ui/section.tsx'
import { Loaded, Problem } from '../ui/states.tsx'
import { CodeHosts } from './account/code-hosts.tsx'
import { SiteAccess } from './account/site-access.tsx'
import { Table } from '../ui/table.tsx'

const LINKS = new Set(
  'team audit keys approvals webhooks deleted developers widgets reference instance'
    .split(' ')
    .map((name) => `/${name}`),
)

/** The account of the session: its sessions, its password and the look of this browser. */
export function AccountScreen() {
  const { email, plan, isOperator } = useAccount()
  const places = accountPlaces(isOperator, useMay()).filter(({ path }) => LINKS.has(path))
  const ways = useLoad('the ways to sign in', (signal) => call('setup.get', {}, { signal }))
  return (
    <>
      <PageHead title="Account">
        <SignOut />
      </PageHead>
      <Section title="You" about={isOperator ? 'You run this instance.' : undefined}>
        <p>{email}</p>
        <p class="go">
          <a href="/plan">Plan and limits</a>
          <span class="mute">{plan}</span>
          {places.map(({ name, path }) => (
            <a key={path} href={path}>
              {name}
            </a>
          ))}
        </p>
      </Section>
      <Section title="Sessions" about="Browsers that are signed in.">
        <Sessions />
      </Section>
      <Section title="Password" about="A new one signs out every other browser.">
        <Loaded from={ways} what="the ways to sign in">
          {({ passwords }) =>
            passwords ? <Password /> : <p>This instance takes no passwords. You sign in with its provider.</p>
          }
        </Loaded>
      </Section>
      <Section title="Code hosts" about="To index private repositories.">
        <CodeHosts />
      </Section>
      <Allowed to="siteAccess.list">
        <Section title="Site access" about="To index sites behind a login.">
          <SiteAccess />
        </Section>
      </Allowed>
      <Section title="Look" about="Of this browser." last>
        <Look />
      </Section>
    </>
  )
}

function SignOut() {
  const leave = useAction(async () => {
    await call('sessions.end', {})
    location.assign('/sign-in')
  })
  return (
    <button type="button" class="btn" disabled={leave.isBusy} onClick={() => leave.run()}>
      Sign out
    </button>
  )
}

function Sessions() {
  const sessions = useLoad('sessions', (signal) => call('sessions.list', {}, { signal }))
  const end = useAction(async (sessionId: string) => {
    await call('sessions.end', { sessionId })
    sessions.reload()
  })
  return (
    <Loaded from={sessions} what="the sessions">
      {({ sessions: all }) => (
        <>
          {end.error && <Problem error={end.error} />}
          <Table columns={['Browser', 'Last used', 'Ends']} hasActions>
            {all.map(({ id, userAgent, lastUsedAt, expiresAt, current }) => (
              <tr key={id}>
                <th scope="row">{browserOf(userAgent)}</th>
                <td data-label="Last used">
                  {current ? 'now, here' : <time title={dateTime(lastUsedAt)}>{ago(lastUsedAt)}</time>}
                </td>
                <td data-label="Ends">
                  <time title={dateTime(expiresAt)}>{ago(expiresAt)}</time>
                </td>
                <td class="r">
                  {!current && (
                    <button type="button" class="btn s" disabled={end.isBusy} onClick={() => end.run(id)}>
                      Sign out
                    </button>
                  )}
                </td>
              </tr>
            ))}
          </Table>
          <div class="go">
            <ConfirmButton
              to="sessions.end"
              title="Sign out everywhere"
              about={`This ends ${count(all.length, 'session')}, also this one.`}
              work={async () => {
                await call('sessions.end', { all: true })
                location.assign('/sign-in')
              }}
            >
              Sign out everywhere
            </ConfirmButton>
          </div>
        </>
      )}
    </Loaded>
  )
}

const BROWSERS = [
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\//, 'Firefox'],
  [/Chrome\//, 'Chrome'],
  [/Safari\//, 'Safari'],
] as const
const SYSTEMS = [
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
] as const

/** The browser and the system behind a `User-Agent`. */
function browserOf(userAgent: string | null): string {
  const agent = userAgent ?? ''
  const browser = BROWSERS.find(([pattern]) => pattern.test(agent))?.[1]
  const system = SYSTEMS.find(([pattern]) => pattern.test(agent))?.[1]
  if (!browser) return agent === '' ? 'Unknown' : agent.slice(0, 60)
  return system ? `${browser} on ${system}` : browser
}

function Password() {
  const [current, setCurrent] = useState('')
  const [password, setPassword] = useState('')
  const [revokeKeys, setRevokeKeys] = useState(false)
  const [ended, setEnded] = useState<Output<'account.changePassword'> | null>(null)
  const may = useMay()
  const change = useAction(async () => {
    setEnded(null)
    setEnded(await call('account.changePassword', { current, password, revokeKeys }))
    setCurrent('')
    setPassword('')
  })
  return (
    <Form action={change} submit="Change the password">
      <PasswordField label="Current password" value={current} onChange={setCurrent} />
      <PasswordField label="New password" isNew value={password} onChange={setPassword} />
      <label class="check">
        <input
          type="checkbox"
          checked={revokeKeys}
          onChange={({ currentTarget }) => setRevokeKeys(currentTarget.checked)}
        />
        Also revoke the API keys that I made in this account
      </label>
      {may('keys.list') && (
        <p class="small">
          <a href="/keys">All keys</a>
        </p>
      )}
      {ended !== null && (
        <p role="status">
          The password has changed. Other sessions that ended: {ended.endedSessions}. Keys that were revoked:{' '}
          {ended.revokedKeys}.
        </p>
      )}
    </Form>
  )
}

const THEMES: readonly [Theme, string][] = [
  ['system', 'As the browser'],
  ['light', 'Light'],
  ['dark', 'Dark'],
]

function Look() {
  const [theme, setTheme] = useState(readTheme)
  return (
    <fieldset class="choice">
      <legend class="vh">Look</legend>
      {THEMES.map(([value, title]) => (
        <label key={value} class="check">
          <input
            type="radio"
            name="theme"
            checked={theme === value}
            onChange={() => {
              keepTheme(value)
              setTheme(value)
            }}
          />
          {title}
        </label>
      ))}
    </fieldset>
  )
}
