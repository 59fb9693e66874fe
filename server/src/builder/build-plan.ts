import type { CustomToolPlan, PlanStep } from '@docent/contract/values/custom-tool-plan'
import type { ChatModel } from '#models/chat-model.ts'
import { describePlan, paraphrase } from './describe-plan.ts'
import { designPlan, designRemote, withFilters } from './design-plan.ts'
import { draftByModel, type DraftDeps } from './draft-by-model.ts'
import { untakenName } from './name-tool.ts'
import { findAction, type Refusal } from './read-action.ts'
import { type Piece, readSentences, withoutAsides } from './read-pieces.ts'
import { readRequest, type Request } from './read-request.ts'
import { fold } from '#grammar/tokenise.ts'
import { type LookUpPlaces, readWithPlaces } from '#grammar/read-with-places.ts'
import { isProduct, pagesCalled, readRestriction, type Restriction } from './read-restriction.ts'
import type { Draft, RemoteTool, Survey, Trial } from './survey.ts'

export type Stage = 'reading' | 'designing' | 'validating'

/** The indexed content that a tool is designed for. */
export type Content = {
  /** Description of the content in messages, such as "2 sources". */
  about: string
  survey(topic: string, signal?: AbortSignal): Promise<Survey>
  lookUp: LookUpPlaces
  tryPlan(draft: Draft & { topic: string }, signal?: AbortSignal): Promise<Trial[]>
}

export type PlanDeps = Pick<DraftDeps, 'checkPlan' | 'onFailure'> & {
  /** Null: there is no content yet. The plan is then only checked against the schema. */
  content: Content | null
  /** Drafts the plan, if one is configured. The rules are the fallback. */
  model: ChatModel | null
  taken: ReadonlySet<string>
  onProgress: (stage: Stage, message: string) => void | Promise<void>
}

/** A finished plan, or why there is none, as a sentence for the person who asked. */
export type Built = { plan: CustomToolPlan } | { problem: string }

/** A request as understood. `request` is null if only a remote tool fits. */
type Understood = {
  request: Request | null
  remote: RemoteTool | null
  restriction: Restriction
  /** Folders with names like those that the request names and the content lacks. */
  nearest: readonly string[]
  /** The pages that the request lists or searches: `guides`. Null if there are none; undefined for any. */
  pages: PlanStep['filters'] | null
  survey: Survey | null
  topic: string
  prompt: string
}

const EMPTY: Omit<Survey, 'pages'> = {
  sources: [],
  languages: [],
  versions: [],
  has: { changes: true, issues: true },
  paths: [],
  pageVersions: [],
  unknownWords: [],
  remoteTools: [],
}

/** Designs the plan of a tool from a request in plain words, and tries it on the content. */
export async function buildPlan(deps: PlanDeps, prompt: string, signal?: AbortSignal): Promise<Built> {
  const { content, onProgress } = deps
  const sentences = readSentences(prompt)
  const topic = topicOf(prompt, sentences)
  await onProgress(
    'reading',
    content === null ? 'There is no indexed content to read yet.' : `Reading ${content.about}.`,
  )
  const survey = content === null ? null : await content.survey(topic, signal)
  signal?.throwIfAborted()
  const lookUp = content?.lookUp ?? (async () => null)
  const { sources, pageVersions } = survey ?? EMPTY
  const { read: restriction, nearest } = await readWithPlaces(
    (places) => readRestriction(prompt, { sources, pageVersions, places }),
    lookUp,
  )
  const isFree = ({ start, end }: Piece) => restriction.spans.every((span) => end <= span.start || start >= span.end)
  const whole = sentences.map((sentence) => sentence.filter(isFree)).filter(({ length }) => length > 0)
  const free = whole.map(withoutAsides)
  const read = readRequest(prompt, free)
  const hasAsides = whole.flat().length > free.flat().length
  const request = read && {
    ...read,
    subject: known(read.subject, survey),
    // All entries of a product are no narrower than all entries.
    owner: isProduct(read.owner, sources) ? '' : read.owner,
    hasInstruction: read.hasInstruction || hasAsides,
  }
  const isOfPages = request?.thing === 'page' && (request.purpose === 'list' || request.purpose === 'pages')
  const { read: pages } = isOfPages
    ? await readWithPlaces((places) => pagesCalled(request.noun, { sources, pageVersions, places }), lookUp)
    : { read: undefined }
  const remote =
    request !== null && request.thing !== null && request.purpose !== 'look_up' ? null : remoteToolOf(free, survey)
  const understood: Understood = { request, remote, restriction, nearest, pages, survey, topic, prompt }
  const action = findAction(prompt, free)
  const problem = action ? actionProblem(action, understood) : contentProblem(understood)
  if (problem !== null) return { problem }

  let failure = ''
  for await (const draft of drafts(deps, understood, signal)) {
    const plan = withWords(draft.plan, understood)
    const checked = deps.checkPlan({ ...plan, name: untakenName(plan.name, deps.taken) })
    if ('problem' in checked) {
      failure = `${checked.problem} Describe the tool in other words.`
      continue
    }
    await onProgress('designing', `Understood: ${paraphrase(checked.plan)}${leftOutOf(checked.plan)}`)
    const trouble = await validate(deps, { ...draft, plan: checked.plan, topic }, survey, signal)
    signal?.throwIfAborted()
    if (trouble === null) return { plan: checked.plan }
    failure = `Understood: ${paraphrase(checked.plan)} ${trouble}`
  }
  return { problem: failure }
}

