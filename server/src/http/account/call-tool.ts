import type { Operation } from '@docent/contract/operation'
import { type OperationId, operations } from '@docent/contract/operations'
import type { Actor } from '#auth/authenticate.ts'
import { DocentError, toDocentError } from '#errors.ts'
import { note } from '#mcp/passages/format-citation.ts'
import { isObject } from '#mcp/protocol/message.ts'
import type { ToolResult, ReportProgress } from '#mcp/definition/tool.ts'
import type { Given, OperationDeps } from '#operations/operation.ts'
import { run } from '#operations/run.ts'
import { resolveServerId } from '#operations/servers/servers.ts'
import { StoreUnavailableError } from '#store/engine/outages.ts'
import { unknownArguments } from '#mcp/definition/flat-schema.ts'
import { isBlank, ToolError } from '#mcp/definition/tool-result.ts'
import { type ManagementTool, CONFIRM } from './account-tools.ts'
import { withoutNul } from '../read-request.ts'

export type ManagementCall = {
  deps: OperationDeps
  actor: Actor
  signal: AbortSignal
  report: ReportProgress | undefined
  /** Called with bugs, whose text callers do not see. */
  onBug: (error: unknown) => void
}

/** Arguments by name, and remarks on those that were ignored. */
type Arguments = { values: Record<string, unknown>; remarks: string[] }

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
  const { omits = [] } = tool
  try {
    const parts: [string, unknown][] = []
    for (const { member, id } of requests) {
      const answer = await request(id, tool.arguments, values, call)
      if (member === null) return resultOf(await fit(answer, operations[id], { omits, call }), remarks)
      parts.push([member, answer])
    }
    return resultOf(fitResult(omitMembers(Object.fromEntries(parts), omits)), remarks)
  } catch (cause) {
    if (call.signal.aborted || isOutOfReach(cause)) throw cause
    if (cause instanceof BuildFailure) return refusalOf({ status: 200, body: cause.line }, remarks)
    const error = toDocentError(cause)
    if (error.code === 'internal') call.onBug(cause)
    return refusalOf(error, remarks)
  }
}

/** True for outages that pass in seconds: `503` then makes clients wait. Others fail only changes, with a reason. */
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

/** The JSON text of a result, and a remark for each list that was cut. */
type FittedResult = { text: string; remarks: string[] }

async function fit(
  answer: unknown,
  { produces }: Operation,
  { omits, call }: { omits: readonly string[]; call: ManagementCall },
): Promise<FittedResult> {
  if (!isObject(answer) || !(Symbol.asyncIterator in answer)) return fitResult(omitMembers(answer, omits))
  const items = answer as AsyncIterable<unknown>
  if (!produces) return fitList(items, (item) => omitMembers(item, omits))
  return fitResult(omitMembers(await readBuild(items, call.report), omits))
}

/** The build of a custom tool failed. REST reports that in the last line of a stream with status 200. */
class BuildFailure extends Error {
  override name = 'BuildFailure'
  readonly line: object

  constructor(line: object) {
    super('The build failed.')
    this.line = line
  }
}

type BuildItem = { type: 'progress' | 'error'; message: string } | { type: 'tool'; tool: unknown }

async function readBuild(items: AsyncIterable<unknown>, report: ReportProgress | undefined): Promise<unknown> {
  for await (const item of items as AsyncIterable<BuildItem>) {
    if (item.type === 'tool') return item.tool
    if (item.type === 'error') throw new BuildFailure(item)
    report?.(item.message)
  }
  throw new DocentError('internal', { cause: new Error('The stream of a build ended without a result.') })
}

/** Remarks are separate blocks, so that the first one is JSON. */
function resultOf({ text, remarks }: FittedResult, more: readonly string[]): ToolResult {
  return { content: [{ type: 'text', text }, ...[...remarks, ...more].map(toBlock)], outcome: 'answered' }
}

const toBlock = (remark: string) => ({ type: 'text' as const, text: note(remark) })

type Refusal = { status: number; body: object; headers?: Readonly<Record<string, string>> }

/** An argument that was ignored is often the reason, so that its remark is here too. */
function refusalOf({ status, body, headers = {} }: Refusal, remarks: readonly string[]): ToolResult {
  const { 'retry-after': retryAfter } = headers
  const wait = retryAfter === undefined ? {} : { retryAfterSeconds: Number(retryAfter) }
  const text = JSON.stringify({ status, ...wait, body })
  const outcome = status >= 500 ? 'failed' : 'refused'
  return { content: [{ type: 'text', text }, ...remarks.map(toBlock)], isError: true, outcome }
}

/**
 * Reads the arguments of a call. The operation validates them, so that its refusals are those of the management API.
 * Checks only what the API has no sentence for: ids in paths, and the confirmation of a deletion. Throws a `ToolError`
 * that says how to call again.
 */
