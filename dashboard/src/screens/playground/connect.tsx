import { CLIENTS, type Client, TOKEN_PLACEHOLDER, whyUnreachable } from '@docent/contract/values/client-snippets'
import { useEffect, useState } from 'preact/hooks'
import { call } from '../../api/call.ts'
import { useMay } from '../../api/may.ts'
import { useLoad } from '../../api/use-load.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Icon } from '../../ui/icons.tsx'
import type { Server } from '../../ui/server-page.tsx'
import { Status } from '../../ui/status.tsx'

const KEY = 'docent-client'
/** How often the panel looks for the first call while it is open. */
const POLL_MS = 3_000

/** The configuration of each client, and whether one has called. */
export function Connect({ server }: { server: Server }) {
  const [id, setId] = useState(() => localStorage.getItem(KEY) ?? 'claude-code')
  const client = CLIENTS.find((one) => one.id === id) ?? CLIENTS[0]
  if (!client) return null
  const choose = (next: Client) => {
    localStorage.setItem(KEY, next.id)
    setId(next.id)
  }
  const problem = whyUnreachable(client, server)
  return (
    <section aria-labelledby="connect">
      <h2 class="t" id="connect">
        Connect a client
      </h2>
      <div class="cl" role="group" aria-label="Client">
        {CLIENTS.map((one) => (
          <button key={one.id} type="button" aria-pressed={one.id === client.id} onClick={() => choose(one)}>
            {one.title}
            {whyUnreachable(one, server) !== null && <Icon name="warn" label="cannot use this server" />}
          </button>
        ))}
      </div>
      {problem ? (
        <Warning text={problem} />
      ) : (
        <Ways key={`${client.id} ${server.visibility}`} client={client} server={server} />
      )}
    </section>
  )
}

function Warning({ text }: { text: string }) {
  return (
    <div class="nb after" role="note">
      {text}
    </div>
  )
}

/** To a private server, by signing in where the client and the instance can, otherwise by a token. */
function Ways({ client, server }: { client: Client; server: Server }) {
  const canSignIn = server.visibility === 'private' && client.signIn !== undefined
  const offered = useLoad(`sign-in ${canSignIn}`, async (signal) => {
    return canSignIn && (await fetch('/.well-known/oauth-authorization-server', { signal })).ok
  })
  const [byToken, setByToken] = useState(false)
  if (offered.data === null && offered.error === null) return null
  const signsIn = offered.data === true && !byToken
  return (
    <>
      <Steps key={String(signsIn)} client={client} server={server} signsIn={signsIn} />
      {offered.data === true && client.sendsToken && (
        <p class="small">
          <button type="button" class="btn s" onClick={() => setByToken(signsIn)}>
            {signsIn ? 'Use an access token instead' : 'Sign in from the client instead'}
          </button>
        </p>
      )}
    </>
  )
}

function Steps({ client, server, signsIn }: { client: Client; server: Server; signsIn: boolean }) {
  const isPrivate = server.visibility === 'private' && client.sendsToken && !signsIn
  const makesToken = useMay()('accessTokens.create') && isPrivate
  const [token, setToken] = useState<string | null>(null)
  const target = { slug: server.slug, url: server.url, token: isPrivate ? (token ?? TOKEN_PLACEHOLDER) : null }
  const link = client.link?.(target)
  /** Created on the click, so that every token has been copied by somebody. */
  const copied = async (text: (token: string | null) => string) => {
    if (!makesToken || token !== null) return text(target.token)
    const made = await call('accessTokens.create', { id: server.id, name: `${client.title}, ${systemName()}` })
    setToken(made.plaintext)
    return text(made.plaintext)
  }
  const steps = client.steps(target)
  return (
    <ol class="steps">
      {steps.map(({ text, code }, index) => (
        <li key={text}>
          <div>
            <b>{text}</b>
            {code !== undefined && (
              <div class="cmd">
                <Code text={code} token={target.token} />
                <CopyButton
                  text={() => copied((made) => client.steps({ ...target, token: made })[index]?.code ?? '')}
                  label={makesToken && token === null ? 'Copy with a new token' : 'Copy the snippet'}
                >
                  {makesToken && token === null ? 'Copy with a new token' : 'Copy'}
                </CopyButton>
              </div>
            )}
            {isPrivate && code !== undefined && (
              <p class="small mute after">
                {!makesToken
                  ? `Ask an owner for an access token, and write it instead of ${TOKEN_PLACEHOLDER}.`
                  : token === null
                    ? 'Copying makes an access token for this client, which opens only this server.'
                    : 'The highlighted token was made for this snippet, and opens only this server. It is shown only now.'}
              </p>
            )}
            {link && (
              <p class="after">
                <a class="btn s" href={link} target="_blank" rel="noreferrer">
                  Open in {client.title}
                </a>
              </p>
            )}
          </div>
        </li>
      ))}
      {signsIn && (
        <li>
          <b>{client.signIn?.(server.slug)}</b>
        </li>
      )}
      <li>
        <div>
          <b>Ask something.</b> <span class="small mute">“Use {server.slug} to explain …”</span>
        </div>
      </li>
      <li>
        <FirstCall server={server} />
      </li>
    </ol>
  )
}

/** The snippet with its token or placeholder highlighted. */
function Code({ text, token }: { text: string; token: string | null }) {
  const at = token === null ? -1 : text.indexOf(token)
  if (token === null || at < 0) return <>{text}</>
  return (
    <>
      {text.slice(0, at)}
      <span class="tk">{token}</span>
      {text.slice(at + token.length)}
    </>
  )
}

type Contact = { calls: number; connectedAt: string | null }

/** Waits for a connection, and for a call, that were not there when the panel was opened. */
function FirstCall({ server }: { server: Server }) {
  const contact = useLoad(`first call ${server.id}`, async (signal): Promise<Contact> => {
    const [{ totalCalls }, { lastConnectedAt }] = await Promise.all([
      call('analytics.summary', { id: server.id }, { signal }),
      call('servers.get', { id: server.id }, { signal }),
    ])
    return { calls: totalCalls, connectedAt: lastConnectedAt }
  })
  const [before, setBefore] = useState<Contact | null>(null)
  const now = contact.data ?? null
  useEffect(() => {
    if (before === null && now !== null) setBefore(now)
  }, [before, now])
  const hasCalled = before !== null && now !== null && now.calls > before.calls
  const isConnected = hasCalled || (before !== null && now !== null && now.connectedAt !== before.connectedAt)
  useEffect(() => {
    if (hasCalled) return
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') contact.reload()
    }, POLL_MS)
    return () => clearInterval(timer)
  }, [hasCalled, contact.reload])
  return (
    <div role="status">
      {hasCalled && <Status tone="ok">Connected: the first call came</Status>}
      {isConnected && !hasCalled && <Status tone="ok">Connected. Ask it something</Status>}
      {!isConnected && (
        <Status tone="busy" pulse>
          Waiting for the client
        </Status>
      )}
      <p class="small mute">
        {hasCalled ? (
          <a href={`/servers/${server.slug}/requests`}>See what it asked</a>
        ) : (
          'This line changes by itself. Nothing after a minute? Restart the client.'
        )}
      </p>
    </div>
  )
}

function systemName(): string {
  const agent = navigator.userAgent
  if (/Windows/.test(agent)) return 'Windows'
  if (/Mac OS X/.test(agent)) return 'macOS'
  return /Linux/.test(agent) ? 'Linux' : 'dashboard'
}
