import { PREVIEWED_CALLS } from '@docent/contract/operations/retrieval-rules'
import { DocentError } from '#errors.ts'
import { type LoggedCall, listLoggedCalls } from '#store/calls/read-calls.ts'
import { findServedServer } from '#store/servers/served.ts'
import type { Handler } from '../operation.ts'
import { compileSentence } from './compile-sentence.ts'

/** Time for the calls of a preview. The rest is left out. */
const MOST_MS = 10_000

export const previewRule: Handler<'retrievalRules.preview'> = async (call, input) => {
  const { deps, server, source, signal } = call
  const { effects, removed } = await compileSentence(call, input)
  const served = await findServedServer(deps.store.read, server.id)
  if (!served) throw new DocentError('rule_server_not_found')
  const rules = [...(served.rules ?? []), { id: 'rule_preview', sourceId: source?.id ?? null, effects }]
  await deps.flushCalls()
  const log = await listLoggedCalls(
    deps.store.read,
    server.id,
    { since: 0, status: 'ok' },
    { offset: 0, limit: PREVIEWED_CALLS },
  )
  const calls = differentCalls(log)
  const until = deps.clock() + MOST_MS
  const changed = []
  let checked = 0
  for (const each of calls) {
    signal.throwIfAborted()
    if (deps.clock() > until) break
    const preview = await deps.previewCall(served, each, rules)
    checked++
    if (preview === null || !isChanged(preview)) continue
    changed.push({ callId: each.id, tool: each.tool, arguments: JSON.parse(each.arguments) as unknown, ...preview })
  }
  return { effects, removed, checked, complete: checked === calls.length, changed }
}

/** The latest call of each tool with each list of arguments. `calls` has the latest first. */
function differentCalls(calls: readonly LoggedCall[]): LoggedCall[] {
  const seen = new Set<string>()
  return calls.filter((call) => {
    const key = `${call.tool} ${call.arguments}`
    const isNew = !seen.has(key)
    seen.add(key)
    return isNew
  })
}

type Passages = readonly { url: string; heading: string }[]

function isChanged({ before, after }: { before: Passages; after: Passages }): boolean {
  const keyOf = (passages: Passages) => passages.map(({ url, heading }) => `${url} ${heading}`).join('\n')
  return keyOf(before) !== keyOf(after)
}
