import { ApiError } from './api-error.ts'

/** The queries that the page names. The browser has begun them before this script. */
const NAMED = 'link[rel="preload"][as="fetch"]'
/** Screens ask within moments. After this long, an answer could be out of date. */
const KEPT_MS = 10_000

type Early = { answer: Promise<unknown>; link: Element }
const early = new Map<string, Early>()

/**
 * Reads the answers of the queries that the page names, so that the first screen can be drawn at once. Resolves when
 * all of them are here, or have failed: then the screen asks again.
 */
export async function readEarly(): Promise<void> {
  for (const link of document.querySelectorAll<HTMLLinkElement>(NAMED)) {
    early.set(link.href, { answer: read(link.href), link })
  }
  setTimeout(forgetEarly, KEPT_MS)
  await Promise.allSettled([...early.values()].map(({ answer }) => answer))
}

/** The answer of a query, once. Undefined if the page did not name the query. Rejects if it failed. */
export function takeEarly(url: string): Promise<unknown> | undefined {
  const found = early.get(url)
  early.delete(url)
  found?.link.remove()
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
