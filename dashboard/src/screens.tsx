import type { ComponentType } from 'preact'
import { useContext, useLayoutEffect, useState } from 'preact/hooks'
import type { ScreenProps } from './lib/router.ts'
import { findScreen, headingOf } from './lib/find-screen.ts'
import type { ScreenFile } from './lib/screen-list.ts'
import { useWhyRefused } from './api/may.ts'
import { ConnectionContext, RECOVERED } from './api/connection.ts'
import { NothingHere } from './ui/nothing-here.tsx'
import { PageHead } from './ui/page-head.tsx'
import { Problem, Waiting } from './ui/states.tsx'
import { useTitle } from './ui/use-title.ts'

type Load = () => Promise<ComponentType<ScreenProps>>

/** Each screen is a separate chunk, loaded when it is opened. */
const LOADS: Readonly<Record<ScreenFile, Load>> = {
  servers: async () => (await import('./screens/servers.tsx')).Servers,
  'new-server': async () => (await import('./screens/new-server.tsx')).NewServer,
  deleted: async () => (await import('./screens/deleted.tsx')).Deleted,
  keys: async () => (await import('./screens/keys.tsx')).Keys,
  approvals: async () => (await import('./screens/approvals.tsx')).ApprovalsScreen,
  team: async () => (await import('./screens/team.tsx')).TeamScreen,
  audit: async () => (await import('./screens/audit.tsx')).Audit,
  account: async () => (await import('./screens/account.tsx')).AccountScreen,
  limits: async () => (await import('./screens/limits.tsx')).Limits,
  developers: async () => (await import('./screens/developers.tsx')).Developers,
  widgets: async () => (await import('./screens/widgets.tsx')).Widgets,
  instance: async () => (await import('./screens/instance.tsx')).InstanceScreen,
  analytics: async () => (await import('./screens/analytics.tsx')).Analytics,
  webhooks: async () => (await import('./screens/webhooks.tsx')).Webhooks,
  reference: async () => (await import('./screens/reference.tsx')).Reference,
  overview: async () => (await import('./screens/overview.tsx')).Overview,
  pages: async () => (await import('./screens/pages.tsx')).Pages,
  playground: async () => (await import('./screens/playground.tsx')).Playground,
  tools: async () => (await import('./screens/tools.tsx')).Tools,
  rules: async () => (await import('./screens/rules.tsx')).Rules,
  requests: async () => (await import('./screens/requests.tsx')).Requests,
  'server-widget': async () => (await import('./screens/server-widget.tsx')).ServerWidget,
  settings: async () => (await import('./screens/settings.tsx')).Settings,
}

/** The screens that are loaded. They are shown without a moment in between. */
const LOADED = new Map<Load, ComponentType<ScreenProps>>()

async function loadScreen(load: Load): Promise<void> {
  LOADED.set(load, await load())
}

/** Loads the screen of a path, while the session is still asked for. Its errors are shown when it opens. */
export async function preloadScreen(path: string): Promise<void> {
  const found = findScreen(path === '/' ? '/servers' : path)
  if (found) await loadScreen(LOADS[found.file]).catch(() => undefined)
}

/** Loads and shows the screen of a path. */
export function Screen({ path, query }: { path: string; query: URLSearchParams }) {
  const [round, draw] = useState(0)
  const [isMissing, setMissing] = useState(false)
  const isUp = useContext(ConnectionContext) === 'up'
  const whyRefused = useWhyRefused()
  const found = findScreen(path)
  const load = found && LOADS[found.file]
  // The screens of a server name it too.
  useTitle(found?.params['slug'] === undefined ? (found?.title ?? null) : null)
  useLayoutEffect(() => {
    setMissing(false)
    if (!load || LOADED.has(load)) return
    let isCurrent = true
    const again = () => draw((old) => old + 1)
    addEventListener(RECOVERED, again)
    loadScreen(load).then(
      () => isCurrent && again(),
      () => isCurrent && setMissing(true),
    )
    return () => {
      isCurrent = false
      removeEventListener(RECOVERED, again)
    }
  }, [load, round])
  if (!found) return <NothingHere title="There is no page at this address" wanted={path} withScreens />
  const why = found.to && whyRefused(found.to)
  if (why) {
    return (
      <>
        <PageHead title={found.title} />
        <p class="after">{why}</p>
      </>
    )
  }
  const Shown = LOADED.get(LOADS[found.file])
  // Another path is another screen: nothing typed or shown for one server belongs to the next.
  if (Shown) return <Shown key={path} params={found.params} query={query} />
  return (
    <>
      <PageHead title={headingOf(found)} />
      {isMissing && isUp ? (
        // The service has a new version, whose files have other names.
        <Problem
          error={new Error('This screen could not be loaded. Load the page again.')}
          retry={() => location.reload()}
        />
      ) : (
        <Waiting what="the screen" />
      )}
    </>
  )
}
