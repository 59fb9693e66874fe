import type { Output } from '@docent/sdk'
import { type ComponentChildren, createContext } from 'preact'
import { useContext, useEffect, useRef } from 'preact/hooks'
import { ApiError } from '../api/api-error.ts'
import { call } from '../api/call.ts'
import { type Loading, useLoad } from '../api/use-load.ts'
import { number } from '../lib/format.ts'
import { type Progress } from '../live/live.ts'
import { useCalled, useProgress } from '../live/use-progress.ts'
import { Allowed } from './allowed.tsx'
import { CopyButton } from './copy-button.tsx'
import { NothingHere } from './nothing-here.tsx'
import { Loaded } from './states.tsx'
import { Visibility } from './status.tsx'
import { useTitle } from './use-title.ts'

export type Server = Output<'servers.get'>
/** Reads the rules again, after a change on any screen of the server. The tab shows their number. */
export const RulesChanged = createContext<() => void>(() => undefined)
/** The servers of earlier screens, by slug. The head of the next screen is the same. */
export const SeenServers = createContext<Map<string, Server>>(new Map())
type Tab = 'overview' | 'playground' | 'tools' | 'rules' | 'requests' | 'widget' | 'settings'

type About = {
  progress: Progress | null
  reload: () => void
  rules: Loading<Output<'retrievalRules.list'>>
}
type Props = {
  slug: string
  tab: Tab
  children: (server: Server, about: About) => ComponentChildren
}

const TABS: readonly { tab: Tab; title: string; path: string }[] = [
  { tab: 'overview', title: 'Overview', path: '' },
  { tab: 'playground', title: 'Playground', path: '/playground' },
  { tab: 'tools', title: 'Tools', path: '/tools' },
  { tab: 'rules', title: 'Rules', path: '/rules' },
  { tab: 'requests', title: 'Requests', path: '/requests' },
  { tab: 'widget', title: 'Widget', path: '/widget' },
  { tab: 'settings', title: 'Settings', path: '/settings' },
]

/** The head of a server's screens: name, endpoint and tabs. Loads the server anew when its work begins or ends. */
export function ServerPage({ slug, tab, children }: Props) {
  const server = useLoad(`server ${slug}`, (signal) => call('servers.get', { id: slug }, { signal }))
  const progress = useProgress(server.data?.id)
  useReloads(server, progress)
  const calls = useLoad(`calls ${slug}`, (signal) => call('analytics.summary', { id: slug }, { signal }))
  useCalled(server.data?.id ?? '', calls.reload)
  const rules = useLoad(`rules ${slug}`, (signal) => call('retrievalRules.ofServer', { id: slug }, { signal }))
  const seen = useContext(SeenServers)
  if (server.data) seen.set(slug, server.data)
  const known = server.data ?? seen.get(slug) ?? null
  const title = TABS.find(({ tab: name }) => name === tab)?.title ?? ''
  useTitle(`${title} · ${known?.name ?? slug}`)
  if (server.data === null && server.error instanceof ApiError && server.error.status === 404)
    return <NothingHere title={`There is no server “${slug}”`} wanted={slug} />
  return (
    <>
      <Head slug={slug} server={known} />
      <Tabs
        slug={slug}
        tab={tab}
        counts={{ tools: known?.toolCount, rules: rules.data?.rules.length, requests: calls.data?.totalCalls }}
      />
      <Loaded from={server} what="the server">
        {(loaded) => (
          <RulesChanged.Provider value={rules.reload}>
            {children(loaded, { progress, reload: server.reload, rules })}
          </RulesChanged.Provider>
        )}
      </Loaded>
    </>
  )
}

/** The name of the server, and its endpoint once that is known. */
function Head({ slug, server }: { slug: string; server: Server | null }) {
  return (
    <div class="head">
      <h1>{server?.name ?? slug}</h1>
      <div class="acts">
        {server && <Visibility value={server.visibility} />}
        <Allowed to="sources.add">
          <a class="btn" href={`/servers/${slug}/settings#sources`}>
            Add a source
          </a>
        </Allowed>
        <a class="btn p" href={`/servers/${slug}/playground#connect`}>
          Connect a client
        </a>
      </div>
      <div class="url">
        <span class="m" {...(server ? { tabIndex: 0 } : {})}>
          {server?.url ?? '…'}
        </span>
        {server && <CopyButton text={server.url} label="Copy the endpoint URL" />}
      </div>
    </div>
  )
}

type TabsProps = { slug: string; tab: Tab; counts: Partial<Record<Tab, number | undefined>> }

function Tabs({ slug, tab, counts }: TabsProps) {
  const row = useRef<HTMLElement>(null)
  // On a narrow screen the row scrolls, and the current tab can be beyond its end. Elsewhere, reading positions would
  // only make the browser lay out the page before it has to.
  useEffect(() => {
    if (!matchMedia('(max-width: 900px)').matches) return
    const current = row.current?.querySelector<HTMLElement>('[aria-current]')
    if (!row.current || !current) return
    const middle = current.offsetLeft - row.current.offsetLeft + current.offsetWidth / 2
    row.current.scrollLeft = middle - row.current.clientWidth / 2
  }, [tab, counts.rules, counts.requests])
  return (
    <nav class="tabs" aria-label="Server" ref={row}>
      {TABS.map(({ tab: name, title, path }) => (
        <a key={name} href={`/servers/${slug}${path}`} {...(name === tab ? { 'aria-current': 'page' as const } : {})}>
          {title} {counts[name] !== undefined && <span class="n">{number(counts[name])}</span>}
        </a>
      ))}
    </nav>
  )
}

/** While indexing goes on, the passages and the reasons of left-out pages are this old at most. */
const RELOAD_MS = 4_000

/** Events report numbers only. Reasons, labels and errors come with the server when a source changes its state. */
function useReloads({ reload, data }: Loading<Server>, progress: Progress | null): void {
  const states = progress?.sources.map(({ id, crawlStatus }) => `${id} ${crawlStatus}`).join() ?? ''
  const known = data?.sources.map(({ id, crawlStatus }) => `${id} ${crawlStatus}`).join() ?? ''
  const isOver = progress !== null && progress.status !== 'crawling'
  useEffect(() => {
    if (states !== '' && states !== known) reload()
  }, [states, isOver])
  useEffect(() => {
    if (progress?.status !== 'crawling') return
    const timer = setInterval(reload, RELOAD_MS)
    return () => clearInterval(timer)
  }, [progress?.status, reload])
}
