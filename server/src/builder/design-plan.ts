import { type CustomToolPlan, PLAN, type PlanArgument, type PlanStep } from '@docent/contract/values/custom-tool-plan'
import { describePlan } from './describe-plan.ts'
import { nameTool, singular, wordsOfName } from './name-tool.ts'
import {
  type Argument,
  type Design,
  type Known,
  THINGS,
  argumentsOf,
  asText,
  needed,
  optional,
  queryOf,
  searchStep,
  stepOf,
  topicOf,
  withSubject,
} from './plan-arguments.ts'
import { slug } from './read-inputs.ts'
import type { Request } from './read-request.ts'
import type { Draft, RemoteTool, Role } from './survey.ts'
import type { Purpose } from './read-purpose.ts'

/** Characters of an argument. Queries of built-in tools take up to 4,000, and versions 60. */
const LENGTHS: Record<Role, number> = {
  name: 300,
  owner: 300,
  text: 1_000,
  version: 40,
  day: 10,
  page: 1_000,
  choice: 80,
}

/** Designs a plan by rules. `filters` restrict all steps. `survey` is null if there is no content yet. */
export function designPlan(request: Request, known: Known): Draft {
  const name = nameTool(wordsOfName(request), request.givenName)
  return finished(name, DESIGNS[request.purpose](request, known), known.filters)
}

/** The plan that calls a tool of a remote MCP server with the arguments that it declares. */
export function designRemote(request: Request | null, tool: RemoteTool): Draft {
  const given = tool.arguments.map(({ name, isRequired }): Argument => {
    const description = `The ${name.replaceAll(/[_-]/g, ' ')}, as the remote tool takes it`
    return { name: slug(name) || 'value', role: 'text', isRequired, description }
  })
  const json = Object.fromEntries(tool.arguments.map(({ name }, at) => [name, `{${given[at]?.name}}`]))
  const step: PlanStep = {
    operation: 'query_source',
    arguments: { source: tool.source, tool: tool.name, arguments: { json } },
  }
  return finished(
    nameTool(['use', tool.name], request?.givenName ?? null),
    { given, steps: [step], form: 'list' },
    undefined,
  )
}

function finished(name: string, { given, steps, form }: Design, filters: PlanStep['filters']): Draft {
  const properties = Object.fromEntries(given.map((argument) => [argument.name, propertyOf(argument)]))
  const required = given.filter(({ isRequired }) => isRequired).map(({ name }) => name)
  const core = {
    inputSchema: { type: 'object' as const, properties, ...(required.length > 0 ? { required } : {}) },
    steps: steps.map((step) => (filters === undefined ? step : { ...step, filters: { ...step.filters, ...filters } })),
    output: { form },
  }
  const plan = { name, displayName: name, description: name, ...core }
  return {
    plan: { ...plan, ...describePlan(plan) },
    roles: Object.fromEntries(given.map(({ name: own, role }) => [own, role])),
  }
}

function propertyOf({ description, choices, role }: Argument): PlanArgument {
  return {
    type: 'string',
    description,
    ...(choices && choices.length > 1 ? { enum: choices.slice(0, PLAN.maxChoices) } : { maxLength: LENGTHS[role] }),
  }
}

/** Restricts all steps of a plan, whoever designed it. */
export function withFilters(plan: CustomToolPlan, filters: PlanStep['filters']): CustomToolPlan {
  if (filters === undefined) return plan
  return { ...plan, steps: plan.steps.map((step) => ({ ...step, filters: { ...step.filters, ...filters } })) }
}

/** Things that have others, and those that they have. */
const OWNERS: ReadonlySet<string> = new Set(['command', 'endpoint', 'class_name', 'object', 'page'])
const PARTS: ReadonlySet<string> = new Set(['option', 'parameter', 'variable', 'setting', 'error_code', 'error'])
const SIDES = ['first', 'second', 'third', 'fourth']
/** Languages to choose from. More are data and markup. */
const MOST_LANGUAGES = 12
const NOT_FOUND = { when: 'nothing_found' } as const

