import { DocentError } from '#errors.ts'
import { META, refuseModernVersion } from './check-modern.ts'
import type { Endpoint } from './endpoint.ts'
import { gate, methodNotAllowed, refusal } from './gate.ts'
import { isObject } from './is-object.ts'
import { errorReply, RPC, type Reply, type RequestId, type RpcAnswer } from './json-rpc.ts'
import { answerLegacy, refuseLegacyVersion } from './legacy.ts'
import { readMessage, type Message } from './message.ts'
import { answerModern } from './modern.ts'
import { corsHeaders } from './origins.ts'
import { stringifyMembers } from './raw-json.ts'
import { bearerOf, type Caller, type McpRequest, type McpResponse } from './request.ts'
import { BATCH_VERSION, isModernVersion } from './versions.ts'

/** Bytes of a request body. Calls are short; whoever sends more has mistaken the endpoint. */
export const BODY_LIMIT = 4 * 1024 * 1024

/** Messages in one batch, so that a single request cannot hold a node for minutes. */
const BATCH_LIMIT = 50

/**
 * Answers one HTTP request to an MCP endpoint, in the era its client speaks. Independent of any web framework, always
 * `application/json`, no sessions and no streams. Rejects only when a hook does.
 */
export async function dispatch(endpoint: Endpoint, request: McpRequest): Promise<McpResponse> {
  const { origins, hooks } = endpoint
  const early = gate(origins, request)
  if (early) return early
  const origin = request.headers.get('origin')
  if (request.method !== 'POST') return methodNotAllowed(origins, origin)
  const cors = corsHeaders(origins, origin)
  if (sizeOf(request.body) > BODY_LIMIT) return refusal(new DocentError('payload_too_large'), cors)

  const bearer = bearerOf(request.headers)
  const admitted = await hooks.authenticate(bearer)
  if (admitted !== 'ok') {
    const tooMany = await overLimit(endpoint, { address: request.address, accessToken: null }, 1)
    return tooMany ? refusal(tooMany, cors) : unauthorized(endpoint, admitted, cors)
  }
  const caller: Caller = { address: request.address, accessToken: endpoint.visibility === 'private' ? bearer : null }
  const limited = await overLimit(endpoint, caller, 1)
  if (limited) return refusal(limited, cors)

  const body = parseBody(request.body)
  if (body === undefined) {
    return respond(errorReply(null, { code: RPC.parseError, message: 'The body is not valid JSON.' }, 400), cors)
  }
  if (!Array.isArray(body)) return respond(await answer(endpoint, readMessage(body), request), cors)
  const refusedBatch = checkBatch(body, request)
  if (refusedBatch) return respond(refusedBatch, cors)
  const limitedBatch = body.length > 1 ? await overLimit(endpoint, caller, body.length - 1) : null
  if (limitedBatch) return refusal(limitedBatch, cors)
  const answers = await answerBatch(endpoint, body, request)
  return answers.length === 0 ? respond(null, cors) : json(200, batchBody(answers), cors)
}

async function overLimit({ hooks }: Endpoint, caller: Caller, count: number): Promise<DocentError | null> {
  const taken = await hooks.takeRequests(caller, count)
  if (taken === 'ok') return null
  const seconds = Math.max(1, Math.ceil(taken.retryAfterSeconds))
  return new DocentError('too_many_requests', { headers: { 'retry-after': String(seconds) } })
}

/** One message. Null where nothing is to be said: notifications and answers to questions we never ask. */
async function answer(endpoint: Endpoint, message: Message, http: McpRequest): Promise<Reply | null> {
  if (message.kind === 'invalid') return invalid(message.reason, message.id)
  const version = http.headers.get('mcp-protocol-version')
  if (message.kind !== 'request') return refuseVersion(version)
  if (isModern(message.params, version)) return answerModern(endpoint, message, http)
  return refuseLegacyVersion(version, message.id) ?? answerLegacy(endpoint, message, http)
}

/** The refusal of a message without an id for its version header; null when that is absent or known. */
function refuseVersion(version: string | null): Reply | null {
  if (version === null || !isModernVersion(version)) return refuseLegacyVersion(version, null)
  const refused = refuseModernVersion(version)
  return refused && errorReply(null, refused.error, refused.status)
}

