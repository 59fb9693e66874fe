import type { CustomToolPlan, PlanPlace, PlanStep } from '@docent/contract/values/custom-tool-plan'

/** Names of kinds in the singular and plural, for the first kind of a step. */
const KINDS: Readonly<Record<string, readonly [string, string]>> = {
  setting: ['setting', 'settings'],
  option: ['option', 'options'],
  command: ['command', 'commands'],
  message: ['error code or message', 'error codes and messages'],
  member: ['function, method, type or field', 'members'],
  endpoint: ['endpoint', 'endpoints'],
  schema: ['schema', 'schemas'],
  definition: ['term', 'terms'],
  question: ['common question', 'common questions'],
  release: ['release', 'releases'],
  page: ['page', 'pages'],
  step: ['step', 'steps'],
}

const PARTS: Readonly<Record<string, string>> = {
  breaking: 'the breaking changes',
  deprecated: 'the deprecations',
  removed: 'the removals',
  added: 'the additions',
  fixed: 'the fixes',
  security: 'the security fixes',
}

/** The name for people and the description of a plan, made from what it holds, so that neither can claim more. */
export function describePlan(
  plan: Pick<CustomToolPlan, 'name' | 'steps'>,
): Pick<CustomToolPlan, 'displayName' | 'description'> {
  const name = plan.name.replaceAll('_', ' ')
  const said = `${paraphrase(plan)} Every result has its source.`
  return { displayName: name.charAt(0).toUpperCase() + name.slice(1), description: said.slice(0, 1_000) }
}

/** The work of a plan in a few sentences, made from the plan alone. */
export function paraphrase({
  steps,
  instruction,
}: Pick<CustomToolPlan, 'steps'> & { instruction?: string | undefined }): string {
  const [first] = steps
  if (first === undefined) return ''
  const isOther = ({ when }: PlanStep) => when === 'nothing_found' || when === 'not_named'
  const more = steps.filter((step, at) => at > 0 && !isOther(step)).map(doesOf)
  const others = steps.filter(isOther).map(doesOf)
  const does = [doesOf(first), ...more].join(', and ')
  const sentences = [
    `${does.charAt(0).toUpperCase()}${does.slice(1)}${scopeOf(first)}.`,
    ...(others.length === 0 ? [] : [`If there is none, it ${others.join(' and ')}.`]),
    ...(instruction === undefined
      ? []
      : ['Your words, such as those on form and length, go to the assistant with the result.']),
  ]
  return sentences.join(' ')
}

const ARGUMENT = /\{([a-z0-9_]+)\}/g

/** A template in words: `the given setting`, or the fixed words of the request in quotation marks. */
function wordsOf(value: PlanStep['arguments'][string] | undefined): string {
  const template = Array.isArray(value) ? (value[0] ?? '') : value
  if (template === undefined || typeof template === 'object') return ''
  const text = String(template)
  if (text.endsWith('?')) return `“${text.replaceAll(ARGUMENT, (_, name: string) => `the given ${name}`)}”`
  const given = [...text.matchAll(ARGUMENT)].map(([, name = '']) => `the given ${name.replaceAll('_', ' ')}`)
  const fixed = text.replaceAll(ARGUMENT, '').replaceAll(/\s+/g, ' ').trim()
  return [...(fixed === '' ? [] : [`“${fixed}”`]), ...given].join(' and ')
}

const plain = (value: PlanStep['arguments'][string] | undefined) =>
  typeof value === 'string' && !value.includes('{') ? value : ''