/** The arguments and steps for each purpose. */
const DESIGNS: Record<Purpose, (request: Request, known: Known) => Design> = {
  look_up(request) {
    const { thing, languages, limit, extras, owner, subject } = request
    const given = argumentsOf(request.asked, thing ?? 'name', 'name')
    const owners = request.asked.filter(({ isOwner }) => isOwner).map(({ name }) => name)
    const own = given.filter(({ name }) => !owners.includes(name))
    const query = queryOf(own)
    // `push` of `Client` is `Client push`, if both are given.
    const name = own.length < given.length ? [queryOf(given.toReversed()), query] : query
    const kinds = thing === null ? '' : (THINGS[thing]?.kinds ?? '')
    // Texts of errors and terms without an entry are answered and searched.
    // So is a noun that no vocabulary has, with the words of the request: `the delivery costs for a country`.
    const isText = thing === 'term' || thing === 'error' || thing === 'faq' || (thing === null && subject !== '')
    const code = languages.length > 0 ? { language: languages.join(',') } : {}
    const find = stepOf('find_entries', {
      name,
      ...(kinds === '' ? {} : { kinds }),
      ...(owner === '' ? {} : { of: owner }),
      ...(languages.length > 0 && kinds.includes('member') ? { languages: languages.join(',') } : {}),
      ...(isText ? { exact: true } : {}),
      limit: limit ?? 2,
    })
    const words = thing === null ? withSubject(subject, own) : query
    const question = thing === 'term' ? `What is ${query}?` : words
    const others = isText
      ? [stepOf('ask_question', { question }, { when: 'not_named' }), searchStep(words, 3, { when: 'not_named' })]
      : [searchStep([owner, query].filter(Boolean).join(' '), 3, NOT_FOUND)]
    const more = extras.map((extra) =>
      extra === 'examples'
        ? stepOf('get_code_examples', { task: query, limit: 2, ...code }, { heading: 'Examples' })
        : stepOf('search_issues', { query, limit: 3 }, { heading: 'Known issues' }),
    )
    return { given, steps: [find, ...others, ...more], form: more.length > 0 ? 'document' : 'list' }
  },

  list({ thing, asked, subject, owner }) {
    const own = thing === null ? 'definition' : (THINGS[thing]?.kinds ?? '')
    const topics = asked.filter(({ isText }) => isText)
    const [first] = asked.filter(({ isText }) => !isText)
    // `Commands that accept an option`: each entry of the option says whose it is.
    if (OWNERS.has(thing ?? '') && first?.thing && PARTS.has(first.thing)) {
      const name = [needed(first.name, 'name')]
      const find = { name: queryOf(name), kinds: THINGS[first.thing]?.kinds ?? '', limit: 10 }
      return listOf(
        name,
        stepOf('find_entries', find),
        searchStep([subject, queryOf(name)].join(' ').trim(), 10, NOT_FOUND),
      )
    }
    // All of a site are of one kind: the other kinds of a look-up would be none of them.
    const isAll = owner === '' && first === undefined
    const kinds = own === '' ? 'definition,member,setting,command' : isAll ? (own.split(',', 1)[0] ?? own) : own
    const topic = topics.length > 0 ? argumentsOf(topics.slice(0, 1), 'topic').map(optional) : []
    const given = first ? [needed(first.name, 'owner')] : topic
    const about = first ? '' : [subject, queryOf(given)].filter(Boolean).join(' ')
    // Things that no entry has as its kind are found by their words only.
    if (own === '' && thing !== null && about !== '') return listOf(given, searchStep(about, 10))
    const named = first ? queryOf(given) : owner
    const args = { kinds, ...(named === '' ? {} : { of: named }), ...(about === '' ? {} : { about }) }
    // The entry of the owner may have in its text what no list has.
    const others = named === '' ? [] : [stepOf('find_entries', { name: named, exact: true, limit: 1 }, NOT_FOUND)]
    return listOf(given, stepOf('list_entries', args), ...others)
  },

  compare({ thing, asked, aspects, sides }) {
    const noun = singular(thing ?? asked[0]?.name ?? '').replaceAll('_', ' ')
    const side = (name: string) => needed(name, 'name', `The ${name} ${noun || 'thing'} to compare, by its name`)
    const aspect = optional(needed('aspect', 'text', 'What to compare, such as performance. Left out: everything'))
    const isFree = sides.length < 2
    const free = isFree ? [side('first'), side('second'), optional(side('third'))] : []
    const compared = isFree ? free.map(({ name }) => [name, `{${name}}`]) : sides.map((name, at) => [SIDES[at], name])
    const fixed = aspects.join(', ')
    const compare = { ...Object.fromEntries(compared), aspects: fixed === '' ? '{aspect}' : fixed }
    const search = searchStep(`${isFree ? '{first} {second}' : sides.join(' ')} difference`, 4, NOT_FOUND)
    return listOf([...free, ...(fixed === '' ? [aspect] : [])], stepOf('compare_entries', compare), search)
  },

  schema({ asked }) {
    const own = asked.map((each) => ({ ...each, name: 'name', thing: 'object' as const, isText: false }))
    const given = argumentsOf(own.slice(0, 1), 'name', 'name')
    const name = queryOf(given)
    const entry = stepOf('find_entries', { name, kinds: 'schema,endpoint,member', limit: 1 }, NOT_FOUND)
    return listOf(given, stepOf('extract_schema', { name, limit: 2 }), entry)
  },

  changes(request, { versions: [from, to] }) {
    const part = request.part === null ? {} : { part: request.part }
    const { given, args } =
      from === undefined || (from === 'latest' && to === undefined)
        ? releasesFor(request)
        : { given: [], args: rangeOf(from, to) }
    return listOf(given, stepOf('read_releases', { ...args, ...part }))
  },

  checklist: (request) => guideFor(request, { operation: 'read_checklist', otherwise: 'topic', limit: 5 }),
  steps: (request) => guideFor(request, { operation: 'read_steps', otherwise: 'task', limit: 4 }),

  examples(request, { survey }) {
    const given = topicOf(request, 'task')
    const { avoided } = request
    const others = avoided.length > 0 ? survey?.languages.filter((each) => !avoided.includes(each)) : undefined
    const languages = request.languages.length > 0 ? request.languages : (others ?? [])
    const own = languages.join(',')
    const choices = own === '' ? (survey?.languages ?? []) : languages
    const choice = {
      ...optional(needed('language', 'choice', 'Only code in this language')),
      choices: choices.slice(0, MOST_LANGUAGES),
    }
    const isOne = languages.length === 1
    const language = isOne ? own : own === '' ? '{language}' : ['{language}', own]
    const task = withSubject(request.subject, given)
    const step = stepOf('get_code_examples', { task, limit: request.limit ?? 5, language })
    return listOf([...given, ...(isOne ? [] : [choice])], step)
  },

  summary(request) {
    const { thing, subject, limit } = request
    const isFixed = thing === 'page' && subject !== '' && !request.asked.some((each) => each.thing === 'page')
    if (isFixed) return listOf([], stepOf('summarize_page', { page: subject }))
    if (thing === 'page') return listOf([needed('page', 'page')], stepOf('summarize_page', { page: '{page}' }))
    const given = topicOf(request, 'topic')
    return listOf(given, stepOf('summarize_content', { topic: withSubject(subject, given), limit: limit ?? 10 }))
  },

  issues(request) {
    const given = topicOf(request, 'topic')
    const query = withSubject(request.subject, given)
    return listOf(given, stepOf('search_issues', { query, limit: request.limit ?? 6 }))
  },

  answer({ asked, question }) {
    // The request itself is a question with an input: `Which backend fits a workload?`
    if (question !== '')
      return answered(
        argumentsOf(
          asked.filter(({ isText }) => isText),
          'topic',
        ),
        question,
        {},
      )
    const named = asked.flatMap((each) =>
      each.choices.length > 1 ? each : each.isText ? { ...each, name: 'question' } : [],
    )
    const given = argumentsOf(named, 'question')
    return answered(given, queryOf(given))
  },

  explain({ asked, question }) {
    const inputs = asked.filter(({ name }) => question.includes(`{${name}}`))
    if (inputs.length > 0) return answered(argumentsOf(inputs, 'topic'), question, {})
    const description = 'A part of the question to look into. Left out: the question as a whole'
    const given = [optional(needed('topic', 'text', description))]
    return answered(given, withSubject(question, given), {})
  },

  pages(request) {
    const given = topicOf(request, 'topic')
    return listOf(given, searchStep(withSubject(request.subject, given), request.limit ?? 8))
  },
}

