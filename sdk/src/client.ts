import type { Operation } from '@docent/contract/operation'
import { operations } from '@docent/contract/operations'
import { DocentApiError } from './error.ts'
import type { Operations } from './operation-types.ts'
import { readItems } from './read-items.ts'
import { requestOf } from './request.ts'
import { type RetryOptions, backOff, wait, waitBefore } from './retry.ts'

export type OperationId = keyof Operations
export type Input<Id extends OperationId> = Operations[Id]['input']
export type Output<Id extends OperationId> = Operations[Id]['output']

export type CallOptions = {
  signal?: AbortSignal
  /**
   * A repeated request with the same key within 24 hours gets the first one's answer. Operations that create something
   * get a random key by default, so that the client can repeat them.
   */
  idempotencyKey?: string
  /** The file of an operation that takes one, such as `sources.upload`. */
  file?: Blob | Uint8Array<ArrayBuffer>
}

/** A stream of items if the operation has one, otherwise one answer. */
type Answer<Id extends OperationId> = Operations[Id]['isStream'] extends true ? AsyncIterable<Output<Id>> : Output<Id>

/** The input is optional if it has no required field. */
type Call<Id extends OperationId> =
  Record<string, never> extends Input<Id>
    ? (input?: Input<Id>, options?: CallOptions) => Promise<Answer<Id>>
    : (input: Input<Id>, options?: CallOptions) => Promise<Answer<Id>>

type Noun = OperationId extends `${infer N}.${string}` ? N : never
type Verb<N extends Noun> = OperationId extends infer Id ? (Id extends `${N}.${infer V}` ? V : never) : never

/** One function per operation of the management interface, such as `client.servers.create({…})`. */
export type DocentClient = {
  [N in Noun]: { [V in Verb<N>]: `${N}.${V}` extends infer Id extends OperationId ? Call<Id> : never }
}

export type ClientOptions = {
  /** URL of the service, such as `https://docent.example.com`. */
  baseUrl: string
  /** An account's API key, `dk_live_…`. Only `servers.progress` works without one. */
  apiKey?: string
  /** A client secret, `dcs_…`, for the operations of developers. */
  clientSecret?: string
  /** Replaces the global `fetch`. */
  fetch?: typeof fetch
} & RetryOptions

/**
 * A client of the management interface, generated from the list of operations. Calls reject with `DocentApiError` when
 * the service refuses, and with the error of `fetch` when it cannot be reached. Requests that may be repeated are, after
 * the time that the service asks for.
 */
export function createDocentClient(options: ClientOptions): DocentClient {
  const client: Record<string, Record<string, unknown>> = {}
  for (const [id, operation] of Object.entries<Operation>(operations)) {
    const [noun = '', verb = ''] = id.split('.')
    const call = (input: Record<string, unknown> = {}, callOptions: CallOptions = {}) =>
      send(options, operation, input, callOptions)
    client[noun] = { ...client[noun], [verb]: call }
  }
  // The type is derived from the same list, but the compiler cannot follow the loop.
  return client as DocentClient
}

async function send(
  options: ClientOptions,
  operation: Operation,
  input: Record<string, unknown>,
  { signal, idempotencyKey, file }: CallOptions,
): Promise<unknown> {
  const { baseUrl, apiKey, clientSecret, retries = RETRIES } = options
  const isTable = operation.produces === 'table'
  const { url, init } = requestOf(baseUrl, operation, isTable ? { ...input, format: 'json' } : input, file)
  const isDeveloper = operation.auth === 'developer' || operation.auth === 'client'
  const credential = isDeveloper ? clientSecret : apiKey
  const key = idempotencyKey ?? (operation.onceByKey && retries > 0 ? crypto.randomUUID() : undefined)
  const headers = {
    ...init.headers,
    ...(credential ? { authorization: `Bearer ${credential}` } : {}),
    ...(key ? { 'idempotency-key': key } : {}),
  }
  const repeatable = operation.method === 'GET' || (operation.onceByKey === true && key !== undefined)
  const request = { url, init: { ...init, headers, ...(signal ? { signal } : {}) } }
  const response = await sendRepeatedly(options, request, { repeatable, expected: operation.errors })
  return operation.produces ? readItems(operation.produces, response) : response.json()
}

const RETRIES = 2
const MAX_WAIT_MS = 60_000

type Repetition = { repeatable: boolean; expected: Operation['errors'] }

/** The first answer that is no refusal. Throws the last refusal, or the last error of `fetch`. */
async function sendRepeatedly(
  { fetch: go = fetch, retries = RETRIES, maxWaitMs = MAX_WAIT_MS }: ClientOptions,
  { url, init }: { url: string; init: RequestInit },
  { repeatable, expected }: Repetition,
): Promise<Response> {
  const signal = init.signal ?? undefined
  for (let attempt = 0; ; attempt++) {
    const isLast = attempt >= retries
    let waitMs = backOff(attempt)
    try {
      const response = await go(url, init)
      if (response.ok) return response
      const error = await DocentApiError.from(response, expected)
      const asked = waitBefore(error, { repeatable, attempt })
      if (isLast || asked === null || asked > maxWaitMs) throw error
      waitMs = asked
    } catch (error) {
      if (error instanceof DocentApiError || isLast || !repeatable || signal?.aborted) throw error
    }
    await wait(waitMs, signal)
  }
}
