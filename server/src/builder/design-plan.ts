import { type CustomToolPlan, PLAN, type PlanArgument, type PlanStep } from '@docent/contract/values/custom-tool-plan'
import { describePlan } from './describe-plan.ts'
import { nameTool } from './name-tool.ts'
import { type Asked, slug } from './read-arguments.ts'
import type { Purpose, Request } from './read-request.ts'
import type { Draft, RemoteTool, Role, Survey } from './survey.ts'
import vocabulary from './vocabulary.json' with { type: 'json' }

type Argument = { name: string; role: Role; description: string; isRequired: boolean; choices?: string[] }
type Design = { given: Argument[]; steps: PlanStep[]; form: CustomToolPlan['output']['form'] }

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

/** Languages to choose from. More are data and markup. */
const MOST_LANGUAGES = 12

type Known = { survey: Survey | null; filters: PlanStep['filters']; versions: readonly string[] }

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

const VERBS: Record<Purpose, string> = {
  issues: 'find_issues',
  checklist: 'checklist',
  compare: 'compare',
  changes: 'changes',
  schema: 'schema',
  summary: 'summarize',
  steps: 'how_to',
  examples: 'examples',
  answer: 'answer',
  pages: 'find',
  list: 'list',
  look_up: 'look_up',
  explain: 'explain',
}

/** The words of a name, the most telling first: `look_up`, `setting`. */
function wordsOfName({ purpose, thing, asked, languages, subject, releases, part }: Request): string[] {
  const noun = singular(thing ?? asked[0]?.name ?? '').replace(/_name$/, '')
  const about = slug(subject.split(' ').slice(0, 2).join(' '))
  if (purpose === 'changes')
    return releases === 'latest' ? ['latest_release'] : [part === null ? 'releases' : `${part}_changes`, about]
  if (purpose === 'list') return ['list', plural(noun), asked[0]?.name === noun ? '' : (asked[0]?.name ?? about)]
  if (purpose === 'compare') return ['compare', plural(noun || 'thing')]
  if (purpose === 'examples') return ['examples', ...(languages.length === 1 ? languages : []), about]
  if (purpose === 'look_up')
    return [noun === 'term' ? 'define' : noun.startsWith('error') ? 'explain' : 'look_up', noun]
  if (purpose === 'answer' || purpose === 'explain') return [VERBS[purpose], about]
  return [VERBS[purpose], noun === 'topic' || noun === 'task' ? about : noun]
}

function singular(noun: string): string {
  return /(?:[^s]s)$/.test(noun) && noun.length > 3 && noun !== 'class' ? noun.slice(0, -1) : noun
}

function plural(noun: string): string {
  if (noun === '') return ''
  if (/(?:s|x|ch|sh)$/.test(noun)) return `${noun}es`
  return /[^aeiou]y$/.test(noun) ? `${noun.slice(0, -1)}ies` : `${noun}s`
}

const THINGS: Readonly<Record<string, { kinds: string }>> = vocabulary.things
/** Things that callers give in their own words, not by name. */
const IN_WORDS: ReadonlySet<string> = new Set(['error', 'example'])

/** The inputs as arguments. `names`: a thing is given by its name. */
function argumentsOf(asked: readonly Asked[], otherwise: string, role: Role = 'text'): Argument[] {
  const given = asked.slice(0, 3).map(({ name, thing, isText, isOwner, choices }): Argument => {
    const own: Role =
      choices.length > 1
        ? 'choice'
        : name === 'version'
          ? 'version'
          : thing === null || isText || IN_WORDS.has(thing)
            ? 'text'
            : 'name'
    return {
      name,
      role: own,
      isRequired: !isOwner,
      description: describe(name, own),
      ...(choices.length > 1 ? { choices } : {}),
    }
  })
  const all =
    given.length > 0 ? given : [{ name: otherwise, role, isRequired: true, description: describe(otherwise, role) }]
  // Of a list of alternatives alone nothing can be found.
  return all.length === 1 && all[0]?.choices
    ? [...all, { name: 'topic', role: 'text', isRequired: true, description: describe('topic', 'text') }]
    : all
}

const DESCRIPTIONS: ReadonlyMap<string, string> = new Map([
  ['error', 'The error message or symptom, word for word where possible'],
  ['question', 'The question, in plain words'],
  ['task', 'What is to be done, in a few words, or the name of the thing for it'],
  ['page', 'Address, path or title of the page'],
])

function describe(name: string, role: Role): string {
  const noun = name.replace(/_name$/, '').replaceAll('_', ' ')
  if (role === 'choice') return `Which ${noun}`
  if (role === 'version') return 'The version, such as 2 or 2.1.0'
  const known = DESCRIPTIONS.get(name)
  if (known !== undefined) return known
  return role === 'name' || role === 'owner'
    ? `Name of the ${noun}, as the documentation writes it`
    : `The ${noun}, in a few words`
}

const queryOf = (given: readonly Argument[]) => given.map(({ name }) => `{${name}}`).join(' ')