export function readArguments(management: ManagementTool, given: unknown = {}): Arguments {
  const { tool, inputSchema } = management
  if (!isObject(given)) throw new ToolError('arguments', `The arguments of ${tool.name} must be a JSON object.`)
  const known = Object.keys(inputSchema.properties)
  const values = withoutNul(
    Object.fromEntries(Object.entries(given).filter(([name, value]) => known.includes(name) && !isBlank(value))),
  )
  for (const name of idArguments(management)) {
    if (typeof values[name] === 'string') continue
    const { description = '' } = inputSchema.properties[name] ?? {}
    throw new ToolError('arguments', `"${name}" must be text: ${description}. Call ${tool.name} again with it.`)
  }
  if (tool.kind === 'delete' && values[CONFIRM] !== true) throw new ToolError('arguments', unconfirmed(tool, values))
  const unknown = [...Object.keys(given).filter((name) => !known.includes(name)), ...unknownMembers(management, values)]
  if (unknown.length === 0) return { values, remarks: [] }
  const without = `The call was made without ${unknown.length === 1 ? 'it' : 'them'}.`
  return { values, remarks: [`${unknownArguments(tool.name, inputSchema, unknown)} ${without}`] }
}

/** Arguments that are in the path of the request, or name a server. */
function idArguments({ tool, requests }: ManagementTool): string[] {
  const paths = requests.map(({ id }) => operations[id].path).join()
  return Object.entries(tool.arguments).flatMap(([name, target]) =>
    typeof target === 'string' && (name === 'server' || paths.includes(`{${target}}`)) ? [name] : [],
  )
}

/** Members of list items that the tool does not take. */
function unknownMembers({ inputSchema }: ManagementTool, values: Record<string, unknown>): string[] {
  const names = Object.entries(inputSchema.properties).flatMap(([name, { items }]) => {
    const list = values[name]
    if (!items?.properties || !Array.isArray(list)) return []
    const members = list.flatMap((item) => (isObject(item) ? Object.keys(item) : []))
    return members.filter((member) => !Object.hasOwn(items.properties ?? {}, member)).map((each) => `${name}[].${each}`)
  })
  return [...new Set(names)]
}

function unconfirmed({ name, deletes = '' }: ManagementTool['tool'], values: Record<string, unknown>): string {
  const object = deletes.replaceAll(/\{([a-z_|]+)\}/g, (_, names: string) => {
    const value = names.split('|').flatMap((each) => values[each] ?? [])[0]
    return typeof value === 'string' ? value.slice(0, 200) : '?'
  })
  return `Nothing was deleted. This would delete ${object}. If the user wants that, call ${name} again with "${CONFIRM}": true.`
}

/** About 20,000 tokens. Clients refuse results beyond 25,000, and shorter ones leave models more room. */
export const RESULT_LIMIT = 60_000

/** Serialises a result. While it is too long, its longest list is cut. */
export function fitResult(body: unknown, limit = RESULT_LIMIT): FittedResult {
  const copy = structuredClone(body)
  const totals = new Map(listsIn(body).map(({ path, list }) => [path, list.length]))
  const remarks = new Map<string, string>()
  for (;;) {
    const text = JSON.stringify(copy)
    const [longest] = text.length > limit ? listsIn(copy).toSorted((a, b) => b.size - a.size) : []
    if (!longest || longest.list.length === 0) return { text, remarks: [...remarks.values()] }
    const { path, list, size } = longest
    list.length = Math.max(0, Math.floor(list.length * Math.max(0, 1 - (text.length - limit) / size) - 1))
    const total = totals.get(path)?.toLocaleString('en')
    remarks.set(path, `The list ${path} is cut: it has ${total} entries, of which ${list.length} are shown.`)
  }
}

/** Serialises a list that is read in slices, up to the limit. `present` shortens its items. */
export async function fitList(
  slices: AsyncIterable<unknown>,
  present: (item: unknown) => unknown,
  limit = RESULT_LIMIT,
): Promise<FittedResult> {
  const texts: string[] = []
  const resultOf = (...remarks: string[]) => ({ text: `[${texts.join(',')}]`, remarks })
  let size = 0
  for await (const slice of slices) {
    for (const item of slice as readonly unknown[]) {
      const text = JSON.stringify(present(item))
      size += text.length + 1
      if (size > limit) return resultOf(`The list is cut: it has more than these ${texts.length} entries.`)
      texts.push(text)
    }
  }
  return resultOf()
}

type FoundList = { path: string; list: unknown[]; size: number }

/** Lists of an object at any depth, but not inside of lists. */
function listsIn(value: unknown, path = ''): FoundList[] {
  if (Array.isArray(value)) return [{ path, list: value, size: JSON.stringify(value).length }]
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([name, member]) => listsIn(member, path === '' ? name : `${path}.${name}`))
}

/** A copy without the members at these paths, such as `sources.skipped`. Lists are passed through. */
export function omitMembers(value: unknown, paths: readonly string[]): unknown {
  if (paths.length === 0) return value
  if (Array.isArray(value)) return value.map((item) => omitMembers(item, paths))
  if (!isObject(value)) return value
  const entries = Object.entries(value).flatMap(([name, member]) => {
    if (paths.includes(name)) return []
    const inner = paths.filter((path) => path.startsWith(`${name}.`)).map((path) => path.slice(name.length + 1))
    return [[name, omitMembers(member, inner)] as const]
  })
  return Object.fromEntries(entries)
}
