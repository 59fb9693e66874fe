import type { Output } from '@docent/sdk'
import { OPERATIONS } from 'virtual:operations'
import { useEffect, useLayoutEffect, useMemo, useState } from 'preact/hooks'
import { ApiError } from './api/api-error.ts'
import { SIGNED_IN, SIGNED_OUT, call } from './api/call.ts'
import { type Connection, ConnectionContext, RECOVERED, watchConnection } from './api/connection.ts'
import { forgetEarly, isEarly } from './api/early.ts'
import { findScreen, headingOf } from './lib/find-screen.ts'
import { type Place, navigate, usePlace } from './lib/router.ts'
import { Live } from './live/live.ts'
import { LiveContext } from './live/use-progress.ts'
import { FRONT } from './lib/screen-list.ts'
import { Screen } from './screens.tsx'
import { Invite } from './screens/invite.tsx'
import { SetUp } from './screens/set-up.tsx'
import { SignIn } from './screens/sign-in.tsx'
import { type Account, AccountContext } from './api/session.ts'
import { Front } from './ui/front.tsx'
import { IconShapes } from './ui/icons.tsx'
import { Layout } from './ui/layout.tsx'
import { PageHead } from './ui/page-head.tsx'
import { SeenServers, type Server } from './ui/server-page.tsx'
import { SignInAgain } from './ui/sign-in-again.tsx'
import { Problem, Waiting } from './ui/states.tsx'

type State =
  | { state: 'loading' }
  | { state: 'failed'; error: Error }
  | { state: 'signed out'; setup: Output<'setup.get'> }
  | { state: 'signed in'; account: Account; isExpired?: boolean }

/** Shows the screen of the address, or the way to an account. */
export function App() {
  const place = usePlace()
  const [connection, setConnection] = useState<Connection>('up')
  const [session, setSession] = useState<State>({ state: 'loading' })
  // The page asks this only for browsers without a session.
  const [isFront] = useState(() => isEarly(OPERATIONS['setup.get'].path))
  const load = () => {
    readSession().then(setSession, (error: Error) => setSession({ state: 'failed', error }))
  }
  useLayoutEffect(() => {
    const expire = () => setSession((old) => (old.state === 'signed in' ? { ...old, isExpired: true } : old))
    const recover = () => setSession((old) => (old.state === 'failed' ? (load(), old) : old))
    load()
    addEventListener(SIGNED_OUT, expire)
    addEventListener(RECOVERED, recover)
    const stop = watchConnection(setConnection)
    return () => {
      removeEventListener(SIGNED_OUT, expire)
      removeEventListener(RECOVERED, recover)
      stop()
    }
  }, [])
  const enter = (account: Account, to: string) => {
    forgetEarly()
    setSession({ state: 'signed in', account })
    navigate(to, { replace: true })
  }
  return (
    <ConnectionContext.Provider value={connection}>
      <IconShapes />
      {session.state === 'signed out' &&
        (place.path === '/invite' ? (
          <Invite
            token={place.hash}
            account={null}
            ways={session.setup}
            onDone={(account) => enter(account, '/servers')}
          />
        ) : place.path === '/setup' && session.setup.open ? (
          <SetUp token={place.hash} command={session.setup.command} onDone={(account) => enter(account, '/servers')} />
        ) : (
          <SignIn
            {...session.setup}
            isNew={session.setup.open}
            next={backTo(place)}
            isSignUp={place.path === '/sign-up'}
            onDone={(account) => enter(account, backTo(place))}
          />
        ))}
      {session.state === 'loading' && isFront && (
        <Front title="Docent">
          <Waiting what="the sign-in" />
        </Front>
      )}
      {(session.state === 'failed' || (session.state === 'loading' && !isFront)) && (
        <Layout path={place.path}>
          <PageHead title={headingOf(findScreen(place.path))} />
          {session.state === 'failed' ? <Problem error={session.error} retry={load} /> : <Waiting what="the screen" />}
        </Layout>
      )}
      {session.state === 'signed in' &&
        (place.path === '/invite' ? (
          <Invite token={place.hash} account={session.account} onDone={() => location.assign('/servers')} />
        ) : (
          <SignedIn account={session.account} path={place.path} query={place.query} />
        ))}
      {session.state === 'signed in' && session.isExpired && (
        <SignInAgain onDone={(account) => goOn(session.account, account, setSession)} />
      )}
    </ConnectionContext.Provider>
  )
}

/** The screen of one account is not for another. */
function goOn(before: Account, account: Account, setSession: (state: State) => void): void {
  if (account.email !== before.email) return location.reload()
  setSession({ state: 'signed in', account })
  dispatchEvent(new Event(SIGNED_IN))
}

function SignedIn({ account, path, query }: { account: Account; path: string; query: URLSearchParams }) {
  const live = useMemo(() => new Live(), [])
  const servers = useMemo(() => new Map<string, Server>(), [])
  useEffect(() => {
    live.start()
    return () => live.stop()
  }, [live])
  useEffect(() => {
    if (FRONT.includes(path)) navigate('/servers', { replace: true })
  }, [path])
  return (
    <AccountContext.Provider value={account}>
      <LiveContext.Provider value={live}>
        <SeenServers.Provider value={servers}>
          <Layout path={path}>{!FRONT.includes(path) && <Screen path={path} query={query} />}</Layout>
        </SeenServers.Provider>
      </LiveContext.Provider>
    </AccountContext.Provider>
  )
}

async function readSession(): Promise<State> {
  try {
    return { state: 'signed in', account: (await call('sessions.list', {}, { mayBeSignedOut: true })).account }
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error
  }
  return { state: 'signed out', setup: await call('setup.get', {}) }
}

/** After sign-in, the screen that was asked for. */
function backTo({ path, query, hash }: Place): string {
  if (FRONT.includes(path)) return '/servers'
  return path + (query.size > 0 ? `?${query}` : '') + (hash === '' ? '' : `#${hash}`)
}
