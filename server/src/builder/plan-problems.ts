import type { PlanStep } from '@docent/contract/values/custom-tool-plan'
import type { Item } from '#grammar/item.ts'
import { paraphrase } from './describe-plan.ts'
import { designPlan } from './design-plan.ts'
import type { Refusal } from './read-action.ts'
import type { Restriction } from './read-restriction.ts'
import type { Request } from './read-request.ts'
import type { RemoteTool, Survey, Trial } from './survey.ts'

/** A request as understood. `request` is null if only a remote tool fits. */
export type Understood = {
  request: Request | null
  remote: RemoteTool | null
  restriction: Restriction
  /** Negations and the like of something that no filter can leave out, as written. */
  lost: readonly string[]
  /** Folders with names like those that the request names and the content lacks. */
  nearest: readonly string[]
  /** The pages that the request lists or searches: `guides`. Null if there are none; undefined for any. */
  pages: PlanStep['filters'] | null
  survey: Survey | null
  /** The request without its restrictions, examples and reasons. */
  sentences: readonly (readonly Item[])[]
  topic: string
  prompt: string
}

/** Versions of releases are arguments of the look-up, not pages of a version. */
export function filtersFor({ request, restriction: { filters }, pages }: Understood): PlanStep['filters'] {
  if (pages && filters?.path === undefined) return { ...pages, ...filters }
  if (request?.purpose !== 'changes' || filters === undefined) return filters
  const { version: _, ...rest } = filters
  return Object.keys(rest).length > 0 ? rest : undefined
}

export function unknownOf(request: Request | null, survey: Survey | null): string[] {
  const unknown = new Set(survey?.unknownWords)
  return [...new Set(request?.unread.flatMap(({ key, text }) => (unknown.has(key) ? text : [])))]
}

/** Example requests for messages, which work on most documentation. */
const SUGGESTION = 'such as “Look up a setting by its name and explain what it does” or “Show code examples for a task”'

/** The refusal of a request with a part that no tool can carry out: what was understood, the part, and a question. */
export function actionProblem({ text, why, isWhole }: Refusal, understood: Understood): string {
  const { request, restriction, survey } = understood
  const reasons = {
    action: 'A tool only looks things up and answers; it cannot',
    unknown: 'A tool only looks things up and answers; it does not know how to',
    trigger: 'A tool answers when it is called; it cannot do anything',
    outside: 'A tool reads only the sources of its server, not',
    forbidden: 'A tool always cites its sources and keeps to its instructions; it cannot follow',
  }
  const rest = `${reasons[why]} “${text}”.`
  if (request === null || isWhole || why === 'forbidden')
    return `${rest} Describe what it should look up, ${SUGGESTION}.`
  const { plan } = designPlan(request, { survey, filters: filtersFor(understood), versions: restriction.versions })
  return `Understood: ${paraphrase(plan)} ${rest} Is the first part enough? Then send the request without the other.`
}

/** Why no tool can be made for a request from this content, as a sentence that says what to write instead; or null. */
export function contentProblem(understood: Understood): string | null {
  const { request, remote, survey } = understood
  if (survey?.pages === 0)
    return 'The sources have no indexed pages yet. Wait until they are indexed, then send the request again.'
  if (remote !== null)
    return remote.isCallable
      ? null
      : `The remote tool “${remote.name}” does not say that it only reads, so no tool can call it.`
  const restricted = restrictionProblem(understood)
  if (request === null)
    return (
      restricted ??
      `It is not clear what the tool should look up. Name a thing and what to say about it, ${SUGGESTION}.`
    )
  return survey === null ? null : (restricted ?? thingProblem(request, understood, survey))
}

function restrictionProblem({ request, restriction, nearest, survey }: Understood): string | null {
  const { unread: written, unknownVersion, preference, stray } = restriction
  const unread = written ?? (request?.purpose === 'changes' ? null : unknownVersion)
  if (preference !== null)
    return `A tool uses the sources that it may use alike, so it cannot “${preference}”. Should it use only those? Then write “only from …”.`
  if (unread === null && stray !== null)
    return `It is not clear what “${stray}” is for. Should the tool use only that? Then write “only from …”. Should it leave that out? Then write “never from …”.`
  if (unread === null) return null
  const names = survey?.sources.map(({ label, url }) => label ?? url) ?? []
  const known = nearest.length > 0 ? ` Similar folders are ${listed(nearest)}.` : ''
  return `No source, page or version matches “${unread}”. The sources are ${listed(names)}.${known} Which of them is meant?`
}

