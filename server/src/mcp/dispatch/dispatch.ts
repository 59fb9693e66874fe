import { type DocentError, toDocentError, tooManyRequests } from '#errors.ts'
import { answerLegacy, answerModern, refuseLegacyVersion, refuseModernVersion } from './answer-request.ts'
import { type Endpoint, type Unauthorized, refusal } from './endpoint.ts'
import type { ReportProgress } from '../definition/tool.ts'
import {
  META,
  errorReply,
  RPC,
  type Reply,
  type RequestId,
  type RpcAnswer,
  type RpcError,
  readMessage,
  type Message,
  BATCH_VERSION,
  isModernVersion,
  corsHeaders,
  bearerOf,
  type Caller,
  type McpRequest,
  type McpResponse,
} from '../protocol/message.ts'
import { isObject, parseJson } from '#lib/objects.ts'
import { progressTokenOf, streamProgress } from './stream-progress.ts'

/** Maximum messages per batch, so that one request cannot occupy a node for minutes. */
const BATCH_LIMIT = 50

/**
 * Answers one POST request to an MCP endpoint, in the era of its client. The caller has let `preflight` check the
 * origin. Responds with `application/json`, without sessions. Only a call that reports progress is answered by a stream,
 * and only to a client that asked for it. Rejects only if a hook does.
 */
export async function dispatch(endpoint: Endpoint, request: McpRequest): Promise<McpResponse> {
  const { origins } = endpoint
  const cors = corsHeaders(origins, request.headers.get('origin'))
  const { refused, admitted, caller } = await enter(endpoint, request, cors)
  if (refused) return refused
  const body = parseJson(request.body)
  if (body === undefined) {
    return respond(errorReply(null, { code: RPC.parseError, message: 'The body is not valid JSON.' }, 400), cors)
  }
  if (admitted === 'read' && callsTool(body)) return insufficientScope(endpoint, request, cors)
  if (!Array.isArray(body)) return answerAlone(endpoint, readMessage(body), request, cors)
  const refusedBatch = checkBatch(body, request)
  if (refusedBatch) return respond(refusedBatch, cors)
  const limitedBatch = body.length > 1 ? await overLimit(endpoint, caller, body.length - 1) : null
  if (limitedBatch) return refusal(limitedBatch, cors)
  const answers = await answerBatch(endpoint, body, request)
  return answers.length === 0 ? respond(null, cors) : json(200, batchBody(answers), cors)
}

/** Refuses a request other than of MCP by a caller who may not read, or too often. Null admits it. */
export async function admit(endpoint: Endpoint, request: McpRequest): Promise<McpResponse | null> {
  const { refused } = await enter(endpoint, request, corsHeaders(endpoint.origins, request.headers.get('origin')))
  return refused
}

/** Checks the caller, and takes one request. */
async function enter(endpoint: Endpoint, request: McpRequest, cors: Record<string, string>) {
  const bearer = bearerOf(request.headers)
  const admitted = await endpoint.hooks.authenticate(bearer)
  const isKnown = admitted === 'ok' || admitted === 'read'
  const accessToken = isKnown && endpoint.visibility === 'private' ? bearer : null
  const caller: Caller = { address: request.address, accessToken }
  const limited = await overLimit(endpoint, caller, 1)
  const refused = limited
    ? refusal(limited, cors)
    : isKnown
      ? null
      : unauthorized(endpoint, admitted, { request, cors })
  return { refused, admitted, caller }
}

async function overLimit({ hooks }: Endpoint, caller: Caller, count: number): Promise<DocentError | null> {
  const taken = await hooks.takeRequests(caller, count)
  return taken === 'ok' ? null : tooManyRequests(taken.retryAfterSeconds, taken.reached)
}

async function answerAlone(
  endpoint: Endpoint,
  message: Message,
  http: McpRequest,
  cors: Record<string, string>,
): Promise<McpResponse> {
  const token = endpoint.reportsProgress ? progressTokenOf(message, http.headers) : null
  if (token === null) return respond(await answer(endpoint, message, http), cors)
  const replied = await streamProgress(token, (report) => answer(endpoint, message, http, report), {
    textOf: ({ answer: said }) => Buffer.from(bodyOf(said)).toString(),
    onError: (error) => lateReply(endpoint, error, message),
  })
  return 'stream' in replied
    ? { status: 200, headers: { ...STREAM_HEADERS, ...cors }, body: null, stream: replied.stream }
    : respond(replied.reply, cors)
}

