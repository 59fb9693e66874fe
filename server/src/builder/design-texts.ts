import type { PlanStep } from '@docent/contract/values/custom-tool-plan'
import {
  type Argument,
  argumentsOf,
  asText,
  type Design,
  describe,
  type Known,
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
    const about: Argument = {
      name: 'topic',
      role: 'text',
      isRequired: false,
      description: 'Only releases that speak of this, such as an option or a feature',
    }
    const version = (name: string, description: string): Argument => ({
      name,
      role: 'version',
      isRequired: true,
      description,
    })
    const step = (args: PlanStep['arguments']): PlanStep => ({
      operation: 'read_releases',
      arguments: { ...args, ...only },
    })
    const [from, to] = versions
    if (from !== undefined && to !== undefined)
      return { given: [], steps: [step({ range: `>${from} <=${to}` })], form: 'list' }
    if (from !== undefined && from !== 'latest')
      return { given: [], steps: [step({ version: from, limit: 4 })], form: 'list' }
    switch (releases) {
      case 'latest':
        return { given: [], steps: [step({ version: 'latest', limit: 1 })], form: 'list' }
      case 'since':
        return {
          given: [
            {
              name: 'since',
              role: 'day',
              isRequired: true,
              description: 'The day from which to list changes, as 2026-01-31',
            },
            about,
          ],
          steps: [step({ since: '{since}', query: '{topic}', limit: 10 })],
          form: 'list',
        }
      case 'between':
        return {
          given: [
            version('from_version', 'The version in use now, such as 2 or 2.1.0'),
            version('to_version', 'The version to upgrade to, such as 2 or 2.1.0'),
            about,
          ],
          steps: [step({ range: '>{from_version} <={to_version}', query: '{topic}', limit: 12 })],
          form: 'list',
        }
      case 'version':
        return {
          given: [version('version', 'The version, such as 2 or 2.1.0')],
          steps: [step({ version: '{version}', limit: 4 })],
          form: 'list',
        }
      case 'when':
        return {
          given: argumentsOf(request.asked.map(asText), 'topic'),
          steps: [step({ query: queryOf(argumentsOf(request.asked.map(asText), 'topic')), limit: 6 })],
          form: 'list',
        }
    }
    const asked = request.asked.filter(({ isText, thing }) => isText || thing !== null).map(asText)
    const given = asked.length > 0 ? argumentsOf(asked.slice(0, 1), 'topic') : [about]
    return { given, steps: [step({ query: queryOf(given.slice(0, 1)), limit: 8 })], form: 'list' }
  },

  checklist: (request: Request): Design =>
    guideFor(request, { operation: 'read_checklist', otherwise: 'topic', limit: 5 }),
  steps: (request: Request): Design => guideFor(request, { operation: 'read_steps', otherwise: 'task', limit: 4 }),

  examples(request: Request, { survey }: Known): Design {
    const given = topicOf(request, 'task')
    const { languages, limit } = request
    const choices = languages.length > 0 ? languages : (survey?.languages.slice(0, MOST_LANGUAGES) ?? [])
    const language: Argument = {
      name: 'language',
      role: 'choice',
      isRequired: false,
      description: 'Only code in this language',
      choices,
    }
    const isFree = languages.length === 0
    const own =
      languages.length === 1 ? languages.join(',') : isFree ? '{language}' : ['{language}', languages.join(',')]
    return {
      given: [...given, ...(languages.length === 1 ? [] : [language])],
      steps: [
        {
          operation: 'get_code_examples',
          arguments: { task: withSubject(request.subject, given), limit: limit ?? 5, language: own },
        },
      ],
      form: 'list',
    }
  },

  summary(request: Request): Design {
    const isGiven = request.asked.some(({ thing }) => thing === 'page')
    if (request.thing === 'page' && !isGiven && request.subject !== '') {
      const step: PlanStep = { operation: 'summarize_page', arguments: { page: request.subject } }
      return { given: [], steps: [step], form: 'list' }
    }
    if (request.thing === 'page') {
      const page: Argument = { name: 'page', role: 'page', isRequired: true, description: describe('page', 'page') }
      return { given: [page], steps: [{ operation: 'summarize_page', arguments: { page: '{page}' } }], form: 'list' }
    }
    const given = topicOf(request, 'topic')
    return {
      given,
      steps: [
        {
          operation: 'summarize_content',
          arguments: { topic: withSubject(request.subject, given), limit: request.limit ?? 10 },
        },
      ],
      form: 'list',
    }
  },

  issues(request: Request): Design {
    const given = topicOf(request, 'topic')
    const query = withSubject(request.subject, given)
    return {
      given,
      steps: [{ operation: 'search_issues', arguments: { query, limit: request.limit ?? 6 } }],
      form: 'list',
    }
  },

  answer({ asked, question }: Request): Design {
    // The request itself is a question with an input: `Which backend fits a workload?`
    if (question !== '')
      return answered(
        argumentsOf(
          asked.filter(({ isText }) => isText),
          'topic',
        ),
        question,
      )
    const given = argumentsOf(
      asked
        .filter(({ choices, isText }) => choices.length > 1 || isText)
        .map((each) => (each.choices.length > 1 ? each : { ...each, name: 'question' })),
      'question',
    )
    return answered(given, queryOf(given))
  },

  explain(request: Request): Design {
    const description = 'A part of the question to look into. Left out: the question as a whole'
    const given = argumentsOf([], 'topic').map((each) => ({ ...each, isRequired: false, description }))
    return answered(given, withSubject(request.question, given))
  },

  pages(request: Request): Design {
    const given = topicOf(request, 'topic')
    return { given, steps: [searchStep(withSubject(request.subject, given), request.limit ?? 8)], form: 'list' }
  },
}

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

/** An answer to a question, or else passages. */
function answered(given: Argument[], question: string | string[]): Design {
  const ask: PlanStep = { operation: 'ask_question', arguments: { question } }
  return { given, steps: [ask, searchStep(question, 3, { when: 'nothing_found' })], form: 'answer' }
}
