import type { ComponentType } from 'preact'
import { useLayoutEffect, useState } from 'preact/hooks'
import type { ScreenProps } from './lib/router.ts'
import { SCREENS, type ScreenFile } from './lib/screen-list.ts'
import { Problem, Waiting } from './ui/states.tsx'

type Load = () => Promise<ComponentType<ScreenProps>>

/** Each screen is a separate chunk, loaded when it is opened. */
const LOADS: Readonly<Record<ScreenFile, Load>> = {
  servers: async () => (await import('./screens/servers.tsx')).Servers,
  'new-server': async () => (await import('./screens/new-server.tsx')).NewServer,
  deleted: async () => (await import('./screens/deleted.tsx')).Deleted,
  keys: async () => (await import('./screens/keys.tsx')).Keys,
  account: async () => (await import('./screens/account.tsx')).AccountScreen,
  limits: async () => (await import('./screens/limits.tsx')).Limits,
  developers: async () => (await import('./screens/developers.tsx')).Developers,
  widgets: async () => (await import('./screens/widgets.tsx')).Widgets,
  instance: async () => (await import('./screens/instance.tsx')).InstanceScreen,
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
  if (found) await loadScreen(found.load).catch(() => undefined)
}

/** Loads and shows the screen of a path. */
export function Screen({ path, query }: { path: string; query: URLSearchParams }) {
  const [, draw] = useState(0)
  const [error, setError] = useState<Error | null>(null)
  const found = findScreen(path)
  const load = found?.load
  useLayoutEffect(() => {
    setError(null)
    if (!load || LOADED.has(load)) return
    let isCurrent = true
    loadScreen(load).then(
      () => isCurrent && draw((old) => old + 1),
      // The service has a new version, whose files have other names.
      () => isCurrent && setError(new Error('This screen could not be loaded. Load the page again.')),
    )
    return () => {
      isCurrent = false
    }
  }, [load])
  if (!found) return <NotFound />
  if (error) return <Problem error={error} retry={() => location.reload()} />
  const Shown = LOADED.get(found.load)
  return Shown ? <Shown params={found.params} query={query} /> : <Waiting what="the screen" />
}

function findScreen(path: string): { load: Load; params: Record<string, string> } | null {
  const parts = path.split('/')
  for (const { path: pattern, file } of SCREENS) {
    const names = pattern.split('/')
    if (names.length !== parts.length) continue
    const fits = names.every((name, index) => name.startsWith(':') || name === parts[index])
    if (!fits) continue
    const named = names.flatMap((name, index) => (name.startsWith(':') ? [[name.slice(1), parts[index] ?? '']] : []))
    return { load: LOADS[file], params: Object.fromEntries(named) as Record<string, string> }
  }
  return null
}

function NotFound() {
  return (
    <>
      <h1>There is no such page</h1>
      <p>
        <a href="/servers">See your servers</a>
      </p>
    </>
  )
}