/** The era is told by the version alone. `Mcp-Method` proves nothing: some bridges send it on legacy requests. */
function isModern(params: Record<string, unknown>, versionHeader: string | null): boolean {
  const meta = params['_meta']
  return (isObject(meta) && META.protocolVersion in meta) || isModernVersion(versionHeader)
}

/** The refusal of a whole batch (2025-03-26); null when its messages are to be answered one by one. */
function checkBatch(batch: unknown[], { headers }: McpRequest): Reply | null {
  const version = headers.get('mcp-protocol-version')
  const refused = refuseVersion(version)
  if (refused) return refused
  // Without a header the revision is unknown, and batches are answered.
  if (version !== null && version !== BATCH_VERSION) {
    return invalid(`Protocol version ${version} has no batches, which only ${BATCH_VERSION} has. Send one message.`)
  }
  if (batch.length === 0) return invalid('The batch is empty.')
  return batch.length > BATCH_LIMIT ? invalid(`A batch holds at most ${BATCH_LIMIT} messages.`) : null
}

/** Answers in the order of the messages that want one. */
async function answerBatch(endpoint: Endpoint, batch: unknown[], http: McpRequest): Promise<RpcAnswer[]> {
  const answers: RpcAnswer[] = []
  for (const item of batch) {
    const message = readMessage(item)
    const stateless = message.kind === 'request' && isModern(message.params, null)
    const reply = stateless
      ? invalid('Requests of stateless versions cannot be batched.', message.id)
      : await answer(endpoint, message, http).catch((error: unknown) => busyReply(error, message))
    if (reply) answers.push(reply.answer)
  }
  return answers
}

/** A batch has answers already, so that a call that cannot be taken is refused by itself. */
function busyReply(error: unknown, message: Message): Reply {
  if (!(error instanceof DocentError) || message.kind !== 'request') throw error
  return errorReply(message.id, { code: RPC.internalError, message: error.message })
}

function invalid(message: string, id: RequestId | null = null): Reply {
  return errorReply(id, { code: RPC.invalidRequest, message }, 400)
}

function respond(reply: Reply | null, cors: Record<string, string>): McpResponse {
  return reply ? json(reply.status, bodyOf(reply.answer), cors) : { status: 202, headers: cors, body: null }
}

function json(status: number, body: string | Uint8Array, headers: Record<string, string>): McpResponse {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body }
}

function bodyOf(answer: RpcAnswer): string | Uint8Array {
  if ('error' in answer) return JSON.stringify(answer)
  const { id, result, members } = answer
  const known = stringifyMembers(result)
  const head = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`
  if (members === undefined) return `${head}${known}}`
  const comma = known === '{}' || members.byteLength === 0 ? '' : ','
  return Buffer.concat([Buffer.from(`${head}${known.slice(0, -1)}${comma}`), members, Buffer.from('}}')])
}

function batchBody(answers: readonly RpcAnswer[]): Uint8Array {
  const parts = answers.flatMap((one, at) => [Buffer.from(at === 0 ? '[' : ','), Buffer.from(bodyOf(one))])
  return Buffer.concat([...parts, Buffer.from(']')])
}

function unauthorized(
  { hooks: { docsUrl } }: Endpoint,
  reason: 'missing_token' | 'invalid_token',
  cors: Record<string, string>,
): McpResponse {
  const message =
    reason === 'missing_token'
      ? 'This server is private. Add an access token of the server as "Authorization: Bearer <ACCESS_TOKEN>".'
      : 'The access token is not valid for this server. Add a current one as "Authorization: Bearer <ACCESS_TOKEN>".'
  const { answer: body } = errorReply(null, { code: RPC.unauthorized, message, data: { reason, docsUrl } })
  return json(401, JSON.stringify(body), {
    'www-authenticate': 'Bearer realm="Docent", error="invalid_token"',
    ...cors,
  })
}

function sizeOf(body: string | Uint8Array): number {
  return typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength
}

/** The parsed body, or undefined, which JSON cannot say. */
function parseBody(body: string | Uint8Array): unknown {
  try {
    const text = typeof body === 'string' ? body : new TextDecoder('utf-8', { fatal: true }).decode(body)
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
