import type { PlanStep } from '@docent/contract/values/custom-tool-plan'
import {
  type Argument,
  argumentsOf,
  asText,
  type Design,
  type Known,
  needed,
  optional,
  queryOf,
  searchStep,
  subjectFirst,
  topicOf,
  withSubject,
} from './plan-arguments.ts'
import type { Request } from './read-request.ts'

/** Languages to choose from. More are data and markup. */
const MOST_LANGUAGES = 12

/** Designs of tools that read texts: releases, guides, examples, answers and pages. */
export const TEXTS = {
  changes(request: Request, { versions }: Known): Design {
    const { releases, part } = request
    const only = part === null ? {} : { part }
    const about = optional(needed('topic', 'text', 'Only releases that speak of this, such as an option or a feature'))
    const changed = (given: Argument[], args: PlanStep['arguments']) =>
      listOf(given, 'read_releases', { ...args, ...only })
    const [from, to] = versions
    if (from !== undefined && to !== undefined) return changed([], { range: `>${from} <=${to}` })
    if (from !== undefined && from !== 'latest') return changed([], { version: from, limit: 4 })
    switch (releases) {
      case 'latest':
        return changed([], { version: 'latest', limit: 1 })
      case 'since': {
        const since = needed('since', 'day', 'The day from which to list changes, as 2026-01-31')
        return changed([since, about], { since: '{since}', query: '{topic}', limit: 10 })
      }
      case 'between': {
        const old = needed('from_version', 'version', 'The version in use now, such as 2 or 2.1.0')
        const next = needed('to_version', 'version', 'The version to upgrade to, such as 2 or 2.1.0')
        return changed([old, next, about], { range: '>{from_version} <={to_version}', query: '{topic}', limit: 12 })
      }
      case 'version':
        return changed([needed('version', 'version')], { version: '{version}', limit: 4 })
      case 'when': {
        const named = argumentsOf(request.asked.map(asText), 'topic')
        return changed(named, { query: queryOf(named), limit: 6 })
      }
    }
    const asked = request.asked.filter(({ isText, thing }) => isText || thing !== null).map(asText)
    const given = asked.length > 0 ? argumentsOf(asked.slice(0, 1), 'topic') : [about]
    return changed(given, { query: queryOf(given.slice(0, 1)), limit: 8 })
  },

  checklist: (request: Request): Design =>
    guideFor(request, { operation: 'read_checklist', otherwise: 'topic', limit: 5 }),
  steps: (request: Request): Design => guideFor(request, { operation: 'read_steps', otherwise: 'task', limit: 4 }),

  examples(request: Request, { survey }: Known): Design {
    const given = topicOf(request, 'task')
    const { languages, limit } = request
    const choices = languages.length > 0 ? languages : (survey?.languages.slice(0, MOST_LANGUAGES) ?? [])
    const language = { ...optional(needed('language', 'choice', 'Only code in this language')), choices }
    const isFree = languages.length === 0
    const own =
      languages.length === 1 ? languages.join(',') : isFree ? '{language}' : ['{language}', languages.join(',')]
    const task = withSubject(request.subject, given)
    return listOf([...given, ...(languages.length === 1 ? [] : [language])], 'get_code_examples', {
      task,
      limit: limit ?? 5,
      language: own,
    })
  },

  summary(request: Request): Design {
    const isGiven = request.asked.some(({ thing }) => thing === 'page')
    if (request.thing === 'page' && !isGiven && request.subject !== '')
      return listOf([], 'summarize_page', { page: request.subject })
    if (request.thing === 'page') return listOf([needed('page', 'page')], 'summarize_page', { page: '{page}' })
    const given = topicOf(request, 'topic')
    const topic = withSubject(request.subject, given)
    return listOf(given, 'summarize_content', { topic, limit: request.limit ?? 10 })
  },

  issues(request: Request): Design {
    const given = topicOf(request, 'topic')
    const query = withSubject(request.subject, given)
    return listOf(given, 'search_issues', { query, limit: request.limit ?? 6 })
  },

  answer({ asked, question }: Request): Design {
    const texts = asked.filter(({ choices, isText }) => choices.length > 1 || isText)
    // The request itself is a question with an input: `Which backend fits a workload?`
    if (question !== '') {
      const inputs = asked.filter(({ isText }) => isText)
      return answered(argumentsOf(inputs, 'topic'), question, {})
    }
    const named = texts.map((each) => (each.choices.length > 1 ? each : { ...each, name: 'question' }))
    const given = argumentsOf(named, 'question')
    return answered(given, queryOf(given))
  },

  explain(request: Request): Design {
    const inputs = request.asked.filter(({ name }) => request.question.includes(`{${name}}`))
    if (inputs.length > 0) return answered(argumentsOf(inputs, 'topic'), request.question, {})
    const description = 'A part of the question to look into. Left out: the question as a whole'
    const given = [optional(needed('topic', 'text', description))]
    return answered(given, withSubject(request.question, given), {})
  },

  pages(request: Request): Design {
    const given = topicOf(request, 'topic')
    return { given, steps: [searchStep(withSubject(request.subject, given), request.limit ?? 8)], form: 'list' }
  },
}

const listOf = (given: Argument[], operation: PlanStep['operation'], args: PlanStep['arguments']): Design => ({
  given,
  steps: [{ operation, arguments: args }],
  form: 'list',
})

/** Points or steps of one guide, or else passages. */
function guideFor(
  request: Request,
  { operation, otherwise, limit }: { operation: 'read_checklist' | 'read_steps'; otherwise: string; limit: number },
): Design {
  const given = topicOf(request, otherwise)
  const guide: PlanStep = { operation, arguments: subjectFirst(request.subject, given) }
  const search = searchStep(withSubject(request.subject, given), limit, { when: 'nothing_found' })
  return { given, steps: [guide, search], form: 'list' }
}

/** An answer to a question, or else passages; of the request's own question, both. */
function answered(
  given: Argument[],
  question: string | string[],
  more: Partial<PlanStep> = { when: 'nothing_found' },
): Design {
  const ask: PlanStep = { operation: 'ask_question', arguments: { question } }
  return { given, steps: [ask, searchStep(question, 3, more)], form: 'answer' }
}