function thingProblem(request: Request, { pages }: Understood, survey: Survey): string | null {
  const { purpose, thing, languages, unread, asked } = request
  const { has: exists, languages: known } = survey
  if (purpose === 'issues' && !exists.issues)
    return 'The sources have no issues. Add the repository of the project (type repo), whose issues are read, or ask for a tool that searches the documentation.'
  if (purpose === 'changes' && !exists.changes)
    return 'The sources have no changelog, release notes or migration guide. Add the repository of the project (type repo), or ask for a tool that searches the documentation.'
  if (purpose === 'examples' && known.length === 0)
    return 'The sources contain no code. Ask for a tool that explains, looks up or summarises instead.'
  const isOfCode = purpose === 'examples' || thing === 'method' || thing === 'function' || thing === 'class_name'
  const missing = (isOfCode ? languages : []).filter((language) => !known.some((each) => isLanguage(each, language)))
  if (missing.length > 0 && missing.length === languages.length)
    return `The sources have no code in ${listed(missing)}${known.length > 0 ? `, but in ${listed(known.slice(0, 8))}` : ''}. Which language is meant?`
  const unknown = unknownOf(request, survey)
  // `The rules of the X` are not all rules.
  const isAll = [request.subject, request.owner].every((word) => word === '') && asked.length === 0
  const narrowing = isAll ? unknown : request.narrowing.filter((word) => unknown.includes(word))
  if (purpose === 'list' && narrowing.length > 0)
    return `The sources do not have the words ${listed(narrowing)}, so nothing can be listed by them. Leave them out, or use the words of the sources.`
  if (purpose === 'list' && pages === null)
    return `No address of a page says that it is one of the “${request.noun}”. Name a path or a source instead, or ask for all pages.`
  const names = unread.filter(({ isName }) => isName)
  const strange = names.filter(({ text }) => unknown.includes(text)).map(({ text }) => text)
  // `A KQ error`: codes begin with it.
  if (strange.length > 0 && strange.length === names.length && thing !== 'error' && thing !== 'error_code')
    return `The sources say nothing about ${listed(strange)}. Add a source about ${strange.length === 1 ? 'it' : 'them'}, or describe the tool with words that the sources use.`
  // Without a kind of thing, the words of the request are all that is known about it. An input can have any name.
  const isByWord = thing === null && (purpose === 'look_up' || purpose === 'list' || purpose === 'pages')
  const isText = asked.some((each) => each.isText)
  return isByWord && !isText && unread.length > 0 && isMostly(unread, unknown)
    ? `The sources say nothing about ${listed(unknown)}. Describe the tool with words that they use, ${SUGGESTION}.`
    : null
}

/** True if more than half of the words are unknown. */
const isMostly = (words: Request['unread'], unknown: readonly string[]): boolean =>
  words.filter(({ text }) => unknown.includes(text)).length * 2 > words.length

const ALIASES: Readonly<Record<string, string>> = {
  py: 'python',
  js: 'javascript',
  ts: 'typescript',
  sh: 'bash',
  rs: 'rust',
  rb: 'ruby',
  cs: 'csharp',
}

function isLanguage(known: string, wanted: string): boolean {
  return known === wanted || ALIASES[known] === wanted
}

/** Why trial calls show that a plan does not work; or null. Half of the calls must do what the request says. */
export function trialProblem(trials: readonly Trial[]): string | null {
  const bad = trials.filter(({ problem }) => problem !== null)
  if (trials.length > 0 && bad.length * 2 <= trials.length) return null
  const [failed] = bad
  if (failed === undefined)
    return `The sources have nothing to try it with. Say more precisely what it should look up and where, ${SUGGESTION}.`
  const input = Object.values(failed.input).join(', ').slice(0, 120)
  const call = input === '' ? 'A trial call' : `A trial call with “${input}”`
  return `${call} failed: ${failed.problem} Say more precisely what it should look up and where, ${SUGGESTION}.`
}

export function listed(words: readonly string[]): string {
  const quoted = words.slice(0, 4).map((word) => `“${word}”`)
  return quoted.join(', ')
}
