import { checkUrl } from './check-url.ts'
import { NetError } from './net-error.ts'

/** A URL that could be fetched, without its fragment, or why it is none. Says nothing about where its host leads. */
export function readAddress(text: string): { address: URL } | { problem: string } {
  try {
    const address = checkUrl(text.trim())
    address.hash = ''
    return { address }
  } catch (error) {
    if (error instanceof NetError) return { problem: error.message }
    throw error
  }
}
