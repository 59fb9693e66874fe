import type { Operation } from '@docent/contract/operation'
import { type OperationId, operations } from '@docent/contract/operations'
import type { Actor } from '#auth/authenticate.ts'
import { DocentError, toDocentError } from '#errors.ts'
import { note } from '#mcp/passages/frame.ts'
import { isObject } from '#mcp/protocol/is-object.ts'
import type { ToolResult, ReportProgress } from '#mcp/definition/tool.ts'
import type { Given, OperationDeps } from '#operations/operation.ts'
import { run } from '#operations/run.ts'
import { resolveServerId } from '#operations/servers/resolve-id.ts'
import { StoreUnavailableError } from '#store/engine/store-unavailable.ts'
import type { ManagementTool } from './account-tools.ts'
import { type FittedResult, fitList, fitResult, omitMembers } from './fit-result.ts'
import type { Arguments } from './read-arguments.ts'

/** A call of a tool by the holder of an API key. */
export type ManagementCall = {
  deps: OperationDeps
  actor: Actor
  signal: AbortSignal
  report: ReportProgress | undefined
  /** Called with bugs, whose text callers do not see. */
  onBug: (error: unknown) => void
}

/**
 * Makes the management request of a tool in this process, with the key of the caller. The result is the answer without
 * the members that no next step needs. A refusal is an error with the HTTP status and the body of the answer. Rejects
 * with `StoreUnavailableError` while the database is out of reach: then the whole request is refused.
 */
export async function callManagementTool(
  { tool, requests }: ManagementTool,
  { values, remarks }: Arguments,
  call: ManagementCall,
): Promise<ToolResult> {
  try {
    const parts: [string, unknown][] = []
    for (const { member, id } of requests) {
      const answer = await request(id, tool.arguments, values, call)
      if (member === null)
        return resultOf(await fit(answer, operations[id], { omits: tool.omits ?? [], call }), remarks)
      parts.push([member, answer])
    }
    return resultOf(fitResult(omitMembers(Object.fromEntries(parts), tool.omits ?? [])), remarks)
  } catch (cause) {
    if (call.signal.aborted || isOutOfReach(cause)) throw cause
    if (cause instanceof BuildFailure) return refusalOf({ status: 200, body: cause.line }, remarks)
    const error = toDocentError(cause)
    if (error.code === 'internal') call.onBug(cause)
    return refusalOf(error, remarks)
  }
}

/**
 * True for outages that pass in seconds, which clients and proxies wait out by `503` and `Retry-After`. Only changes fail
 * with the others, until somebody makes space: the model reads why.
 */
const isOutOfReach = (cause: unknown): boolean =>
  cause instanceof StoreUnavailableError && (cause.outage === 'away' || cause.outage === 'busy')

/** Requests an operation with the fields that the arguments fill. */
async function request(
  id: OperationId,
  targets: ManagementTool['tool']['arguments'],
  values: Record<string, unknown>,
  { deps, actor, signal }: ManagementCall,
): Promise<unknown> {
  const { path } = operations[id]
  const given: Given & { rest: Record<string, unknown> } = { path: {}, rest: {} }
  for (const [name, target] of Object.entries(targets)) {
    const value = values[name]
    if (value === undefined) continue
    const { field, members } = typeof target === 'string' ? { field: target } : target
    const isText = typeof value === 'string'
    if (isText && path.includes(`{${field}}`)) given.path[field] = value
    else if (isText && name === 'server') given.rest[field] = await resolveServerId(deps, actor, value)
    else given.rest[field] = members ? onlyMembers(value, members) : value
  }
  return run({ deps, signal, authorization: `Bearer ${actor.credential.secret}` }, id, given)
}

function onlyMembers(list: unknown, members: readonly string[]): unknown {
  if (!Array.isArray(list)) return list
  return list.map((item: unknown) =>
    isObject(item) ? Object.fromEntries(Object.entries(item).filter(([name]) => members.includes(name))) : item,
  )
}

type Form = { omits: readonly string[]; call: ManagementCall }

async function fit(answer: unknown, { produces }: Operation, { omits, call }: Form): Promise<FittedResult> {
  if (!isIterable(answer)) return fitResult(omitMembers(answer, omits))
  if (!produces) return fitList(answer, (item) => omitMembers(item, omits))
  return fitResult(omitMembers(await readBuild(answer, call.report), omits))
}

const isIterable = (answer: unknown): answer is AsyncIterable<unknown> =>
  typeof answer === 'object' && answer !== null && Symbol.asyncIterator in answer

/** The build of a custom tool failed. REST reports that in the last line of a stream with status 200. */
class BuildFailure extends Error {
  override name = 'BuildFailure'
  readonly line: object

  constructor(line: object) {
    super('The build failed.')
    this.line = line
  }
}

/** Reads the stream of a build to its end: the finished tool. */
async function readBuild(items: AsyncIterable<unknown>, report: ReportProgress | undefined): Promise<unknown> {
  for await (const item of items as AsyncIterable<BuildItem>) {
    if (item.type === 'progress') report?.(item.message)
    else if (item.type === 'error') throw new BuildFailure(item)
    else return item.tool
  }
  throw new DocentError('internal', { cause: new Error('The stream of a build ended without a result.') })
}

type BuildItem =
  | { type: 'progress'; message: string }
  | { type: 'tool'; tool: unknown }
  | { type: 'error'; message: string }

/** Remarks are separate blocks, so that the first one is JSON. */
function resultOf({ text, remarks }: FittedResult, more: readonly string[]): ToolResult {
  return { content: [{ type: 'text', text }, ...[...remarks, ...more].map(toBlock)] }
}

const toBlock = (remark: string) => ({ type: 'text' as const, text: note(remark) })

type Refusal = { status: number; body: object; headers?: Readonly<Record<string, string>> }

/** An argument that was ignored is often the reason, so that its remark is here too. */
function refusalOf({ status, body, headers = {} }: Refusal, remarks: readonly string[]): ToolResult {
  const { 'retry-after': retryAfter } = headers
  const wait = retryAfter === undefined ? {} : { retryAfterSeconds: Number(retryAfter) }
  const text = JSON.stringify({ status, ...wait, body })
  return { content: [{ type: 'text', text }, ...remarks.map(toBlock)], isError: true }
}
