import { setTimeout as sleep } from 'node:timers/promises'
import { GiveUp } from '#jobs/errors.ts'
import type { NetRequest, NetResponse } from '#net/client.ts'
import { NetError } from '#net/net-error.ts'
import { failureOfStatus } from '../reasons.ts'
import type { ReaderDeps } from './source-document.ts'

/** Waits before the second and the third try of a request whose failure may pass. */
const RETRY_AFTER_MS = [500, 3_000]

/**
 * Fetches what a source consists of, at its host's pace, and tries again what may pass. Throws `GiveUp` with a sentence
 * for the source's owner for anything but a success.
 */
export async function fetchWhole(deps: ReaderDeps, url: string, request: NetRequest): Promise<NetResponse> {
  for (let tries = 0; ; tries++) {
    const answer = await tryOnce(deps, url, request)
    if ('response' in answer) return answer.response
    const wait = RETRY_AFTER_MS[tries]
    if (!answer.transient || wait === undefined) throw new GiveUp(answer.sentence)
    await sleep(wait, undefined, { signal: deps.signal })
  }
}

type Answer = { response: NetResponse } | { sentence: string; transient: boolean }

async function tryOnce({ net, pacer, signal }: ReaderDeps, url: string, request: NetRequest): Promise<Answer> {
  const release = await pacer.acquire(new URL(url).host, signal)
  const started = performance.now()
  let status: number | null = null
  let retryAfter: string | undefined
  try {
    const response = await net.fetch(url, { ...request, signal })
    status = response.status
    retryAfter = response.headers['retry-after']
    const failure = failureOfStatus(status)
    return failure ? { sentence: `${url}: ${failure.detail}`, transient: failure.transient } : { response }
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof NetError) return { sentence: error.message, transient: error.transient }
    throw error
  } finally {
    release({ status, elapsedMs: performance.now() - started, retryAfter })
  }
}
