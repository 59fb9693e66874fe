import { ERRORS, type ErrorCode } from '@docent/contract/errors'
import type { Operation } from '@docent/contract/operation'
import { type OperationId, operations } from '@docent/contract/operations'
import { includesRole } from '@docent/contract/values/permissions'
import type { z } from 'zod'
import type { Actor } from '#auth/authenticate.ts'
import { planUrl, seesRequestLog } from '#auth/plans.ts'
import { DocentError } from '#errors.ts'
import { requireApproval } from './account/approvals.ts'
import { isAudited, recordAct, recordOnce } from './account/audit.ts'
import { type ReadInput, findActor } from './find-actor.ts'
import { resources } from './find-resource.ts'
import { handlers } from './handlers.ts'
import issueWords from './issue-words.json' with { type: 'json' }
import { AlreadyDone, type Idempotency, openIdempotency } from './idempotency.ts'
import { limitOfRefusal } from '#webhooks/announce.ts'
import { type Limit, openLimit } from './rate-limits.ts'
import type { Call, Given, OperationDeps, Remember } from './operation.ts'

/** The input, or a function that reads it after authentication: that of unauthorized callers is not read. */
type Asked = Given | (() => Promise<Given>)

/**
 * The only entry point for REST, the account-level MCP endpoint and the command line. Checks in the contract's order:
 * caller (401), resource (404), scope (403), rate (429), input (400), then those of the handler. A repeated
 * `Idempotency-Key` is answered after the scope check.
 */
export async function run(call: Call, id: OperationId, asked: Asked): Promise<unknown> {
  const { deps, signal, body, showNext } = call
  const operation: Operation = operations[id]
  const read = readOnce(asked)
  const actor = await findActor(call, operation, read)
  const given = await read()
  const named = await admit(call, operation, { actor, given })
  const once = operation.onceByKey && actor ? await openMemory(call, id, actor, given) : null
  const done = await once?.replay()
  if (done) return operation.produces ? parseEach(operation, [done.answer], once) : done.answer
  const limit = openLimit(deps, operation, { key: actor && `${id}:${actor.accountId}`, hasTwins: once !== null })
  const announce = (error: unknown) => announceRefusal(deps, actor, error, named)
  // The id relates handler, input and call. The compiler cannot follow one id through three maps.
  const handler = handlers[id] as unknown as (call: unknown, input: unknown) => Promise<unknown>
  try {
    await limit.before()
    const input = readInput(operation, given)
    const useApproval = actor && (await requireApproval(deps, id, { actor, named, input }))
    const acts = recordOnce(deps.store, async (tx, answer) => {
      if (!actor || !isAudited(operation)) return
      await useApproval?.(tx)
      await recordAct(tx, id, {
        at: deps.store.clock(),
        actor,
        named,
        input,
        answer,
        address: call.visitor?.address ?? call.address,
      })
    })
    const remember: Remember<unknown> = async (tx, answer) => {
      await once?.remember(tx, operation.output.parse(answer))
      await limit.within(tx)
      await acts.record(tx, answer)
      return answer
    }
    if (operation.actsOutside) await acts.store.transaction(async () => undefined)
    const recorded = { ...deps, store: acts.store }
    const seen = { deps: recorded, signal, body, showNext, actor, visitor: call.visitor, ...named }
    const answer = await handler({ ...seen, remember, admitAgain: () => admitAgain(call, operation, read) }, input)
    await acts.record(deps.store.write, answer)
    // An iterable: a stream of items or list slices.
    if (isIterable(answer)) return announceEnd(parseEach(operation, answer, once, limit), announce)
    return operation.output.parse(answer)
  } catch (error) {
    await announce(error)
    // The refusal may be caused by a concurrent twin, which took the last place in the rate limit or the plan.
    const isRefusal = error instanceof AlreadyDone || error instanceof DocentError
    const first = isRefusal ? await once?.replay() : undefined
    if (!first) {
      if (isRefusal) await limit.afterRefusal()
      throw error
    }
    await limit.afterReplay()
    return operation.produces ? parseEach(operation, [first.answer], once) : first.answer
  }
}

