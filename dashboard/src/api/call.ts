import type { OperationId } from '@docent/contract/operations'
import type { Input, Output } from '@docent/sdk'
import { requestOf } from '@docent/sdk/request'
import { OPERATIONS } from 'virtual:operations'
import { ApiError } from './api-error.ts'
import { reportLost } from './connection.ts'
import { takeEarly } from './early.ts'

type Options = {
  signal?: AbortSignal
  idempotencyKey?: string
  /** True: that there is no session is an answer. Otherwise the call waits for a sign-in. */
  mayBeSignedOut?: boolean
}

/** Calls an operation of the management interface with the session's cookie. Throws `ApiError`. */
export async function call<Id extends OperationId>(
  id: Id,
  input: Input<Id>,
  { signal, idempotencyKey, mayBeSignedOut = false }: Options = {},
): Promise<Output<Id>> {
  const { url, init } = requestOf(location.origin, OPERATIONS[id], input)
  const early = init.method === 'GET' ? takeEarly(url) : undefined
  if (early) {
    try {
      return (await early) as Output<Id>
    } catch (error) {
      // Other failures may be over by now. This one is an answer: there is no session.
      if (error instanceof ApiError && error.status === 401 && mayBeSignedOut) throw error
    }
  }
  const headers = { ...init.headers, ...(idempotencyKey ? { 'idempotency-key': idempotencyKey } : {}) }
  const response = await send(
    url,
    { ...init, headers, ...(signal ? { signal } : {}) },
    mayBeSignedOut || id === 'sessions.create',
  )
  return (await response.json()) as Output<Id>
}

/**
 * Sends one request. Throws `ApiError` for refusals, and if the service does not answer. If the session has ended, the
 * request waits for the next sign-in and is sent again, so that nothing typed is lost.
 */
export async function send(
  url: string,
  init: RequestInit,
  mayBeSignedOut = false,
  request: (url: string, init: RequestInit) => Promise<Response> = fetch,
): Promise<Response> {
  let response: Response
  try {
    response = await request(url, init)
  } catch (error) {
    if (init.signal?.aborted) throw error
    reportLost()
    throw ApiError.unreachable()
  }
  if (response.ok) return response
  const error = await ApiError.from(response)
  if (error.status !== 401 || mayBeSignedOut || (await hasSession())) throw error
  await nextSession(init.signal)
  return send(url, init, false, request)
}

/** True unless the service says that the session has ended. Other refusals have the same status. */
async function hasSession(): Promise<boolean> {
  const answer = await fetch('/api/sessions', { headers: { accept: 'application/json' } }).catch(() => null)
  return answer?.status !== 401
}

/** Asks for a sign-in and resolves after it. Rejects if the request is no longer wanted. */
function nextSession(signal: AbortSignal | null | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    addEventListener(SIGNED_IN, () => resolve(), { once: true })
    signal?.addEventListener('abort', () => reject(signal.reason as Error))
    dispatchEvent(new Event(SIGNED_OUT))
  })
}

/** Sent to the window when the session has ended. */
export const SIGNED_OUT = 'docent-signed-out'
/** Sent to the window after the same account has signed in again. */
export const SIGNED_IN = 'docent-signed-in'
