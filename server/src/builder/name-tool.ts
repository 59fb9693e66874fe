import { createHash } from 'node:crypto'
import { BUILT_IN_TOOLS } from '@docent/contract/values/tools'
import { fold } from '#grammar/tokenise.ts'
import tools from './kinds.json' with { type: 'json' }
import type { Request } from './read-request.ts'

/** Characters of a tool name: clients add long prefixes to a limit of 64. */
const MOST_CHARACTERS = 21
const PROMPT_CHARACTERS = 300

/** Name and description of a tool, from the request alone: nothing of the sources is in them. */
export function nameTool(request: Request, firstArgument: string, prompt: string) {
  const { kind, products, entities, givenName } = request
  // The thing that the tool looks up.
  const noun = (entities[0] ?? (kind === 'compare' ? 'subject' : firstArgument)).replace(/_name$/, '')
  const name = givenName !== null && givenName.length <= MOST_CHARACTERS ? givenName : generatedName(request, noun)
  const said = noun.replaceAll('_', ' ')
  const { does, use } = tools.kinds[kind]
  const described = does
    .replace('{of}', products.length > 0 ? ` (${products.slice(0, 3).join(', ')})` : '')
    .replace('{a noun}', `${/^[aeiou]/.test(said) ? 'an' : 'a'} ${said}`)
    .replace('{nouns}', plural(said))
  return {
    name: isBuiltIn(name) ? shortened(`my_${name}`) : name,
    displayName: name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' '),
    description: `${described}. Use it ${use}.${purpose(prompt)}`,
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

function generatedName({ kind, products, languages }: Request, noun: string): string {
  const { verb } = tools.kinds[kind]
  const product = slug(products[0] ?? '')
  const named = () => {
    if (kind === 'changes' || kind === 'issues' || kind === 'answer') return product
    if (kind === 'examples') return languages.length === 1 ? slug(languages[0] ?? '') : ''
    return slug(kind === 'compare' ? plural(noun) : noun)
  }
  const long = [...new Set([verb, product, named()])].filter(Boolean).join('_')
  const short = [verb, named()].filter(Boolean).join('_')
  return [long, short].find((each) => each.length <= MOST_CHARACTERS) ?? shortened(long)
}

/** Ends in a hash of the whole, so that two long names stay different. */
function shortened(name: string): string {
  if (name.length <= MOST_CHARACTERS) return name
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 4)
  return `${name.slice(0, MOST_CHARACTERS - 5).replace(/_$/, '')}_${hash}`
}

function slug(text: string): string {
  const ascii = fold(text).replace(/[^a-z0-9]+/g, '_')
  return ascii.replace(/^[_0-9]+/, '').replace(/(?<!_)_+$/, '')
}

/** The request itself: no words describe the tool better. Left out if it is long or has an address. */
function purpose(prompt: string): string {
  const line = prompt.replaceAll(/\s+/g, ' ').trim()
  return line.length > PROMPT_CHARACTERS || /https?:/i.test(line)
    ? ''
    : ` Made for: ${line.replace(/(?<![.!?])[.!?]+$/, '')}.`
}

function plural(noun: string): string {
  if (/(?:s|x|ch|sh)$/.test(noun)) return `${noun}es`
  return /[^aeiou]y$/.test(noun) ? `${noun.slice(0, -1)}ies` : `${noun}s`
}