/** The words of a subject that some page has. Others would find nothing. */
function known(subject: string, survey: Survey | null): string {
  const unknown = new Set(survey?.unknownWords)
  return subject
    .split(' ')
    .filter((word) => !unknown.has(fold(word)))
    .join(' ')
}

/** The words of a request that may be about the content: those that no vocabulary has. */
function topicOf(prompt: string, sentences: readonly (readonly Piece[])[]): string {
  const unread = sentences.flat().filter(({ roles, kind }) => roles.size === 0 && kind === 'word')
  return [...new Set(unread.map(({ start, end }) => prompt.slice(start, end)))].slice(0, 24).join(' ')
}

/** The remote tool that a request names: by its name, or by a source that is a remote server. */
function remoteToolOf(sentences: readonly (readonly Piece[])[], survey: Survey | null): RemoteTool | null {
  const words = new Set(sentences.flat().flatMap(({ key }) => key.split(/[ _.-]/)))
  const named = (survey?.remoteTools ?? []).filter(({ name }) =>
    name
      .toLowerCase()
      .split(/[_.-]+/)
      .every((word) => words.has(word)),
  )
  const [longest] = named.toSorted((one, other) => other.name.length - one.name.length)
  return longest ?? null
}

/** The model's draft first, if there is a model, then that of the rules. */
async function* drafts(
  { model, checkPlan, onFailure }: PlanDeps,
  understood: Understood,
  signal: AbortSignal | undefined,
): AsyncGenerator<Draft> {
  const { request, remote, restriction, survey, prompt } = understood
  const filters = filtersFor(understood)
  if (remote !== null) yield designRemote(request, remote)
  if (remote === null && model !== null) {
    const plan = await draftByModel({ model, checkPlan, onFailure }, { prompt, survey }, signal)
    if (plan !== null) {
      const limited = withFilters(plan, filters)
      yield { plan: { ...limited, description: describePlan(limited).description }, roles: {} }
    }
  }
  if (remote === null && request !== null)
    yield designPlan(request, { survey, filters, versions: restriction.versions })
}

/** Versions of releases are arguments of the look-up, not pages of a version. */
function filtersFor({ request, restriction: { filters }, pages }: Understood): PlanStep['filters'] {
  if (pages && filters?.path === undefined) return { ...pages, ...filters }
  if (request?.purpose !== 'changes' || filters === undefined) return filters
  const { version: _, ...rest } = filters
  return Object.keys(rest).length > 0 ? rest : undefined
}

/** Adds the words for the assistant, and those that no source has. */
function withWords(plan: CustomToolPlan, { request, survey, prompt }: Understood): CustomToolPlan {
  const unknown = unknownOf(request, survey)
  return {
    ...plan,
    ...(request?.hasInstruction || unknown.length > 0 ? { instruction: prompt.trim() } : {}),
    ...(unknown.length > 0 ? { leftOut: unknown } : {}),
  }
}

