import type { PlanStep } from '@docent/contract/values/custom-tool-plan'
import { singular } from './name-tool.ts'
import { argumentsOf, type Design, needed, optional, queryOf, searchStep, stepOf, THINGS } from './plan-arguments.ts'
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
    const find = stepOf('find_entries', {
      name: names,
      ...(kinds === '' ? {} : { kinds }),
      ...(owner === '' ? {} : { of: owner }),
      ...(languages.length > 0 && kinds.includes('member') ? { languages: languages.join(',') } : {}),
      ...(isText ? { exact: true } : {}),
      limit: limit ?? 2,
    })
    const question = thing === 'term' ? `What is ${query}?` : query
    const others: PlanStep[] = isText
      ? [stepOf('ask_question', { question }, { when: 'not_named' }), searchStep(query, 3, { when: 'not_named' })]
      : [searchStep([owner, query].filter(Boolean).join(' '), 3, { when: 'nothing_found' })]
    const code = languages.length > 0 ? { language: languages.join(',') } : {}
    const more = extras.map((extra) =>
      extra === 'examples'
        ? stepOf('get_code_examples', { task: query, limit: 2, ...code }, { heading: 'Examples' })
        : stepOf('search_issues', { query, limit: 3 }, { heading: 'Known issues' }),
    )
    return { given, steps: [find, ...others, ...more], form: more.length > 0 ? 'document' : 'list' }
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
    const args = {
      kinds,
      ...(named === '' ? {} : { of: named }),
      ...(about === '' || owners.length > 0 ? {} : { about }),
    }
    // The entry of the owner may have in its text what no list has.
    const entry = { name: named, exact: true, limit: 1 }
    const others = named === '' ? [] : [stepOf('find_entries', entry, { when: 'nothing_found' })]
    return { given, steps: [stepOf('list_entries', args), ...others], form: 'list' }
  },

  compare({ thing, asked, aspects, sides }: Request): Design {
    const noun = singular(thing ?? asked[0]?.name ?? '').replaceAll('_', ' ')
    const side = (name: string) => needed(name, 'name', `The ${name} ${noun || 'thing'} to compare, by its name`)
    const aspect = optional(needed('aspect', 'text', 'What to compare, such as performance. Left out: everything'))
    const fixed = aspects.join(', ')
    const isFree = sides.length === 0
    const given = isFree ? [side('first'), side('second'), optional(side('third'))] : []
    const compared = isFree ? given.map(({ name }) => [name, `{${name}}`]) : sides.map((name, at) => [SIDES[at], name])
    const query = `${isFree ? '{first} {second}' : sides.join(' ')} difference`
    return {
      given: [...given, ...(fixed === '' ? [aspect] : [])],
      steps: [
        stepOf('compare_entries', { ...Object.fromEntries(compared), aspects: fixed === '' ? '{aspect}' : fixed }),
        searchStep(query, 4, { when: 'nothing_found' }),
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
    const entry = { name: query, kinds: 'schema,endpoint,member', limit: 1 }
    const find = stepOf('find_entries', entry, { when: 'nothing_found' })
    return { given, steps: [stepOf('extract_schema', { name: query, limit: 2 }), find], form: 'list' }
  },
}