/**
 * The resources that a request names, found without making the request. Throws its refusals by the caller, the
 * resource, the scope and the input.
 */
export async function lookUp(call: Call, id: OperationId, given: Given): Promise<object> {
  const operation: Operation = operations[id]
  const actor = await findActor(call, operation, async () => given)
  const named = await admit(call, operation, { actor, given })
  readInput(operation, given)
  return named ?? {}
}

/** Validates each item of a stream. A repeated request gets only the last item, which is stored. */
async function* parseEach(
  { output }: Operation,
  items: AsyncIterable<unknown> | Iterable<unknown>,
  once: Idempotency | null,
  limit?: Limit,
): AsyncGenerator {
  try {
    for await (const item of items) yield output.parse(item)
  } catch (error) {
    const first = error instanceof AlreadyDone ? await once?.replay() : undefined
    if (!first) throw error
    await limit?.afterReplay()
    yield first.answer
  }
}

/** Also announces refusals by a limit that come with the first item of a stream. */
async function* announceEnd(items: AsyncIterable<unknown>, announce: (error: unknown) => Promise<void>) {
  try {
    yield* items
  } catch (error) {
    await announce(error)
    throw error
  }
}

/** Announces a refusal by a limit of the plan to the webhooks of the account. */
async function announceRefusal({ announceLimit }: OperationDeps, actor: Actor | null, error: unknown, named = {}) {
  if (!actor || !(error instanceof DocentError)) return
  const reached = limitOfRefusal(error.code, error.fields)
  if (!reached) return
  const serverId = 'server' in named ? ((named.server as { id?: string } | undefined)?.id ?? null) : null
  await announceLimit({ ...reached, accountId: actor.accountId, serverId, resetsAt: null })
}

/** True if the caller's role, scope and kind admit the operation. */
export function isPermitted(actor: Actor, id: OperationId): boolean {
  const operation: Operation = operations[id]
  try {
    if (operation.auth === 'operator') refuseOthers(actor)
    if (operation.needs) refuseUnpermitted(actor, operation)
    return true
  } catch {
    return false
  }
}

/** Finds the named resource if it is visible (404) and the caller may use it this way (403). */
async function admit({ deps }: Call, operation: Operation, { actor, given }: { actor: Actor | null; given: Given }) {
  const { path, rest } = given
  if (operation.auth === 'operator') refuseOthers(actor)
  const find = operation.resource && resources[operation.resource]
  const named = await find?.({
    store: deps.store,
    vault: deps.vault,
    actor,
    path,
    rest: rest instanceof DocentError ? {} : rest,
  })
  if (actor && operation.needs) refuseUnpermitted(actor, operation)
  if (operation.feature && actor) refuseLocked(deps, actor)
  return named
}

const isIterable = (answer: unknown): answer is AsyncIterable<unknown> =>
  typeof answer === 'object' && answer !== null && Symbol.asyncIterator in answer

function readOnce(asked: Asked): ReadInput {
  let given: Promise<Given> | undefined
  return () => (given ??= typeof asked === 'function' ? asked() : Promise.resolve(asked))
}

async function admitAgain(call: Call, operation: Operation, read: ReadInput): Promise<Actor | null> {
  try {
    return await findActor(call, operation, read)
  } catch (error) {
    if (error instanceof DocentError && error.code === 'unauthorized') return null
    throw error
  }
}

/** The validated handler input. Throws the 400 error of the first problem. */
function readInput({ input, overrules, unreadableBody }: Operation, { path, rest }: Given): unknown {
  if (rest instanceof DocentError) {
    throw unreadableBody && rest.code === 'invalid_json' ? new DocentError(unreadableBody) : rest
  }
  const parsed = input.safeParse({ ...withoutOverruled(rest, overrules), ...path }, { error: explainIssue })
  if (!parsed.success) throw toInputError(parsed.error)
  return parsed.data
}