const listOf = (given: Argument[], ...steps: PlanStep[]): Design => ({ given, steps, form: 'list' })

function rangeOf(from: string, to: string | undefined): PlanStep['arguments'] {
  if (to !== undefined) return { range: `>${from.replace('>', '')} <=${to}` }
  return from.startsWith('>') ? { range: from, limit: 12 } : { version: from, limit: 4 }
}

/** Which releases to read, with the arguments for it. */
function releasesFor({ releases, asked }: Request): { given: Argument[]; args: PlanStep['arguments'] } {
  const about = optional(needed('topic', 'text', 'Only releases that speak of this, such as an option or a feature'))
  const old = needed('from_version', 'version', 'The version in use now, such as 2 or 2.1.0')
  switch (releases) {
    case 'latest':
      return { given: [], args: { version: 'latest', limit: 1 } }
    case 'since': {
      const since = needed('since', 'day', 'The day from which to list changes, as 2026-01-31')
      return { given: [since, about], args: { since: '{since}', query: '{topic}', limit: 10 } }
    }
    case 'from':
      return { given: [old, about], args: { range: '>{from_version}', query: '{topic}', limit: 12 } }
    case 'between': {
      const next = needed('to_version', 'version', 'The version to upgrade to, such as 2 or 2.1.0')
      const args = { range: '>{from_version} <={to_version}', query: '{topic}', limit: 12 }
      return { given: [old, next, about], args }
    }
    case 'version':
      return { given: [needed('version', 'version')], args: { version: '{version}', limit: 4 } }
    case 'when': {
      const given = argumentsOf(asked.map(asText), 'topic')
      return { given, args: { query: queryOf(given), limit: 6 } }
    }
  }
  const topics = asked.filter(({ isText, thing }) => isText || thing !== null).map(asText)
  const given = topics.length > 0 ? argumentsOf(topics.slice(0, 1), 'topic') : [about]
  return { given, args: { query: queryOf(given.slice(0, 1)), limit: 8 } }
}

type Guide = { operation: 'read_checklist' | 'read_steps'; otherwise: string; limit: number }

/** Points or steps of one guide, or else passages. The input decides, and the words of the request count less. */
function guideFor(request: Request, { operation, otherwise, limit }: Guide): Design {
  const given = topicOf(request, otherwise)
  const { subject } = request
  const query = queryOf(given)
  const isOptional = given.every(({ isRequired }) => !isRequired)
  const args =
    query === '' || subject === ''
      ? { query: query || subject }
      : { query: isOptional ? [query, subject] : query, about: subject }
  return listOf(given, stepOf(operation, args), searchStep(withSubject(subject, given), limit, NOT_FOUND))
}

/** An answer to a question, or else passages; of the request's own question, both. */
function answered(given: Argument[], question: string | string[], more: Partial<PlanStep> = NOT_FOUND): Design {
  return { given, steps: [stepOf('ask_question', { question }), searchStep(question, 3, more)], form: 'answer' }
}
