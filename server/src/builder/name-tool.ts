import { BUILT_IN_NAMES } from '@docent/contract/values/tools'
import { slug } from './read-inputs.ts'
import type { Purpose } from './read-purpose.ts'
import type { Request } from './read-request.ts'

/** Characters of a tool name: clients add long prefixes to a limit of 64. */
const MOST_CHARACTERS = 21

/** A name from words, the most telling first. Whole words only: what does not fit is left out. */
export function nameTool(words: readonly string[], givenName: string | null): string {
  if (givenName !== null && givenName.length <= MOST_CHARACTERS) return own(givenName)
  const parts = [...new Set(words.flatMap((word) => word.split('_')))].filter(
    (part) => /^[a-z][a-z0-9]*$/.test(part) && !/\d/.test(part),
  )
  let name = ''
  for (const part of parts) {
    const longer = name === '' ? part : `${name}_${part}`
    if (longer.length > MOST_CHARACTERS) break
    name = longer
  }
  return own(name.length < 2 ? 'look_up' : name)
}

function own(name: string): string {
  return BUILT_IN_NAMES.includes(name) ? `my_${name}`.slice(0, MOST_CHARACTERS).replace(/_$/, '') : name
}

/** A name that is not taken yet. Adds a number, and leaves out words for it. */
export function untakenName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name) && !BUILT_IN_NAMES.includes(name)) return name
  for (let number = 2; ; number++) {
    const room = MOST_CHARACTERS - String(number).length - 1
    const short = name.length <= room ? name : name.slice(0, name.lastIndexOf('_', room))
    const tried = `${short.length > 1 && short.length <= room ? short : name.slice(0, room)}_${number}`
    if (!taken.has(tried)) return tried
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
export function wordsOfName({ purpose, thing, asked, languages, subject, releases, part }: Request): string[] {
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

export function singular(noun: string): string {
  return /(?:[^su]s)$/.test(noun) && noun.length > 3 ? noun.slice(0, -1) : noun
}

function plural(noun: string): string {
  if (noun === '') return ''
  if (/(?:s|x|ch|sh)$/.test(noun)) return `${noun}es`
  return /[^aeiou]y$/.test(noun) ? `${noun.slice(0, -1)}ies` : `${noun}s`
}
