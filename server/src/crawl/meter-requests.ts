import { DEFAULT_MAX_BYTES, type NetClient } from '#net/client.ts'
import { NetError } from '#net/net-error.ts'
import { BudgetExhausted, type CrawlBudget } from './crawl-budget.ts'

/**
 * Wraps a `NetClient` to count traffic against the crawl budget. Throws `BudgetExhausted` without a request once the
 * budget is used up.
 */
export function meterRequests(net: NetClient, budget: CrawlBudget): NetClient {
  return {
    async fetch(url, request = {}) {
      const exhausted = budget.exhausted()
      if (exhausted) throw new BudgetExhausted(exhausted.detail)
      let received = 0
      let decompressed = 0
      try {
        const response = await net.fetch(url, { ...request, onReceived: (bytes) => (received += bytes) })
        decompressed = response.bytes.byteLength
        return response
      } catch (error) {
        // An oversized body was read up to the limit, unless its declared length was refused at once.
        const isTooLarge = error instanceof NetError && error.reason === 'too_large' && received > 0
        if (isTooLarge) decompressed = request.maxBytes ?? DEFAULT_MAX_BYTES
        throw error
      } finally {
        budget.fetched(Math.max(received, decompressed))
      }
    },
    [Symbol.asyncDispose]: () => net[Symbol.asyncDispose](),
  }
}
