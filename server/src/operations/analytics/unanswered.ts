import { COMPARED_QUESTIONS, DETAILS_PAGE_SIZE as PAGE_SIZE } from '@docent/contract/operations/analytics-details'
import { type RuleEffect } from '@docent/contract/values/rule-effects'
import { unansweredQueries } from '#store/calls/read-calls.ts'
import type { ServerRow } from '#store/servers/servers.ts'
import type { Handler } from '../operation.ts'
import { isoTime } from '../servers/present.ts'
import { type Asked, type Synonyms, groupQuestions } from './group-questions.ts'
import { startOf } from './range.ts'

/** Wordings shown of a group. */
const EXAMPLES = 5

export const listUnanswered: Handler<'analytics.unanswered'> = async ({ deps, server }, { range, page }) => {
  await deps.flushCalls()
  const since = startOf(range, deps.clock())
  const asked = await unansweredQueries(deps.store.read, server.id, { since, limit: COMPARED_QUESTIONS + 1 })
  const groups = await groupQuestions(asked.slice(0, COMPARED_QUESTIONS), synonymsOf(server))
  return {
    range,
    groups: groups.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE).map(({ calls, lastAskedAt, questions }) => ({
      question: questions[0]?.query ?? '',
      calls,
      wordings: questions.length,
      lastAskedAt: isoTime(lastAskedAt),
      examples: questions.slice(0, EXAMPLES).map(present),
    })),
    complete: asked.length <= COMPARED_QUESTIONS,
    page,
    pageSize: PAGE_SIZE,
    total: groups.length,
    totalPages: Math.ceil(groups.length / PAGE_SIZE),
  }
}

const present = ({ lastAskedAt, ...asked }: Asked) => ({ ...asked, lastAskedAt: isoTime(lastAskedAt) })

/** The synonyms of the server's rules. */
function synonymsOf({ rules }: ServerRow): Synonyms {
  const effects = (JSON.parse(rules) as { effects: RuleEffect[] }[]).flatMap((rule) => rule.effects)
  return effects.flatMap((effect) => (effect.kind === 'expand_terms' ? [{ from: effect.from, to: effect.to }] : []))
}
