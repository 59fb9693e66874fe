import { ApiError } from './api-error.ts'

/** The answers that the page has. */
const ANSWERED = 'script[type="application/json"]'
/** The queries that the page names. The browser has begun them before this script. */
const NAMED = 'link[rel="preload"][as="fetch"]'
/** Screens ask within moments. After this long, an answer could be out of date. */
const KEPT_MS = 10_000

type Early = { answer: Promise<unknown>; element: Element }
const early = new Map<string, Early>()

/**
 * Reads the answers that the page has, and those of the queries that it names, so that the first screen can be drawn at once. Resolves when
 * all of them are here, or have failed: then the screen asks again.
 */
export async function readEarly(): Promise<void> {
  for (const element of document.querySelectorAll<HTMLScriptElement>(ANSWERED)) {
    const { href } = new URL(element.dataset['href'] ?? '', location.href)
    early.set(href, { answer: Promise.resolve(JSON.parse(element.text)), element })
  }
  for (const element of document.querySelectorAll<HTMLLinkElement>(NAMED)) {
    early.set(element.href, { answer: read(element.href), element })
  }
  setTimeout(forgetEarly, KEPT_MS)
  await Promise.allSettled([...early.values()].map(({ answer }) => answer))
}

/** The answer of a query, once. Undefined if the page did not name the query. Rejects if it failed. */
export function takeEarly(url: string): Promise<unknown> | undefined {
  const found = early.get(url)
  early.delete(url)
  found?.element.remove()
  return found?.answer
}

/** True if the page named the query, and nobody has taken its answer. */
export const isEarly = (path: string): boolean => early.has(new URL(path, location.href).href)

/** For another session, the answers differ. */
export function forgetEarly(): void {
  early.clear()
}

async function read(url: string): Promise<unknown> {
  const response = await fetch(url, { headers: { accept: 'application/json' } })
  if (!response.ok) throw await ApiError.from(response)
  return response.json()
}