/** A template with and without an optional argument; with none, the words of the request alone. */
function withSubject(subject: string, given: readonly Argument[]): string | string[] {
  const query = queryOf(given)
  const all = [subject, query].filter(Boolean).join(' ')
  return given.length > 0 && given.every(({ isRequired }) => !isRequired) && subject !== '' ? [all, subject] : all
}

/** The input decides, and the words of the request count less. Without the input they decide. */
function subjectFirst(subject: string, given: readonly Argument[]): PlanStep['arguments'] {
  const query = queryOf(given)
  if (query === '' || subject === '') return { query: query || subject }
  const isOptional = given.every(({ isRequired }) => !isRequired)
  return { query: isOptional ? [query, subject] : query, about: subject }
}

/** Inputs of a purpose that the words of the request can do without: `deploying to production`. */
function topicOf({ asked, subject }: Request, otherwise: string): Argument[] {
  if (asked.length > 0 || subject === '') return argumentsOf(asked.map(asText), otherwise)
  return [{ ...(argumentsOf([], otherwise)[0] as Argument), isRequired: false }]
}

const asText = (asked: Asked): Asked => ({ ...asked, thing: null, isText: true })

/** The entry of the owner, whose text may have what no list has. */
const ownerStep = (name: string): PlanStep => ({
  operation: 'find_entries',
  arguments: { name, exact: true, limit: 1 },
  when: 'nothing_found',
})

const searchStep = (query: string | string[], limit: number, more: Partial<PlanStep> = {}): PlanStep => ({
  operation: 'search_docs',
  arguments: { query, limit },
  ...more,
})