function withoutOverruled(rest: Record<string, unknown>, overrules: Operation['overrules']): Record<string, unknown> {
  if (!overrules) return rest
  const ignored = Object.entries(overrules).flatMap(([name, others]) => (isThere(rest[name]) ? others : []))
  return Object.fromEntries(Object.entries(rest).filter(([name]) => !ignored.includes(name)))
}

const isThere = (value: unknown): boolean => value !== undefined && value !== null

async function openMemory({ deps, idempotencyKey }: Call, operation: OperationId, actor: Actor, given: Given) {
  const { accountId, credential } = actor
  const { path, rest } = given
  if (typeof idempotencyKey !== 'string' || rest instanceof DocentError) return null
  const request = { operation, accountId, credential, idempotencyKey, given: { path, rest } }
  return openIdempotency(deps.store.read, request, await deps.store.now())
}

/** Before the look-up, so that other accounts cannot find out which resources of the instance exist. */
function refuseOthers(actor: Actor | null): void {
  if (actor?.serverIds && actor.credential.kind === 'key') throw new DocentError('key_scoped')
  if (!actor?.isOperator) throw new DocentError('operator_only')
}

/** Refuses callers who see only some servers, and those without the role or the scope. */
function refuseUnpermitted({ credential, serverIds, role, scopes }: Actor, { auth, needs }: Operation): void {
  const [leastRole = 'owner', scope = 'publish'] = needs ?? []
  if (serverIds && auth !== 'key') {
    if (credential.kind === 'key') throw new DocentError('key_scoped')
    const text = 'You see only some servers of this account, so that you cannot do this for all of it. Ask an owner.'
    if (auth !== 'person') throw new DocentError('not_permitted', { text })
  }
  if (!includesRole(role, leastRole)) {
    const text = `This needs the role ${leastRole} in the account, and you have the role ${role}. Ask an owner.`
    throw new DocentError('not_permitted', { text, fields: { requiredRole: leastRole } })
  }
  if (scopes && !scopes.has(scope)) {
    const text = `This needs a key with the scope "${scope}", and this one has: ${[...scopes].join(', ')}. Ask an owner of the account for another key.`
    throw new DocentError('not_permitted', { text, fields: { requiredScope: scope } })
  }
}

/** The request log is available on the larger plans and during the trial. */
function refuseLocked({ clock, baseUrl }: OperationDeps, actor: Actor): void {
  if (seesRequestLog(actor, clock())) return
  throw new DocentError('request_log_locked', { fields: { upgradeUrl: planUrl(baseUrl()) } })
}

/** Describes an invalid value in words that follow its name. zod's own messages are for programmers. */
function explainIssue(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is missing' : `must be ${KINDS[issue.expected] ?? 'of another type'}`
    case 'invalid_value':
      return `must be ${issue.values.length === 1 ? '' : 'one of '}${issue.values.map(String).join(', ')}`
    case 'too_small':
      return limit(issue.origin, 'at least', Number(issue.minimum))
    case 'too_big':
      return limit(issue.origin, 'at most', Number(issue.maximum))
    default:
      return 'must have another form'
  }
}

const { kinds: KINDS, units: UNITS }: Record<'kinds' | 'units', Readonly<Record<string, string>>> = issueWords

function limit(origin: string, side: 'at least' | 'at most', bound: number): string {
  const unit = UNITS[origin]
  if (unit === undefined) return `must be ${side} ${bound.toLocaleString('en')}`
  return `must have ${side} ${bound.toLocaleString('en')} ${unit}${bound === 1 ? '' : 's'}`
}

/** The 400 error for refused input. The first issue decides; its message can be an error code. */
function toInputError({ issues: [issue] }: z.ZodError): DocentError {
  if (issue && issue.message in ERRORS) return new DocentError(issue.message as ErrorCode)
  const text = `${nameOf(issue?.path ?? [])} ${issue?.message ?? 'must have another form'}.`
  return new DocentError('invalid_input', { text })
}

/** The path in program notation: `sources[0].url`. */
function nameOf(path: readonly PropertyKey[]): string {
  const name = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('')
  return name.slice(1) || 'The request'
}