function unknownOf(request: Request | null, survey: Survey | null): string[] {
  const unknown = new Set(survey?.unknownWords)
  return [...new Set(request?.unread.flatMap(({ key, text }) => (unknown.has(key) ? text : [])))]
}

function leftOutOf({ leftOut = [] }: CustomToolPlan): string {
  return leftOut.length === 0 ? '' : ` No source has the words ${listed(leftOut)}: only the assistant can use them.`
}

async function validate(
  { content, onProgress }: PlanDeps,
  draft: Draft & { topic: string },
  survey: Survey | null,
  signal: AbortSignal | undefined,
): Promise<string | null> {
  if (content === null || survey === null) {
    await onProgress('validating', 'Checked the plan against the schema. There is no indexed content to try it on.')
    return null
  }
  const isRemote = draft.plan.steps.some(({ arguments: { tool } }) => tool !== undefined)
  if (isRemote) {
    await onProgress('validating', 'The remote server lists the tool, and says that it only reads. It was not called.')
    return null
  }
  const trials = await content.tryPlan(draft, signal)
  const given = trials.map(({ input }) => Object.values(input).join(' and ')).filter(Boolean)
  const shown = given.map((input) => `“${input.slice(0, 60)}”`).join(', ')
  await onProgress('validating', `Tried the tool with ${shown || 'no input'}.`)
  return trialProblem(trials)
}

/** Example requests for messages, which work on most documentation. */
const SUGGESTION = 'such as “Look up a setting by its name and explain what it does” or “Show code examples for a task”'

/** The refusal of a request with a part that no tool can carry out: what was understood, the part, and a question. */
function actionProblem({ text, why, isWhole }: Refusal, understood: Understood): string {
  const { request, restriction, survey } = understood
  const reasons = {
    action: 'A tool only looks things up and answers; it cannot',
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
function contentProblem(understood: Understood): string | null {
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
  const narrowing = request.narrowing.filter((word) => unknown.includes(word))
  if (purpose === 'list' && narrowing.length > 0)
    return `The sources do not have the words ${listed(narrowing)}, so nothing can be listed by them. Leave them out, or use the words of the sources.`
  if (purpose === 'list' && pages === null)
    return `No address of a page says that it is one of the “${request.noun}”. Name a path or a source instead, or ask for all pages.`
  const names = unread.filter(({ isName }) => isName)
  const strange = names.filter(({ text }) => unknown.includes(text)).map(({ text }) => text)
  if (strange.length > 0 && strange.length === names.length)
    return `The sources say nothing about ${listed(strange)}. Add a source about ${strange.length === 1 ? 'it' : 'them'}, or describe the tool with words that the sources use.`
  // Without a kind of thing, its name is all that is known about it.
  const nouns = asked
    .filter((each) => each.thing === null && !each.isText && each.name !== 'version')
    .map(({ name }) => name.replaceAll('_', ' '))
  const isByWord = purpose === 'look_up' || purpose === 'list' || purpose === 'pages'
  const isVague = isByWord && thing === null && unread.length > 0 && unread.every(({ text }) => unknown.includes(text))
  return isVague && nouns.length > 0
    ? `The sources say nothing about ${listed(unknown)}. Describe the tool with words that they use, ${SUGGESTION}.`
    : null
}

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
function trialProblem(trials: readonly Trial[]): string | null {
  const bad = trials.filter(({ problem }) => problem !== null)
  if (trials.length > 0 && bad.length * 2 <= trials.length) return null
  const [failed] = bad
  if (failed === undefined)
    return `The sources have nothing to try it with. Say more precisely what it should look up and where, ${SUGGESTION}.`
  const input = Object.values(failed.input).join(', ').slice(0, 120)
  const call = input === '' ? 'A trial call' : `A trial call with “${input}”`
  return `${call} failed: ${failed.problem} Say more precisely what it should look up and where, ${SUGGESTION}.`
}

function listed(words: readonly string[]): string {
  const quoted = words.slice(0, 4).map((word) => `“${word}”`)
  return quoted.join(', ')
}
