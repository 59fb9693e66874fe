import { checkUrl } from './check-url.ts'
import { NetError } from './net-error.ts'

/** Parses a fetchable URL without its fragment, or explains the problem. Does not check where the host leads. */
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