/** The last one tells proxies not to buffer. */
const STREAM_HEADERS = { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' }

/** Answers one message. Null for notifications and for responses to requests we never send. */
async function answer(
  endpoint: Endpoint,
  message: Message,
  http: McpRequest,
  report?: ReportProgress,
): Promise<Reply | null> {
  if (message.kind === 'invalid') return invalid(message.reason, message.id)
  const version = http.headers.get('mcp-protocol-version')
  if (message.kind !== 'request') return refuseVersion(version)
  if (isModern(message.params, version)) return answerModern(endpoint, message, http, report)
  return refuseLegacyVersion(version, message.id) ?? answerLegacy(endpoint, message, http, report)
}

/** Refuses the version header of a message without an id. Null if the header is absent or known. */
function refuseVersion(version: string | null): Reply | null {
  if (version === null || !isModernVersion(version)) return refuseLegacyVersion(version, null)
  const refused = refuseModernVersion(version)
  return refused && errorReply(null, refused.error, refused.status)
}

/** Only the version determines the era. `Mcp-Method` is no proof, because some bridges send it on legacy requests. */
function isModern(params: Record<string, unknown>, versionHeader: string | null): boolean {
  const meta = params['_meta']
  return (isObject(meta) && META.protocolVersion in meta) || isModernVersion(versionHeader)
}

/** Refuses a whole batch (2025-03-26). Null if its messages are to be answered one by one. */
function checkBatch(batch: unknown[], { headers }: McpRequest): Reply | null {
  const version = headers.get('mcp-protocol-version')
  const refused = refuseVersion(version)
  if (refused) return refused
  // Without a header the revision is unknown, and batches are accepted.
  if (version !== null && version !== BATCH_VERSION) {
    return invalid(`Protocol version ${version} has no batches, which only ${BATCH_VERSION} has. Send one message.`)
  }
  if (batch.length === 0) return invalid('The batch is empty.')
  return batch.length > BATCH_LIMIT ? invalid(`A batch holds at most ${BATCH_LIMIT} messages.`) : null
}

/** Answers in the order of the messages. An outage refuses single requests: others are already answered. */
async function answerBatch(endpoint: Endpoint, batch: unknown[], http: McpRequest): Promise<RpcAnswer[]> {
  const answers: RpcAnswer[] = []
  for (const item of batch) {
    const message = readMessage(item)
    const stateless = message.kind === 'request' && isModern(message.params, null)
    const reply = stateless
      ? invalid('Requests of stateless versions cannot be batched.', message.id)
      : await answer(endpoint, message, http).catch((error: unknown) => outageReply(error, message))
    if (reply) answers.push(reply.answer)
  }
  return answers
}

/** The response has begun, so its status cannot tell of the error. */
function lateReply({ hooks }: Endpoint, error: unknown, message: Message): Reply {
  const told = toDocentError(error)
  if (told.code === 'internal') hooks.reportFailure(error, 'tools/call')
  return errorReply(message.kind === 'request' ? message.id : null, rpcErrorOf(told))
}

/** Answers a request that cannot be served at the moment. Throws other errors, and those of messages without an id. */
function outageReply(error: unknown, message: Message): Reply {
  const told = toDocentError(error)
  if (told.status !== 503 || message.kind !== 'request') throw error
  return errorReply(message.id, rpcErrorOf(told))
}

function rpcErrorOf({ code, message, headers }: DocentError): RpcError {
  const { 'retry-after': wait } = headers
  const data = { reason: code, ...(wait === undefined ? {} : { retryAfter: Number(wait) }) }
  return { code: RPC.internalError, message, data }
}

/**
 * Answers the requests of a body that `dispatch` rejected because of an outage, or for which there is no endpoint for the
 * same reason: by JSON-RPC errors, because SDKs show their callers no data of other responses. Throws as `outageReply`.
 */
export function answerOutage(error: unknown, body: string, cors: Record<string, string>): McpResponse {
  const { headers } = toDocentError(error)
  const sent = parseJson(body)
  if (!Array.isArray(sent)) return respond(outageReply(error, readMessage(sent)), { ...headers, ...cors })
  const requests = sent.map(readMessage).filter(({ kind }) => kind === 'request')
  if (requests.length === 0 || requests.length > BATCH_LIMIT) throw error
  return json(200, batchBody(requests.map((message) => outageReply(error, message).answer)), { ...headers, ...cors })
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
  const { members, ...plain } = answer
  const text = JSON.stringify(plain)
  if (members === undefined) return text
  const comma = members.byteLength === 0 || Object.keys(answer.result).length === 0 ? '' : ','
  return Buffer.concat([Buffer.from(`${text.slice(0, -2)}${comma}`), members, Buffer.from('}}')])
}

function batchBody(answers: readonly RpcAnswer[]): Uint8Array {
  const parts = answers.flatMap((one, at) => [Buffer.from(at === 0 ? '[' : ','), Buffer.from(bodyOf(one))])
  return Buffer.concat([...parts, Buffer.from(']')])
}

type Refusing = { request: McpRequest; cors: Record<string, string> }

function unauthorized({ hooks }: Endpoint, { reason, message }: Unauthorized, by: Refusing): McpResponse {
  const data = { reason, docsUrl: hooks.docsUrl }
  // RFC 6750, section 3.1, has no code without a credential. The contract has one, but for private servers alone.
  const error = reason === 'missing_key' ? null : 'invalid_token'
  return challenge(hooks, 401, { ...by, error, rpc: { code: RPC.unauthorized, message, data } })
}

const READ_ONLY = 'This connection may read pages, but not call tools. Connect again and allow it to ask.'

function insufficientScope({ hooks }: Endpoint, request: McpRequest, cors: Record<string, string>): McpResponse {
  const rpc = {
    code: RPC.unauthorized,
    message: READ_ONLY,
    data: { reason: 'insufficient_scope', docsUrl: hooks.docsUrl },
  }
  return challenge(hooks, 403, { request, cors, error: 'insufficient_scope', rpc })
}

/** A refusal that tells the client how to get a token that is good enough (RFC 6750, section 3; RFC 9728, section 5.1). */
function challenge(
  hooks: Endpoint['hooks'],
  status: 401 | 403,
  { request, cors, error, rpc }: Refusing & { error: string | null; rpc: RpcError },
): McpResponse {
  const where = hooks.challenge?.(request.calledAs ?? '')
  const header = ['Bearer realm="Docent"', error && `error="${error}"`, where].filter(Boolean).join(', ')
  return json(status, JSON.stringify(errorReply(null, rpc).answer), { 'www-authenticate': header, ...cors })
}

function callsTool(body: unknown): boolean {
  const messages: readonly unknown[] = Array.isArray(body) ? body : [body]
  return messages.some((message) => isObject(message) && message['method'] === 'tools/call')
}