function doesOf({ operation, arguments: args }: PlanStep): string {
  const [one, many] = KINDS[plain(args['kinds']).split(',')[0] ?? ''] ?? ['thing', 'things']
  const list = Array.isArray(args['language']) ? args['language'].at(-1) : args['language']
  const languages = plain(args['languages']) || plain(list)
  const inLanguage = languages === '' ? '' : ` in ${languages.split(',').join(' or ')}`
  switch (operation) {
    case 'find_entries':
      return args['exact'] === true
        ? `looks up the ${one}${inLanguage}${ownerOf(args)} with the name of ${wordsOf(args['name'])}`
        : `looks up the ${one}${inLanguage}${ownerOf(args)} with the name, or for the purpose, of ${wordsOf(args['name'])}`
    case 'list_entries':
      return `lists all ${many}${ownerOf(args)}${args['about'] === undefined ? '' : ` that speak of ${wordsOf(args['about'])}`} in a table`
    case 'compare_entries':
      return `compares ${sidesOf(args)} in a table, one row per property${plain(args['aspects']) === '' ? '' : ` (${plain(args['aspects'])})`}`
    case 'read_releases':
      return releasesOf(args)
    case 'read_checklist':
      return `returns the list of things to check on ${wordsOf(args['query'])} as a checklist${furtherOf(args)}`
    case 'read_steps':
      return `returns the steps of one guide to ${wordsOf(args['query'])}, in order, with their commands${furtherOf(args)}`
    case 'summarize_page':
      return `returns the key sentences of ${plain(args['page']) === '' ? 'the given page' : `the page on ${wordsOf(args['page'])}`}, section by section`
    case 'get_code_examples':
      return `returns code examples${inLanguage} for ${wordsOf(args['task'])}`
    case 'extract_schema':
      return `returns the schema of ${wordsOf(args['name'])} as the source has it`
    case 'summarize_content':
      return `returns the key sentences about ${wordsOf(args['topic'])}`
    case 'search_issues':
      return `searches known issues for ${wordsOf(args['query'])}`
    case 'ask_question':
      return `answers ${wordsOf(args['question'])}`
    case 'query_source':
      return plain(args['tool']) === ''
        ? `searches the source “${plain(args['source'])}”`
        : `calls the tool ${plain(args['tool'])} of the source “${plain(args['source'])}” live`
    case 'get_changelog':
      return 'returns releases from changelogs'
    case 'get_quickstart':
      return 'returns the steps of a guide'
    case 'find_api_reference':
      return `looks up the reference of ${wordsOf(args['name'])}`
    default:
      return `searches for ${wordsOf(args['query'])}`
  }
}

function sidesOf(args: PlanStep['arguments']): string {
  const [first = '', ...others] = [args['first'], args['second'], args['third'], args['fourth']]
    .map(plain)
    .filter(Boolean)
  return first === '' ? 'the given things' : `“${first}” with ${others.map((name) => `“${name}”`).join(' and ')}`
}

const ownerOf = ({ of: owner }: PlanStep['arguments']) => (owner === undefined ? '' : ` of ${wordsOf(owner)}`)

const furtherOf = ({ about }: PlanStep['arguments']) =>
  plain(about) === '' ? '' : `, rather of one that speaks of “${plain(about)}”`

function rangeText(range: PlanStep['arguments'][string]): string {
  if (typeof range !== 'string') return 'the given version'
  if (range.includes('{')) return range.includes('<') ? 'the given version up to the other' : 'the given version'
  return range.replace('>', '').replace(' <=', ' up to ')
}

function releasesOf(args: PlanStep['arguments']): string {
  const { version, range, since, query } = args
  const which =
    version === 'latest'
      ? 'the newest release'
      : version !== undefined
        ? `the release of ${plain(version) === '' ? 'the given version' : `version ${plain(version)}`}`
        : range !== undefined
          ? `the releases after ${rangeText(range)}`
          : since !== undefined
            ? 'the releases since the given day'
            : 'the releases, newest first'
  const part = PARTS[plain(args['part'])]
  const about = query === undefined ? '' : ', only those that speak of the given topic, if there is one'
  return `returns ${part === undefined ? which : `${part} of ${which}`}${about}`
}

/** The restrictions of a step: `, only from “Harbor Wiki”, never from pages under /legacy`. */
function scopeOf({ filters }: PlanStep): string {
  if (filters === undefined) return ''
  const { source, type, path, version, anyOf = [], not = [] } = filters
  const own = source === undefined && type === undefined && path === undefined ? [] : [placeOf({ source, type, path })]
  const allowed = [...own, ...(anyOf.length > 0 ? [anyOf.map(placeOf).join(' or ')] : [])]
  return [
    ...(allowed.length > 0 ? [`, only from ${allowed.join(' and ')}`] : []),
    ...(version === undefined ? [] : [`, only for version ${version}`]),
    ...(not.length > 0 ? [`, never from ${not.map(placeOf).join(' or ')}`] : []),
  ].join('')
}

function placeOf({ source, type, path }: { [Key in keyof PlanPlace]?: PlanPlace[Key] | undefined }): string {
  const pages = path === undefined ? '' : `pages ${path.includes('*') ? 'at' : 'under'} ${path}`
  const from =
    source === undefined
      ? type === undefined
        ? ''
        : `sources of type ${type}`
      : `“${source.replace(/^https?:\/\//, '')}”`
  return [pages, from].filter(Boolean).join(' of ')
}
