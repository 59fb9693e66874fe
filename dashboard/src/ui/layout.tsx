import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { call } from '../api/call.ts'
import { useLoad } from '../api/use-load.ts'
import { count, number } from '../lib/format.ts'
import { useAccount } from '../api/session.ts'
import { GoTo } from './go-to.tsx'
import { Icon } from './icons.tsx'

/** The bar above every screen, and the page below. */
export function Layout({ path, children }: { path: string; children: ComponentChildren }) {
  const [isOpen, setOpen] = useState(false)
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
        <Crumb path={path} />
        <span class="sp" />
        <button type="button" class="find" onClick={() => setOpen(true)} aria-haspopup="dialog">
          <span>Go to anything</span>
          <kbd>Ctrl K</kbd>
        </button>
        <OpenRequests path={path} />
        <Meter />
        <Who path={path} />
      </header>
      <main class="page" id="main" tabIndex={-1}>
        {children}
      </main>
      {isOpen && <GoTo onClose={() => setOpen(false)} />}
    </>
  )
}

const TITLES: Readonly<Record<string, string>> = {
  new: 'New server',
  deleted: 'Deleted servers',
  keys: 'API keys',
  account: 'Account',
  plan: 'Plan and limits',
  limits: 'Plan and limits',
  webhooks: 'Webhooks',
  reference: 'API reference',
  developers: 'Developer portal',
  widgets: 'Widgets',
  instance: 'Instance',
}

function Crumb({ path }: { path: string }) {
  const [, first = '', slug] = path.split('/')
  const here = first === 'servers' ? slug : TITLES[first]
  return (
    <nav class="crumb" aria-label="Where you are">
      <a href="/servers" {...(here ? {} : { 'aria-current': 'page' as const })}>
        Servers
      </a>
      {here && (
        <>
          <span aria-hidden="true">/</span>
          <span>{here}</span>
        </>
      )}
    </nav>
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

/** For the operator: requests of accounts that wait for a decision. Counted again on each screen. */
function OpenRequests({ path }: { path: string }) {
  return useAccount().isOperator ? <CountedRequests path={path} /> : null
}

function CountedRequests({ path }: { path: string }) {
  const { data } = useLoad(`open requests ${path}`, (signal) =>
    call('purchases.listAll', { state: 'requested' }, { signal }),
  )
  if (!data || data.total === 0) return null
  return (
    <a class="meter" href="/plan">
      {count(data.total, 'open request')}
    </a>
  )
}

function Who({ path }: { path: string }) {
  const { name, email } = useAccount()
  const letters = (name || email).slice(0, 2).toUpperCase()
  return (
    <a class="who" href="/account" {...(path === '/account' ? { 'aria-current': 'page' as const } : {})}>
      {letters}
      <span class="vh">, account of {email}</span>
    </a>
  )
}
