import type { Operation } from '@docent/contract/operation'
import { type OperationId, operations } from '@docent/contract/operations'
import type { z } from 'zod'
import { DocentApiError } from './error.ts'
import { readItems } from './read-items.ts'
import { requestOf } from './request.ts'

type Operations = typeof operations

export type Input<Id extends OperationId> = z.input<Operations[Id]['input']>
export type Output<Id extends OperationId> = z.output<Operations[Id]['output']>

export type CallOptions = {
  signal?: AbortSignal
  /** A repeated request with the same key within 24 hours gets the first one's answer. */
  idempotencyKey?: string
}

/** A stream of items if the operation has one, otherwise one answer. */
type Answer<Id extends OperationId> = Operations[Id] extends { produces: string }
  ? AsyncIterable<Output<Id>>
  : Output<Id>

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
}

/**
 * A client of the management interface, generated from the list of operations. Calls reject with `DocentApiError` when
 * the service refuses, and with the error of `fetch` when it cannot be reached.
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
  { baseUrl, apiKey, clientSecret, fetch: go = fetch }: ClientOptions,
  operation: Operation,
  input: Record<string, unknown>,
  { signal, idempotencyKey }: CallOptions,
): Promise<unknown> {
  const isTable = operation.produces === 'table'
  const { url, init } = requestOf(baseUrl, operation, isTable ? { ...input, format: 'json' } : input)
  const isDeveloper = operation.auth === 'developer' || operation.auth === 'client'
  const credential = isDeveloper ? clientSecret : apiKey
  const headers = {
    ...init.headers,
    ...(credential ? { authorization: `Bearer ${credential}` } : {}),
    ...(idempotencyKey ? { 'idempotency-key': idempotencyKey } : {}),
  }
  const response = await go(url, { ...init, headers, ...(signal ? { signal } : {}) })
  if (!response.ok) throw await DocentApiError.from(response, operation.errors)
  return operation.produces ? readItems(operation.produces, response) : response.json()
}
