import { z } from 'zod'
import type { Clock } from '#lib/clock.ts'
import type { ChatModel } from '#models/chat-model.ts'
import type { Store } from '#store/db.ts'
import { lockAccount } from '#store/servers/servers.ts'
import {
  type CustomToolRow,
  findCustomTool,
  type ClaimedBuild,
  claimBuild,
  interruptedBuilds,
  namesOfOtherTools,
  updateBuild,
} from '#store/servers/custom-tools.ts'
import { untakenName } from './name-tool.ts'
import { buildPlan, type Built, type Content, type PlanDeps, type Stage } from './build-plan.ts'

export type BuildEvent =
  | { type: 'progress'; stage: Stage; message: string }
  | { type: 'tool'; tool: CustomToolRow }
  | { type: 'error'; message: string }

export type BuildsDeps = Pick<PlanDeps, 'checkPlan'> & {
  store: Store
  clock: Clock
  /** The content for a build, or null if there is none, until it is disposed of. Rejects when aborted. */
  contentFor(
    build: ClaimedBuild,
    sources: readonly { url: string }[],
    signal: AbortSignal,
  ): Promise<Disposable & { content: Content | null; remark: string | null }>
  modelFor(accountId: string): ChatModel | null
  onError(error: unknown): void
  /** For tests. */
  deadlineMs?: number
}

/** Builds of custom tools. They go on when their client leaves, and are resumed by any node after a crash. */
export type Builds = AsyncDisposable & {
  /** Builds a tool, and follows the build until its end. Ends without an event if the service stops. */
  follow(toolId: string): AsyncGenerator<BuildEvent>
  /** Continues builds whose process has stopped. */
  resume(): Promise<void>
}

/** A process that is gone delays its builds by at most this time. */
const LEASE_MS = 30_000
/** A build takes seconds without a model, and up to a minute with one. */
const DEADLINE_MS = 150_000
/** Then the build itself ends the process. */
const MAX_ATTEMPTS = 3

const TOO_LONG = 'The build took too long and was ended. Ask for a simpler tool, or name fewer sources.'
const UNEXPECTED = 'The build failed because of an error of the service. Send `retry` to build the tool again.'
const INTERRUPTED = 'The build was interrupted several times. Send `retry` to build the tool again.'
const DELETED = 'The tool was deleted while it was being built.'

/** Events of one run, for followers that may come late and leave early. Each gets all events from the first on. */
class EventFeed<E> {
  readonly #events: E[] = []
  #next = Promise.withResolvers<void>()
  #isOver = false

  add(event: E): void {
    this.#events.push(event)
    this.#wake()
  }

  end(): void {
    this.#isOver = true
    this.#wake()
  }

  async *follow(): AsyncGenerator<E> {
    for (let at = 0; ;) {
      const next = this.#next.promise
      const events = this.#events.slice(at)
      yield* events
      at += events.length
      if (this.#isOver && at === this.#events.length) return
      await next
    }
  }

  #wake(): void {
    this.#next.resolve()
    this.#next = Promise.withResolvers()
  }
}

export function openBuilds(deps: BuildsDeps): Builds {
  const stopping = new AbortController()
  const running = new Map<string, { feed: EventFeed<BuildEvent>; done: Promise<void> }>()
  const start = (toolId: string): EventFeed<BuildEvent> => {
    const known = running.get(toolId)
    if (known) return known.feed
    const feed = new EventFeed<BuildEvent>()
    const done = runBuild(deps, toolId, { feed, stopping: stopping.signal })
      .catch(deps.onError)
      .finally(() => {
        feed.end()
        running.delete(toolId)
      })
    running.set(toolId, { feed, done })
    return feed
  }
  return {
    follow: (toolId) => start(toolId).follow(),
    async resume() {
      for (const id of await interruptedBuilds(deps.store.read, deps.clock())) start(id)
    },
    async [Symbol.asyncDispose]() {
      stopping.abort()
      await Promise.all([...running.values()].map(({ done }) => done))
    },
  }
}

async function runBuild(
  deps: BuildsDeps,
  toolId: string,
  { feed, stopping }: { feed: EventFeed<BuildEvent>; stopping: AbortSignal },
): Promise<void> {
  const { store, clock } = deps
  const build = await claimBuild(store.write, toolId, clock(), LEASE_MS)
  if (!build) return
  const timer = setInterval(() => {
    updateBuild(store.write, build, { leaseUntil: clock() + LEASE_MS }).catch(deps.onError)
  }, LEASE_MS / 3).unref()
  try {
    const signal = AbortSignal.any([stopping, AbortSignal.timeout(deps.deadlineMs ?? DEADLINE_MS)])
    const outcome = await attempt(deps, build, { feed, signal }).catch((error: unknown) => {
      if (stopping.aborted) return null
      if (signal.aborted) return { problem: TOO_LONG }
      deps.onError(error)
      return { problem: UNEXPECTED }
    })
    // Another process resumes the build.
    if (outcome === null) await updateBuild(store.write, build, { leaseUntil: null })
    else feed.add(await settle(deps, build, outcome))
  } finally {
    clearInterval(timer)
  }
}

async function attempt(
  deps: BuildsDeps,
  build: ClaimedBuild,
  { feed, signal }: { feed: EventFeed<BuildEvent>; signal: AbortSignal },
): Promise<Built> {
  if (build.attempts > MAX_ATTEMPTS) return { problem: INTERRUPTED }
  const { store, checkPlan } = deps
  const told: { stage: Stage; message: string }[] = []
  const onProgress = async (stage: Stage, message: string) => {
    told.push({ stage, message })
    feed.add({ type: 'progress', stage, message })
    await updateBuild(store.write, build, { progress: JSON.stringify(told), updatedAt: deps.clock() })
  }
  const named = SourcesSchema.parse(JSON.parse(build.sources ?? '[]'))
  if (named.length > 0) await onProgress('reading', `Reading ${named.map(({ url }) => url).join(', ')}.`)
  using found = await deps.contentFor(build, named, signal)
  const { content, remark } = found
  if (remark !== null) await onProgress('reading', remark)
  return await buildPlan(
    {
      content,
      checkPlan,
      model: deps.modelFor(build.accountId),
      onFailure: deps.onError,
      taken: await namesOfOtherTools(store.read, build.accountId, build.id),
      onProgress,
    },
    build.prompt,
    signal,
  )
}

const SourcesSchema = z.array(z.object({ url: z.string() }))

async function settle({ store, clock }: BuildsDeps, build: ClaimedBuild, outcome: Built): Promise<BuildEvent> {
  const now = clock()
  const done = { leaseUntil: null, progress: null, updatedAt: now }
  if ('problem' in outcome) {
    const isStored = await updateBuild(store.write, build, { ...done, status: 'failed', error: outcome.problem })
    return { type: 'error', message: isStored ? outcome.problem : DELETED }
  }
  const isStored = await store.transaction(async (tx) => {
    // Another build of the account may have taken the name in the meantime.
    await lockAccount(tx, build.accountId)
    const name = untakenName(outcome.plan.name, await namesOfOtherTools(tx, build.accountId, build.id))
    const plan = { ...outcome.plan, name }
    return updateBuild(tx, build, {
      ...done,
      status: 'ready',
      name,
      displayName: plan.displayName,
      description: plan.description,
      inputSchema: JSON.stringify(plan.inputSchema),
      plan: JSON.stringify(plan),
      error: null,
    })
  })
  const tool = isStored ? await findCustomTool(store.read, build.accountId, build.id) : undefined
  return tool ? { type: 'tool', tool } : { type: 'error', message: DELETED }
}
