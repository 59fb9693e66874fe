import type { CustomToolPlan, PlanArgument, PlanStep } from '@docent/contract/values/custom-tool-plan'
import { isInjection } from '#answer/injections.ts'
import type { Draft, Role } from '#builder/survey.ts'
import { findReleases } from '#documents/changelog/find-releases.ts'
import { partOfRelease, type ReleasePart } from '#documents/changelog/part-of-release.ts'
import { listEntries } from '#documents/entries/list-entries.ts'
import { entriesOf, isOfKind } from '#documents/entries/find-entries.ts'
import { addressPath, withoutSection } from '#lib/addresses/page-address.ts'
import { compareVersions } from '#lib/text/version.ts'
import type { EntryText } from '#documents/entries/read-entry.ts'
import type { EntryKind } from '#documents/model/document.ts'
import type { ToolContext } from '../definition/tool.ts'
import { restrictContext } from './restrict-context.ts'

/** Trial calls of a plan. Fewer if the content has fewer names. */
const TRIALS = 3
const MOST_PAGES = 60
const MOST_VALUES = 40
const MOST_CHARACTERS = 80

type Values = Record<Role, string[]> & { pairs: [owner: string, name: string][] }

/** Inputs for trial calls: names, headings and versions of the content that the plan may use, never made up. */
export async function chooseInputs(
  context: ToolContext,
  { plan, roles, topic }: Draft & { topic: string },
  signal?: AbortSignal,
): Promise<Record<string, unknown>[]> {
  const { properties, required = [] } = plan.inputSchema
  if (required.length === 0) return [{}]
  const values = await valuesOf(context, plan, topic, signal)
  const pairs = required.filter((name) => roles[name] === 'name')
  // `--force` of `push`: two names are of one thing and what it belongs to.
  if (pairs.length === 2 && values.pairs.length > 0 && plan.steps[0]?.operation === 'find_entries')
    return values.pairs.slice(0, TRIALS).map(([owner, name]) => ({ [pairs[0] ?? '']: owner, [pairs[1] ?? '']: name }))
  const inputs = Array.from({ length: TRIALS }, (_, trial) =>
    Object.fromEntries(
      required.map((name, position) => {
        const argument = properties[name]
        const role = roles[name] ?? roleOf(name, argument)
        // Two arguments of the same kind get different values.
        return [name, argument && valueOf({ name, argument, role }, values, { trial, at: trial + position })]
      }),
    ),
  ).filter((input) => Object.values(input).every((value) => value !== undefined))
  return [...new Map(inputs.map((input) => [JSON.stringify(input), input])).values()]
}

/** The role of an argument in a plan that a model drafted. */
function roleOf(name: string, argument: PlanArgument | undefined): Role {
  if (argument?.enum) return 'choice'
  if (/version|release/.test(name)) return 'version'
  return /since|date|day/.test(name) ? 'day' : 'text'
}

function valueOf(
  { name, argument, role }: { name: string; argument: PlanArgument; role: Role },
  values: Values,
  { trial, at }: { trial: number; at: number },
): unknown {
  if (argument.type === 'integer') return argument.minimum ?? 1
  if (argument.type === 'boolean') return true
  if (argument.enum) return argument.enum[trial % argument.enum.length]
  if (role === 'day') return '2000-01-01'
  if (role === 'version') return versionFor(name, values.version, trial)
  const own = values[role]
  const shown = own.length > 0 ? own : role === 'name' || role === 'owner' ? [] : values.text
  return shown[at % Math.max(1, shown.length)]?.slice(0, argument.maxLength ?? 300)
}

/** The whole span of versions in the first trial, and neighbours after that. `newestFirst` is sorted. */
function versionFor(name: string, newestFirst: readonly string[], trial: number): string | undefined {
  if (/^(?:from|old|current|since)/.test(name)) return '0.0.0'
  return newestFirst[trial]
}

