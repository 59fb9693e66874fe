import { useEffect, useRef, useState } from 'preact/hooks'
import { heldNow, leave } from './leave.ts'
import { FRONT, SCREENS } from './screen-list.ts'

/** Props of a screen: the named parts of the path, and the query. */
export type ScreenProps = { params: Readonly<Record<string, string>>; query: URLSearchParams }

/** Where the browser is. Everything that a screen shows follows from it and the service. */
export type Place = { path: string; query: URLSearchParams; hash: string }

const MOVED = 'docent-moved'

const here = (): Place => ({
  path: location.pathname.replace(/(?<=.)\/$/, ''),
  query: new URLSearchParams(location.search),
  hash: location.hash.slice(1),
})

/** Opens an address: one of the dashboard without loading the page anew. */
export function navigate(address: string, { replace = false } = {}): void {
  if (!isScreen(new URL(address, location.href).pathname)) return location.assign(address)
  const before = location.pathname
  if (replace) history.replaceState(null, '', address)
  else history.pushState(null, '', address)
  dispatchEvent(new Event(MOVED))
  if (location.pathname !== before) scrollTo(0, 0)
}

/** Changes parts of the query. Null removes one. */
export function setQuery(changes: Readonly<Record<string, string | null>>): void {
  const query = new URLSearchParams(location.search)
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) query.delete(name)
    else query.set(name, value)
  }
  const text = query.toString()
  navigate(location.pathname + (text ? `?${text}` : ''), { replace: true })
}

export function usePlace(): Place {
  const [place, setPlace] = useState(here)
  const shown = useRef(location.href)
  useEffect(() => {
    const update = () => {
      shown.current = location.href
      setPlace(here())
    }
    // The browser has gone back or forward already. With something to lose, it comes back until that is settled.
    const move = () => {
      const { href, pathname } = location
      if (pathname === new URL(shown.current).pathname || heldNow() === null) return update()
      history.pushState(null, '', shown.current)
      leave(() => navigate(href))
    }
    addEventListener(MOVED, update)
    addEventListener('popstate', move)
    addEventListener('hashchange', update)
    return () => {
      removeEventListener(MOVED, update)
      removeEventListener('popstate', move)
      removeEventListener('hashchange', update)
    }
  }, [])
  return place
}

/** Lets plain clicks on links of the dashboard open their address here. */
export function followLinks(): void {
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null
    const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey
    if (!link || !isPlain || event.defaultPrevented || link.target || link.hasAttribute('download')) return
    const { origin, pathname, search, hash } = new URL(link.href)
    if (origin !== location.origin || !isScreen(pathname)) return
    // The browser scrolls to a part of this page itself.
    if (hash !== '' && pathname === location.pathname && search === location.search) return
    event.preventDefault()
    const go = () => navigate(pathname + search + hash)
    if (pathname === location.pathname) go()
    else leave(go)
  })
}

/** Other addresses of the service are documents, which the browser loads. */
const isScreen = (path: string): boolean => FIRST_NAMES.has(path.split('/')[1] ?? '')

const FIRST_NAMES: ReadonlySet<string> = new Set(
  [...FRONT, ...SCREENS.map((screen) => screen.path)].map((path) => path.split('/')[1] ?? ''),
)