const DESIGNS: Record<Purpose, (request: Request, known: Known) => Design> = {
  look_up(request) {
    const { thing, languages, limit, extras } = request
    const given = argumentsOf(request.asked, thing ?? 'name', 'name')
    const owners = request.asked.filter(({ isOwner }) => isOwner).map(({ name }) => name)
    const own = given.filter(({ name }) => !owners.includes(name))
    const query = queryOf(own)
    // `push` of `Client` is `Client push`, if both are given.
    const names = own.length < given.length ? [queryOf(given.toReversed()), query] : query
    const kinds = thing === null ? '' : (THINGS[thing]?.kinds ?? '')
    // Texts of errors and terms without an entry are answered and searched.
    const isText = thing === 'term' || thing === 'error' || thing === 'faq'
    const find: PlanStep = {
      operation: 'find_entries',
      arguments: {
        name: names,
        ...(kinds === '' ? {} : { kinds }),
        ...(languages.length > 0 && kinds.includes('member') ? { languages: languages.join(',') } : {}),
        ...(isText ? { exact: true } : {}),
        limit: limit ?? 2,
      },
    }
    const question = thing === 'term' ? `What is ${query}?` : query
    const others: PlanStep[] = isText
      ? [
          { operation: 'ask_question', arguments: { question }, when: 'not_named' },
          searchStep(query, 3, { when: 'not_named' }),
        ]
      : [searchStep(query, 3, { when: 'nothing_found' })]
    const more = extras.map((extra): PlanStep =>
      extra === 'examples'
        ? {
            operation: 'get_code_examples',
            arguments: { task: query, limit: 2, ...languageOf(languages) },
            heading: 'Examples',
          }
        : { operation: 'search_issues', arguments: { query, limit: 3 }, heading: 'Known issues' },
    )
    return {
      given,
      steps: [find, ...others, ...more],
      form: more.length > 0 ? 'document' : 'list',
    }
  },

  list({ thing, asked, subject, owner }) {
    const own = thing === null ? 'definition' : (THINGS[thing]?.kinds ?? '')
    const isAll = owner === '' && !asked.some(({ isText }) => !isText)
    // All of a site are of one kind: the other kinds of a look-up would be none of them.
    const kinds = own === '' ? 'definition,member,setting,command' : isAll ? (own.split(',', 1)[0] ?? own) : own
    const topics = asked.filter(({ isText }) => isText)
    const owners = asked.filter(({ isText }) => !isText).slice(0, 1)
    const given = [
      ...owners.map(({ name }): Argument => ({
        name,
        role: 'owner',
        isRequired: true,
        description: describe(name, 'owner'),
      })),
      ...(owners.length === 0 && topics.length > 0 ? argumentsOf(topics.slice(0, 1), 'topic') : []),
    ]
    const about = [subject, owners.length === 0 ? queryOf(given) : ''].filter(Boolean).join(' ')
    // Things that no entry has as its kind are found by their words only.
    if (thing !== null && THINGS[thing]?.kinds === '' && owners.length === 0 && about !== '')
      return { given, steps: [searchStep(about, 10)], form: 'list' }
    const named = owners.length > 0 ? queryOf(given) : owner
    const of = named === '' ? {} : { of: named }
    return {
      given,
      steps: [
        {
          operation: 'list_entries',
          arguments: { kinds, ...of, ...(about === '' || owners.length > 0 ? {} : { about }) },
        },
        ...(named === '' ? [] : [ownerStep(named)]),
      ],
      form: 'list',
    }
  },

  compare({ thing, asked, aspects, sides: [one = '', other = ''] }) {
    const noun = singular(thing ?? asked[0]?.name ?? '').replaceAll('_', ' ')
    const side = (name: string, isRequired = true): Argument => ({
      name,
      role: 'name',
      isRequired,
      description: `The ${name} ${noun || 'thing'} to compare, by its name`,
    })
    const aspect: Argument = {
      name: 'aspect',
      role: 'text',
      isRequired: false,
      description: 'What to compare, such as performance. Left out: everything',
    }
    const fixed = aspects.join(', ')
    return {
      given: [
        ...(one === '' ? [side('first'), side('second'), side('third', false)] : []),
        ...(fixed === '' ? [aspect] : []),
      ],
      steps: [
        {
          operation: 'compare_entries',
          arguments: {
            ...(one === ''
              ? { first: '{first}', second: '{second}', third: '{third}' }
              : { first: one, second: other }),
            aspects: fixed === '' ? '{aspect}' : fixed,
          },
        },
        searchStep(one === '' ? '{first} {second} difference' : `${one} ${other} difference`, 4, {
          when: 'nothing_found',
        }),
      ],
      form: 'list',
    }
  },

  changes(request, { versions }) {
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

  checklist(request) {
    const given = topicOf(request, 'topic')
    const query = withSubject(request.subject, given)
    return {
      given,
      steps: [
        { operation: 'read_checklist', arguments: subjectFirst(request.subject, given) },
        searchStep(query, 5, { when: 'nothing_found' }),
      ],
      form: 'list',
    }
  },

  steps(request) {
    const given = topicOf(request, 'task')
    const query = withSubject(request.subject, given)
    return {
      given,
      steps: [
        { operation: 'read_steps', arguments: subjectFirst(request.subject, given) },
        searchStep(query, 4, { when: 'nothing_found' }),
      ],
      form: 'list',
    }
  },

  examples(request, { survey }) {
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

  schema(request) {
    const given = argumentsOf(
      request.asked.map((each) => ({ ...each, name: 'name', thing: 'object' as const, isText: false })).slice(0, 1),
      'name',
      'name',
    )
    const query = queryOf(given)
    const find: PlanStep = {
      operation: 'find_entries',
      arguments: { name: query, kinds: 'schema,endpoint,member', limit: 1 },
      when: 'nothing_found',
    }
    return { given, steps: [{ operation: 'extract_schema', arguments: { name: query, limit: 2 } }, find], form: 'list' }
  },

  summary(request) {
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

  issues(request) {
    const given = topicOf(request, 'topic')
    return {
      given,
      steps: [
        {
          operation: 'search_issues',
          arguments: { query: withSubject(request.subject, given), limit: request.limit ?? 6 },
        },
      ],
      form: 'list',
    }
  },

  answer({ asked, question: own }) {
    // The request itself is a question with an input: `Which backend fits a workload?`
    if (own !== '') {
      const inputs = argumentsOf(
        asked.filter(({ isText }) => isText),
        'topic',
      )
      const ask: PlanStep = { operation: 'ask_question', arguments: { question: own } }
      return { given: inputs, steps: [ask, searchStep(own, 3, { when: 'nothing_found' })], form: 'answer' }
    }
    const given = argumentsOf(
      asked
        .filter(({ choices, isText }) => choices.length > 1 || isText)
        .map((each) => (each.choices.length > 1 ? each : { ...each, name: 'question' })),
      'question',
    )
    const query = queryOf(given)
    return {
      given,
      steps: [
        { operation: 'ask_question', arguments: { question: query } },
        searchStep(query, 3, { when: 'nothing_found' }),
      ],
      form: 'answer',
    }
  },

  explain(request) {
    const given = [
      {
        ...(argumentsOf([], 'topic')[0] as Argument),
        isRequired: false,
        description: 'A part of the question to look into. Left out: the question as a whole',
      },
    ]
    const question = withSubject(request.question, given)
    return {
      given,
      steps: [
        { operation: 'ask_question', arguments: { question } },
        searchStep(question, 3, { when: 'nothing_found' }),
      ],
      form: 'answer',
    }
  },

  pages(request) {
    const given = topicOf(request, 'topic')
    return { given, steps: [searchStep(withSubject(request.subject, given), request.limit ?? 8)], form: 'list' }
  },
}

function languageOf(languages: readonly string[]): { language?: string } {
  return languages.length > 0 ? { language: languages.join(',') } : {}
}

/** Restricts all steps of a plan, whoever designed it. */
export function withFilters(plan: CustomToolPlan, filters: PlanStep['filters']): CustomToolPlan {
  if (filters === undefined) return plan
  return { ...plan, steps: plan.steps.map((step) => ({ ...step, filters: { ...step.filters, ...filters } })) }
}
