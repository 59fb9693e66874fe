import { useEffect, useLayoutEffect, useMemo, useState } from 'preact/hooks'
import { ApiError } from './api/api-error.ts'
import { SIGNED_OUT, call } from './api/call.ts'
import { forgetEarly } from './api/early.ts'
import { type Place, navigate, usePlace } from './lib/router.ts'
import { Live } from './live/live.ts'
import { LiveContext } from './live/use-progress.ts'
import { FRONT } from './lib/screen-list.ts'
import { Screen } from './screens.tsx'
import { SetUp } from './screens/set-up.tsx'
import { SignIn } from './screens/sign-in.tsx'
import { type Account, AccountContext } from './api/session.ts'
import { IconShapes } from './ui/icons.tsx'
import { Layout } from './ui/layout.tsx'
import { Problem } from './ui/states.tsx'

type State =
  | { state: 'loading' }
  | { state: 'failed'; error: Error }
  | { state: 'signed out'; isNew: boolean; signUps: boolean }
  | { state: 'signed in'; account: Account }

/** Shows the screen of the address, or the way to an account. */
export function App() {
  const place = usePlace()
  const [session, setSession] = useState<State>({ state: 'loading' })
  const load = () => {
    readSession().then(setSession, (error: Error) => setSession({ state: 'failed', error }))
  }
  useLayoutEffect(() => {
    load()
    addEventListener(SIGNED_OUT, load)
    return () => removeEventListener(SIGNED_OUT, load)
  }, [])
  const enter = (account: Account, to: string) => {
    forgetEarly()
    setSession({ state: 'signed in', account })
    navigate(to, { replace: true })
  }
  return (
    <>
      <IconShapes />
      {session.state === 'failed' && (
        <main class="page narrow" id="main">
          <h1>Docent</h1>
          <Problem error={session.error} retry={load} />
        </main>
      )}
      {session.state === 'signed out' &&
        (place.path === '/setup' && session.isNew ? (
          <SetUp token={place.hash} onDone={(account) => enter(account, '/servers')} />
        ) : (
          <SignIn
            isNew={session.isNew}
            signUps={session.signUps}
            isSignUp={place.path === '/sign-up'}
            onDone={(account) => enter(account, backTo(place))}
          />
        ))}
      {session.state === 'signed in' && <SignedIn account={session.account} path={place.path} query={place.query} />}
    </>
  )
}

function SignedIn({ account, path, query }: { account: Account; path: string; query: URLSearchParams }) {
  const live = useMemo(() => new Live(), [])
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
        <Layout path={path}>
          <Screen path={path} query={query} />
        </Layout>
      </LiveContext.Provider>
    </AccountContext.Provider>
  )
}

async function readSession(): Promise<State> {
  try {
    return { state: 'signed in', account: (await call('sessions.list', {})).account }
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error
  }
  const { open, signUps } = await call('setup.get', {})
  return { state: 'signed out', isNew: open, signUps }
}

/** After sign-in, the screen that was asked for. */
function backTo({ path, query }: Place): string {
  if (FRONT.includes(path)) return '/servers'
  return query.size > 0 ? `${path}?${query}` : path
}
