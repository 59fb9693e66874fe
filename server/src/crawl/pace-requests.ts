import { setTimeout as sleep } from 'node:timers/promises'
import type { NetClient, NetRequest, NetResponse } from '#net/client.ts'
import { NetError } from '#net/net-error.ts'
import { outcomeOf } from '#net/outcome-of.ts'
import type { Pacer } from '#net/pacing.ts'
import { LONG_TRY_MS } from './adaptive-timeouts.ts'
import { failureOfStatus } from './reasons.ts'

type Deps = { net: Pick<NetClient, 'fetch'>; pacer: Pacer; signal: AbortSignal }

/** Milliseconds before the second and third try after a transient failure. */
export const RETRY_AFTER_MS = [500, 3_000]

/**
 * Wraps a `NetClient` for idempotent requests. Each request waits for its host's turn. Transient failures are retried,
 * unless the try was slow or the host asks for a long pause. Throws the errors of the client.
 */
export function paceRequests({ net, pacer, signal }: Deps): Pick<NetClient, 'fetch'> {
  const once = async (url: string, request: NetRequest): Promise<Try> => {
    const { host } = new URL(url)
    const release = await pacer.acquire(host, signal)
    const started = performance.now()
    let response: NetResponse | null = null
    let failure: unknown
    try {
      response = await net.fetch(url, request)
    } catch (error) {
      failure = error
    }
    const elapsedMs = performance.now() - started
    release(outcomeOf(host, response ? { response, elapsedMs } : { error: failure, elapsedMs }))
    const isLong = elapsedMs > LONG_TRY_MS || pacer.pausedFor(host) > LONG_TRY_MS
    return response ? { response, isLong } : { failure, isLong }
  }
  return {
    async fetch(url, request = {}) {
      for (let tries = 0; ; tries++) {
        const tried = await once(url, request)
        const wait = tried.isLong || !mayPass(tried) ? undefined : RETRY_AFTER_MS[tries]
        if (wait !== undefined) await sleep(wait, undefined, { signal })
        else if (tried.response) return tried.response
        else throw tried.failure
      }
    },
  }
}

/** The outcome of a try, and whether a retry would take too long. */
type Try = { isLong: boolean } & (
  | { response: NetResponse; failure?: undefined }
  | { failure: unknown; response?: undefined }
)

function mayPass({ response, failure }: Try): boolean {
  if (response) return failureOfStatus(response.status)?.transient === true
  return failure instanceof NetError && failure.transient
}
