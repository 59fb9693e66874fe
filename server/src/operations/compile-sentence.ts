import type { RuleEffect } from '@docent/contract/values/rule-effects'
import { DocentError } from '#errors.ts'
import { findServedServer } from '#store/servers/served.ts'
import { listSources, type SourceRow } from '#store/sources/sources.ts'
import type { CheckedCall } from './operation.ts'

type Sentence = { serverId: string; naturalLanguage: string }
type Given = Pick<CheckedCall<'retrievalRules.create'>, 'deps' | 'actor' | 'source' | 'signal'>

/** Nearest names in a message. */
const MOST_NAMES = 10

/**
 * Compiles a sentence to the effects of a rule of this server. Refuses a server without sources, a sentence that only
 * asks for what no rule can do, and one that is not understood or names what the server does not have. `refuse` throws
 * before the last two, and then no language model is called.
 */
export async function compileSentence(
  { deps, actor, source, signal }: Given,
  { serverId, naturalLanguage }: Sentence,
  refuse: () => void = () => {},
): Promise<{ effects: RuleEffect[]; removed: string[] }> {
  if (!deps.features.retrievalRules) throw new DocentError('rules_unavailable')
  const sources = await listSources(deps.store.read, serverId)
  if (sources.length === 0) throw new DocentError('rule_needs_source')
  const about = { sources, sourceId: source?.id ?? null }
  const drafted = deps.compileRule(naturalLanguage, about)
  if (drafted.effects.length === 0 && drafted.isOutOfScope && !drafted.isIncomplete)
    throw new DocentError('rule_out_of_scope', { fields: { removed: drafted.removed } })
  refuse()
  const compiled = await deps.improveRule(
    drafted,
    { sentence: naturalLanguage, server: about, signal },
    actor.accountId,
  )
  const { effects, removed, unknown, paths, isOutOfScope } = compiled
  if (unknown.length > 0)
    throw new DocentError('rule_not_compiled', { fields: { message: unknownName(unknown, sources) } })
  if (effects.length === 0) {
    if (isOutOfScope) throw new DocentError('rule_out_of_scope', { fields: { removed } })
    throw new DocentError('rule_not_compiled', { fields: { message: HINT } })
  }
  await refuseMissingPaths(deps, serverId, { effects, paths })
  return { effects, removed }
}

const HINT =
  'Say which sources, paths, versions or languages to prefer, avoid or leave out, and when. For example: Prefer pages under /guide when asked about installation.'

function unknownName(unknown: readonly string[], sources: readonly SourceRow[]): string {
  const names = sources.slice(0, MOST_NAMES).map(({ label, url }) => label ?? url)
  const asked = unknown.map((name) => `“${name}”`).join(', ')
  return `This server has no source called ${asked}. Its sources are: ${names.join(', ')}.`
}

/** Refuses a path that no page has, with the nearest ones. */
async function refuseMissingPaths(
  deps: Given['deps'],
  serverId: string,
  { effects, paths }: { effects: readonly RuleEffect[]; paths: readonly string[] },
): Promise<void> {
  const named = effects.flatMap((effect) => {
    if (effect.kind !== 'prefer_path' && effect.kind !== 'exclude_path') return []
    const { glob, sourceId } = effect
    return paths.includes(glob) ? [{ glob, ...(sourceId === undefined ? {} : { sourceId }) }] : []
  })
  if (named.length === 0) return
  const served = await findServedServer(deps.store.read, serverId)
  const [missing] = served ? await deps.missingPaths(served, named) : []
  if (!missing) return
  const { glob, nearest } = missing
  const near = nearest.length > 0 ? ` The nearest are: ${nearest.join(', ')}.` : ''
  throw new DocentError('rule_not_compiled', { fields: { message: `No page of this server matches ${glob}.${near}` } })
}