async function valuesOf(
  context: ToolContext,
  plan: CustomToolPlan,
  topic: string,
  signal: AbortSignal | undefined,
): Promise<Values> {
  const [step] = plan.steps
  const none: Values = { name: [], owner: [], text: [], version: [], day: [], page: [], choice: [], pairs: [] }
  if (step === undefined) return none
  const limited = await restrictContext(context, step.filters ?? {})
  if ('missing' in limited) return none
  const { library, search } = limited.context
  const code = codeWanted(step)
  const all = await library.all()
  const passagesOf = async (query: string) =>
    query === '' ? [] : (await search({ query, limit: 20, budget: 40_000, ...code }, signal)).passages
  const near = await passagesOf(topic)
  const titled = () => all.slice(0, MOST_PAGES).map(({ title }) => title)
  // Code about the topic may be missing where the request speaks of its form.
  const found = near.length === 0 && code !== undefined ? await passagesOf(titled().join(' ')) : near
  const best = await library.pagesAt([...new Set(found.map(({ url }) => withoutSection(url)))])
  const different = new Map([...best, ...all].map((page) => [`${page.sourceId} ${page.url}`, page]))
  const pages = await library.open([...different.values()].slice(0, MOST_PAGES))
  const { kinds, of: owner } = step.arguments
  const wanted = typeof kinds === 'string' ? (kinds.split(',') as EntryKind[]) : []
  const isOwned = step.operation === 'find_entries' && typeof owner === 'string'
  const listed = isOwned
    ? (await listEntries(limited.context, { kinds: wanted, owner, scope: {} }, signal)).entries
    : pages.flatMap((page) => entriesOf(page, wanted))
  const entries = wanted.length === 0 ? [] : listed.filter(({ isDeclared }) => isDeclared)
  const headings = found.map(({ title, headings: path }) => path.at(-1) ?? title)
  const part = step.arguments['part'] as ReleasePart | undefined
  const releases = step.operation === 'read_releases' ? await findReleases(library, {}) : null
  const told = releases === null || typeof releases === 'string' ? [] : releases.found
  const notes = told.filter(({ text }) => part === undefined || partOfRelease(text, part) !== '')
  const versions = notes.flatMap(({ version }) => version ?? []).toSorted((one, other) => compareVersions(other, one))
  const titles = pages.flatMap(({ title }) => (IDENTIFIER.test(title) ? title : []))
  const named = wanted.length > 0 ? entries : pages.flatMap((page) => entriesOf(page, ANY_NAME))
  const ownerOf = ({ heading, page, name }: EntryText) =>
    heading.split(' › ').findLast((each) => each !== '' && each !== name && !GENERAL.test(each)) ??
    page.title.replace(/\(\d\w*\)$/, '')
  const sure = step.arguments['exact'] === true ? named.filter((entry) => isOfKind(entry, wanted)) : named
  const names = plain(sure.map(({ name }) => name.replace(PLACEHOLDER, ''))).filter((name) => !GENERAL.test(name))
  const owners = plain(entries.map(ownerOf)).filter((name) => !GENERAL.test(name))
  const inNotes = notes.flatMap(({ text }) => [...text.matchAll(CODE)].map(([, code = '']) => code))
  return {
    ...none,
    name:
      names.length > 0
        ? // Headings are rarely what callers name.
          [...names.filter((each) => IDENTIFIER.test(each)), ...names.filter((each) => !IDENTIFIER.test(each))]
        : plain(
            step.when === undefined && plan.steps.length > 1 && step.arguments['exact'] === true ? headings : titles,
          ),
    // `Status codes of an endpoint` that no list has: the plan looks up the endpoint.
    owner: owners.length > 0 ? owners : plain(pages.flatMap((page) => entriesOf(page, OWNERS)).map(({ name }) => name)),
    pairs: entries
      .map((entry): [string, string] => [ownerOf(entry), entry.name.split(', ', 1)[0] ?? ''])
      .filter(([owner]) => !GENERAL.test(owner)),
    text: plain([
      ...inNotes,
      ...(step.operation === 'list_entries' ? names : []),
      ...headings,
      // Most pages have no code.
      ...(code !== undefined && headings.length > 0 ? [] : pages.map(({ title }) => title)),
    ]),
    page: plain(pages.map(({ url }) => addressPath(url))),
    version: plain(versions.map(({ text }) => text)),
  }
}

/** Kinds of things whose names callers give, for a noun that no vocabulary has. */
const ANY_NAME: readonly EntryKind[] = ['member', 'command', 'setting', 'definition']
const OWNERS: readonly EntryKind[] = ['endpoint', 'command', 'schema']
/** `--port NUMBER` */
const PLACEHOLDER = / <?[A-Z][A-Z_]+>?$/
/** Names in notes of releases. */
const CODE = /`([\w.-]{3,60})`/g
/** A title that is a name: `max_threads`, `no-unused-vars`. */
const IDENTIFIER = /^[\w$@][\w$@.:/()-]{2,60}$/
/** Headings that any documentation has. */
const GENERAL =
  /^(?:see also|examples?|usage|overview|introduction|description|syntax|parameters?|arguments?|options?|notes?|returns?|returned values?|further reading|related|resources|configuration|details|table of contents|next steps|name|synopsis|more|version|history|author|files|bugs|copyright)$/i

/** Trial calls for code need passages with code. */
function codeWanted({ operation, arguments: { language } }: PlanStep): { code: string | true } | undefined {
  if (operation !== 'get_code_examples') return undefined
  const last = Array.isArray(language) ? language.at(-1) : language
  return { code: typeof last === 'string' && !last.includes('{') ? last : true }
}

/** They are shown in messages. */
function plain(values: readonly string[]): string[] {
  const cleaned = values.map((value) => value.replaceAll(/[`*]/g, '').trim())
  const shown = cleaned.filter((value) => value !== '' && value.length <= MOST_CHARACTERS && !isInjection(value))
  return [...new Set(shown)].slice(0, MOST_VALUES)
}
