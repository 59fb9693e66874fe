import { GiveUp } from '#jobs/errors.ts'
import type { NetRequest, NetResponse } from '#net/client.ts'
import { NetError } from '#net/net-error.ts'
import { paceRequests } from '#crawl/pace-requests.ts'
import { failureOfStatus } from '#crawl/reasons.ts'
import type { ReaderDeps } from './source-document.ts'

/**
 * Fetches a source document at its host's pace, and retries transient failures. Throws `GiveUp` with a sentence for the
 * source's owner unless it succeeds.
 */
export async function fetchWhole(deps: ReaderDeps, url: string, request: NetRequest): Promise<NetResponse> {
  const response = await ask(deps, url, request)
  const failure = failureOfStatus(response.status)
  if (failure) throw new GiveUp(`${url}: ${failure.detail}`)
  return response
}

async function ask(deps: ReaderDeps, url: string, request: NetRequest): Promise<NetResponse> {
  try {
    return await paceRequests(deps).fetch(url, { ...request, signal: deps.signal })
  } catch (error) {
    deps.signal.throwIfAborted()
    throw error instanceof NetError ? new GiveUp(error.message, { cause: error }) : error
  }
}
