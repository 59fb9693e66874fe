import { setTimeout as sleep } from 'node:timers/promises'
import type { NetClient, NetRequest, NetResponse } from '#net/client.ts'
import { NetError } from '#net/net-error.ts'
import type { Pacer } from '#net/pacing.ts'
import { LONG_TRY_MS } from './patience.ts'
import { failureOfStatus } from './reasons.ts'

type Deps = { net: Pick<NetClient, 'fetch'>; pacer: Pacer; signal: AbortSignal }

/** Waits before the second and the third try of a request whose failure may pass. */
const RETRY_AFTER_MS = [500, 3_000]

/**
 * The guarded door for requests that ask and change nothing: each waits for its host's turn, and one whose failure may
 * pass is sent again. Throws what the door throws.
 */
export function paceRequests({ net, pacer, signal }: Deps): Pick<NetClient, 'fetch'> {
  const once = async (url: string, request: NetRequest): Promise<NetResponse> => {
    const release = await pacer.acquire(new URL(url).host, signal)
    const started = performance.now()
    let response: NetResponse | null = null
    try {
      response = await net.fetch(url, request)
      return response
    } finally {
      const retryAfter = response?.headers['retry-after']
      release({ status: response?.status ?? null, elapsedMs: performance.now() - started, retryAfter })
    }
  }
  return {
    async fetch(url, request = {}) {
      for (const wait of RETRY_AFTER_MS) {
        const started = performance.now()
        try {
          const response = await once(url, request)
          if (failureOfStatus(response.status)?.transient !== true) return response
        } catch (error) {
          if (!(error instanceof NetError) || !error.transient) throw error
          if (performance.now() - started > LONG_TRY_MS) throw error
        }
        await sleep(wait, undefined, { signal })
      }
      return once(url, request)
    },
  }
}
