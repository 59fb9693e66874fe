import { checkUrl } from './check-url.ts'
import { NetError } from './net-error.ts'

/** A URL that could be fetched, without its fragment, or null. Says nothing about where its host leads. */
export function parseAddress(text: string): URL | null {
  try {
    const url = checkUrl(text.trim())
    url.hash = ''
    return url
  } catch (error) {
    if (error instanceof NetError) return null
    throw error
  }
}
