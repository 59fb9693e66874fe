import { createHash } from 'node:crypto'
import { BUILT_IN_TOOLS } from '@docent/contract/values/tools'
import type { Kind } from './kinds.ts'
import type { Parts } from './plan-subject.ts'
import type { Request } from './read-prompt.ts'

/** Characters of a tool name: clients add long prefixes to a limit of 64. */
const MOST_CHARACTERS = 21
const PROMPT_CHARACTERS = 300

const VERBS: Record<Kind, string> = {
  checklist: 'checklist',
  compare: 'compare',
  changes: 'upgrade',
  glossary: 'define',
  examples: 'examples',
  schema: 'schema',
  trouble: 'troubleshoot',
  summary: 'summarize',
  issues: 'find_issues',
  howto: 'how_to',
  reference: 'look_up',
  find: 'find',
  answer: 'answer',
}

type Words = { does: string; use: string }

const DESCRIPTIONS: Record<Kind, (of: string, what: string) => Words> = {
  checklist: (of, what) => ({
    does: `Makes a checklist for ${a(what)}${of}, each point with its source`,
    use: 'before carrying something out',
  }),
  compare: (of, what) => ({
    does: `Compares two ${plural(what)}${of} side by side, with sources`,
    use: 'to decide between two of them',
  }),
  changes: (of) => ({
    does: `Lists what changed${of}, with breaking changes and how to adapt`,
    use: 'before an upgrade, or to learn what is new',
  }),
  glossary: (of, what) => ({
    does: `Explains ${a(what)}${of} in a few sentences, with its source`,
    use: 'when a word is not clear',
  }),
  examples: (of) => ({
    does: `Returns code examples${of} for a task, with their sources`,
    use: 'when about to write code or configuration',
  }),
  schema: (of) => ({
    does: `Returns the definition of a type, option or message${of}`,
    use: 'before writing code that reads or writes it',
  }),
  trouble: (of, what) => ({
    does: `Finds the cause and the fix of ${a(what)}${of}, with sources`,
    use: 'when something fails',
  }),
  summary: (of, what) => ({
    does: `Sums up in a few points what the documentation${of} says about ${a(what)}`,
    use: 'for an overview',
  }),
  issues: (of) => ({
    does: `Finds known issues${of} and what maintainers answered`,
    use: 'when something may be a known problem',
  }),
  howto: (of, what) => ({
    does: `Explains step by step how to do ${a(what)}${of}, with commands and sources`,
    use: 'to carry something out',
  }),
  reference: (of, what) => ({
    does: `Looks up ${a(what)}${of}${what === 'name' ? '' : ' by name'} and returns its reference with sources`,
    use: 'when the name is known',
  }),
  find: (of, what) => ({
    does: `Finds what fits ${a(what)}${of}, best first, with sources`,
    use: 'to find out what there is',
  }),
  answer: (of) => ({
    does: `Answers questions${of} from the documentation, every statement with its source`,
    use: 'for questions in plain words',
  }),
}

/** Name and description of a tool, from the request alone: nothing of the sources is in them. */
export function nameTool(
  request: Request,
  parts: Parts,
  prompt: string,
): { name: string; displayName: string; description: string } {
  const noun = nounOf(request, parts)
  const name =
    request.givenName !== null && request.givenName.length <= MOST_CHARACTERS
      ? request.givenName
      : generatedName(request, noun)
  const of = request.products.length > 0 ? ` (${request.products.slice(0, 3).join(', ')})` : ''
  const { does, use } = DESCRIPTIONS[request.kind](of, noun.replaceAll('_', ' '))
  return {
    name: isBuiltIn(name) ? shortened(`my_${name}`) : name,
    displayName: capitalised(name.replaceAll('_', ' ')),
    description: `${does}. Use it ${use}.${purpose(prompt)}`,
  }
}

/** A name that is not taken yet. Adds a number, and shortens the rest for it. */
export function untakenName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name) && !isBuiltIn(name)) return name
  for (let number = 2; ; number++) {
    const tried = `${name.slice(0, MOST_CHARACTERS - String(number).length - 1)}_${number}`
    if (!taken.has(tried)) return tried
  }
}

function isBuiltIn(name: string): boolean {
  return BUILT_IN_TOOLS.some((tool) => tool.name === name)
}

/** The noun in the name: the thing that the tool looks up. */
function nounOf({ entities, kind }: Request, parts: Parts): string {
  const [first] = parts.arguments
  const noun = entities[0] ?? (kind === 'compare' ? 'subject' : (first?.name ?? 'topic'))
  return noun.replace(/_name$/, '')
}

function generatedName({ kind, products, languages }: Request, noun: string): string {
  const product = slug(products[0] ?? '')
  const of =
    kind === 'compare'
      ? plural(noun)
      : kind === 'examples'
        ? languages.length === 1
          ? (languages[0] ?? '')
          : ''
        : noun
  const named = kind === 'changes' || kind === 'issues' || kind === 'answer' ? product : slug(of)
  const long = [VERBS[kind], ...(named === product ? [] : [product]), named].filter(Boolean).join('_')
  const short = [VERBS[kind], named].filter(Boolean).join('_')
  const fitting = [long, short].find((each) => each.length <= MOST_CHARACTERS && each.length > 2)
  return fitting ?? shortened(long)
}

/** Ends in a hash of the whole, so that two long names stay different. */
function shortened(name: string): string {
  if (name.length <= MOST_CHARACTERS) return name
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 4)
  return `${name.slice(0, MOST_CHARACTERS - 5).replace(/_$/, '')}_${hash}`
}

function slug(text: string): string {
  const ascii = text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
  return ascii.replace(/^[_0-9]+/, '').replace(/(?<!_)_+$/, '')
}

/** The request itself: no words describe the tool better. Left out if it is long or has an address. */
function purpose(prompt: string): string {
  const line = prompt.replaceAll(/\s+/g, ' ').trim()
  return line.length > PROMPT_CHARACTERS || /https?:/i.test(line)
    ? ''
    : ` Made for: ${line.replace(/(?<![.!?])[.!?]+$/, '')}.`
}

function a(noun: string): string {
  return `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`
}

function plural(noun: string): string {
  if (/(?:s|x|ch|sh)$/.test(noun)) return `${noun}es`
  return /[^aeiou]y$/.test(noun) ? `${noun.slice(0, -1)}ies` : `${noun}s`
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
