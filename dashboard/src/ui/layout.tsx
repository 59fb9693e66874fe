import type { ComponentChildren } from 'preact'
import { useContext, useEffect, useRef, useState } from 'preact/hooks'
import { call } from '../api/call.ts'
import { useAction } from '../api/use-action.ts'
import { useLoad } from '../api/use-load.ts'
import { findScreen } from '../lib/find-screen.ts'
import { count, number } from '../lib/format.ts'
import { type Account, AccountContext } from '../api/session.ts'
import { ConnectionBanner } from './connection-banner.tsx'
import { GoTo } from './go-to.tsx'
import { Icon } from './icons.tsx'
import { LeaveDialog } from './leave-dialog.tsx'
import { Notices } from './notices.tsx'
import { Menu } from './menu.tsx'

/** The bar above every screen, and the page below. What belongs to the account comes with it. */
export function Layout({ path, children }: { path: string; children: ComponentChildren }) {
  const account = useContext(AccountContext)
  const [isOpen, setOpen] = useState(false)
  const main = useFocusOnMove(path)
  useEffect(() => {
    const open = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      setOpen(true)
    }
    addEventListener('keydown', open)
    return () => removeEventListener('keydown', open)
  }, [])
  return (
    <>
      <a class="skip" href="#main">
        Skip to content
      </a>
      <header class="top">
        <a class="brand" href="/servers">
          <Icon name="hand" />
          Docent
        </a>
        <Menu path={path} isOperator={account?.isOperator ?? false} onFind={() => setOpen(true)} />
        <span class="sp" />
        {account && (
          <>
            <button type="button" class="find" onClick={() => setOpen(true)} aria-haspopup="dialog">
              <span>Go to anything</span>
              <kbd>Ctrl K</kbd>
            </button>
            {account.isOperator && <OpenOrders path={path} />}
            <Meter />
            <SwitchAccount account={account} />
            <Help path={path} />
            <Who path={path} account={account} />
          </>
        )}
      </header>
      <ConnectionBanner />
      <main class="page" id="main" tabIndex={-1} ref={main}>
        {children}
      </main>
      <Notices />
      <LeaveDialog />
      {account && isOpen && <GoTo onClose={() => setOpen(false)} />}
    </>
  )
}

/** Moves the focus to the new screen, as a browser does with a new page. */
function useFocusOnMove(path: string) {
  const main = useRef<HTMLElement>(null)
  const last = useRef(path)
  useEffect(() => {
    if (last.current === path) return
    last.current = path
    // A field that the screen has put the focus on keeps it.
    if (!main.current?.contains(document.activeElement)) main.current?.focus({ preventScroll: true })
  }, [path])
  return main
}

/** The documentation of this screen. */
function Help({ path }: { path: string }) {
  const found = findScreen(path)
  if (!found || found.help === '') return null
  return (
    <a class="help" href={`/docs/${found.help}`}>
      Help<span class="vh"> with this screen: {found.title}</span>
    </a>
  )
}

/** Requests of this month, for plans that limit them. */
function Meter() {
  const { data } = useLoad('usage', (signal) => call('account.usage', {}, { signal }))
  if (!data || data.mcpRequests.limit === null) return null
  const { used, limit } = data.mcpRequests
  return (
    <a class="meter" href="/plan">
      <span>
        {number(used)} of {number(limit)} requests
      </span>
      <i>
        <b style={{ width: `${Math.min(100, (used / Math.max(1, limit)) * 100)}%` }} />
      </i>
    </a>
  )
}

/** For the operator: orders of accounts that wait for a decision. Counted again on each screen. */
function OpenOrders({ path }: { path: string }) {
  const { data } = useLoad(`open orders ${path}`, (signal) =>
    call('purchases.listAll', { state: 'requested' }, { signal }),
  )
  if (!data || data.total === 0) return null
  return (
    <a class="meter" href="/plan">
      {count(data.total, 'open order')}
    </a>
  )
}

/** For people who are members of several accounts. */
function SwitchAccount({ account: { id, accounts } }: { account: Account }) {
  const change = useAction(async (accountId: string) => {
    await call('sessions.switch', { accountId })
    location.assign('/servers')
  })
  if (accounts.length < 2) return null
  return (
    <select
      class="switch"
      aria-label="Account"
      value={id}
      disabled={change.isBusy}
      onChange={({ currentTarget }) => change.run(currentTarget.value)}
    >
      {accounts.map((one) => (
        <option key={one.id} value={one.id}>
          {one.name} ({one.role})
        </option>
      ))}
    </select>
  )
}

function Who({ path, account: { name, email } }: { path: string; account: Account }) {
  const letters = (name || email).slice(0, 2).toUpperCase()
  return (
    <a class="who" href="/account" {...(path === '/account' ? { 'aria-current': 'page' as const } : {})}>
      {letters}
      <span class="vh">, account of {email}</span>
    </a>
  )
}
