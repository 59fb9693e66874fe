import type { PlanStep } from '@docent/contract/values/custom-tool-plan'
import { singular } from './name-tool.ts'
import { argumentsOf, type Design, needed, optional, queryOf, searchStep, THINGS } from './plan-arguments.ts'
import type { Request } from './read-request.ts'

const SIDES = ['first', 'second', 'third', 'fourth']

/** Designs of tools that read entries: one by its name, all of a kind, two side by side, or a schema. */
export const LOOK_UPS = {
  look_up(request: Request): Design {
    const { thing, languages, limit, extras, owner } = request
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
        ...(owner === '' ? {} : { of: owner }),
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
      : [searchStep([owner, query].filter(Boolean).join(' '), 3, { when: 'nothing_found' })]
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

  list({ thing, asked, subject, owner }: Request): Design {
    const own = thing === null ? 'definition' : (THINGS[thing]?.kinds ?? '')
    const isAll = owner === '' && !asked.some(({ isText }) => !isText)
    // All of a site are of one kind: the other kinds of a look-up would be none of them.
    const kinds = own === '' ? 'definition,member,setting,command' : isAll ? (own.split(',', 1)[0] ?? own) : own
    const topics = asked.filter(({ isText }) => isText)
    const owners = asked.filter(({ isText }) => !isText).slice(0, 1)
    const given = [
      ...owners.map(({ name }) => needed(name, 'owner')),
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

  compare({ thing, asked, aspects, sides }: Request): Design {
    const noun = singular(thing ?? asked[0]?.name ?? '').replaceAll('_', ' ')
    const side = (name: string) => needed(name, 'name', `The ${name} ${noun || 'thing'} to compare, by its name`)
    const aspect = optional(needed('aspect', 'text', 'What to compare, such as performance. Left out: everything'))
    const fixed = aspects.join(', ')
    return {
      given: [
        ...(sides.length === 0 ? [side('first'), side('second'), optional(side('third'))] : []),
        ...(fixed === '' ? [aspect] : []),
      ],
      steps: [
        {
          operation: 'compare_entries',
          arguments: {
            ...(sides.length === 0
              ? { first: '{first}', second: '{second}', third: '{third}' }
              : Object.fromEntries(sides.map((name, at) => [SIDES[at], name]))),
            aspects: fixed === '' ? '{aspect}' : fixed,
          },
        },
        searchStep(sides.length === 0 ? '{first} {second} difference' : `${sides.join(' ')} difference`, 4, {
          when: 'nothing_found',
        }),
      ],
      form: 'list',
    }
  },

  schema(request: Request): Design {
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
}

/** The entry of the owner, whose text may have what no list has. */
const ownerStep = (name: string): PlanStep => ({
  operation: 'find_entries',
  arguments: { name, exact: true, limit: 1 },
  when: 'nothing_found',
})

function languageOf(languages: readonly string[]): { language?: string } {
  return languages.length > 0 ? { language: languages.join(',') } : {}
}
