import type { CustomToolPlan } from '@docent/contract/values/custom-tool-plan'
import type { ChatModel } from '#models/chat-model.ts'
import { describePlan, paraphrase } from './describe-plan.ts'
import { designPlan, designRemote, withFilters } from './design-plan.ts'
import { draftByModel, type DraftDeps } from './draft-by-model.ts'
import { untakenName } from './name-tool.ts'
import { looserThan } from './loosen-request.ts'
import { findAction } from './read-action.ts'
import { has, type Item } from '#grammar/item.ts'
import type { Span } from './read-words.ts'
import { codeOf, isNamedContent, isPlain, partOf, readSentences, taskOf, thingOf, withoutAsides } from './read-words.ts'
import { readRequest, type Request } from './read-request.ts'
import { fold } from '#grammar/tokenise.ts'
import type { PlaceNames } from '#grammar/place-names.ts'
import { type LookUpPlaces, readWithPlaces } from '#grammar/read-with-places.ts'
import {
  actionProblem,
  contentProblem,
  filtersFor,
  listed,
  trialProblem,
  type Understood,
  unknownOf,
} from './plan-problems.ts'
import { readRestriction, SINCE } from './read-restriction.ts'
import { isProduct, pagesCalled, withProduct } from './resolve-places.ts'
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

const EMPTY: Pick<Survey, 'sources' | 'pageVersions'> = { sources: [], pageVersions: [] }

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
  const { read, nearest } = await readWithPlaces((places) => understand(prompt, sentences, { survey, places }), lookUp)
  const understood = { ...read, nearest, topic }
  const found = findAction(prompt, understood.sentences)
  const action = found?.why === 'unknown' && understood.remote !== null ? null : found
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

type Sentences = readonly (readonly Item[])[]

/** Reads the restrictions of a request first, and what it asks for in the other words. */
function understand(
  prompt: string,
  sentences: Sentences,
  { survey, places }: { survey: Survey | null; places: PlaceNames | null },
): Omit<Understood, 'nearest' | 'topic'> {
  const { sources, pageVersions } = survey ?? EMPTY
  const content = { sources, pageVersions, places }
  const said = readRestriction(prompt, content)
  const lost = lostOf(sentences, said.open)
  // What is left out must not be searched for.
  const isFree = ({ start, end }: Item) =>
    [...said.spans, ...lost].every((span) => end <= span.start || start >= span.end)
  const whole = sentences.map((sentence) => sentence.filter(isFree)).filter(({ length }) => length > 0)
  const free = whole.map(withoutAsides)
  const read = readRequest(prompt, free)
  const isOfReleases = read?.purpose === 'changes' && said.versions.length === 0
  const restriction = {
    ...said,
    versions: isOfReleases ? versionsIn(free.flat()) : said.versions,
    filters: withProduct(said.filters, free.flat().filter(isPlain), sources),
  }
  const subject = read ? known(read, survey) : ''
  // All entries of a product are no narrower than all entries.
  const owned = read?.owner.split(' ').filter((word) => !survey?.unknownWords.includes(fold(word))) ?? []
  const owner = owned.length === 1 && isProduct(owned.join(), sources) ? '' : owned.join(' ')
  const request = read && { ...read, subject, owner }
  // No step knows the newest page.
  if (request?.thing === 'page' && NEWEST.test(request.subject)) request.subject = ''
  if (request?.purpose === 'summary' && request.asked.length === 0 && request.thing === null) {
    const page = pagesCalled(subject, content)?.path
    if (page !== undefined) Object.assign(request, { thing: 'page', subject: page })
  }
  const isOfPages = request?.thing === 'page' && ['list', 'pages'].includes(request.purpose)
  const isByKind = request !== null && request.thing !== null && request.purpose !== 'look_up'
  return {
    request,
    restriction,
    lost: [...new Set(lost.map(({ start, end }) => prompt.slice(start, end)))],
    remote: isByKind ? null : remoteToolOf(free, survey),
    sentences: free,
    pages: isOfPages ? pagesCalled(request.noun, content) : undefined,
    survey,
    prompt,
  }
}

/** Negations of the content that restrict no place: only the assistant can follow them. */
function lostOf(sentences: Sentences, open: readonly Span[]): Span[] {
  return open.filter(({ start, end }) => {
    const inside = sentences.flat().filter((item) => item.end > start && item.start < end)
    const isOfContent = inside.some((item) => isPlain(item) || thingOf(item) !== null || taskOf(item).length > 0)
    // `Pas à pas` denies nothing, and `bug fixes only` is a part of a release.
    // `What must not be borrowed?`
    const isAsked = sentences.some(
      ([first, ...rest]) => has(first, 'ask') && rest.slice(0, 3).includes(inside[0] as Item),
    )
    const isOwn = isAsked || taskOf(inside[0]).length > 0 || inside.some((item) => partOf(item).length > 0)
    return isOfContent && !isOwn && !inside.some((item) => has(item, 'form', 'like', 'reason', 'forbidden'))
  })
}

/** Bare versions of releases: `since firmware 7.1.0`. */
function versionsIn(items: readonly Item[]): string[] {
  return items.flatMap(({ key }, at) => {
    const isSince = items.slice(Math.max(0, at - 2), at).some((before) => SINCE.test(before.key))
    return /^v?\d+(?:\.\d+)+$/.test(key) ? `${isSince ? '>' : ''}${key.replace('v', '')}` : []
  })
}

const NEWEST = /^(?:newest|latest|recent|last|oldest|first|neueste[nrs]?|derniere?|ultim[ao]|mas reciente)$/i

/** The words of a subject that some page has, without the product, which all pages are about. Others would find nothing. */
function known({ subject, purpose }: Request, survey: Survey | null): string {
  const unknown = new Set(survey?.unknownWords)
  const words = subject.split(' ').filter((word) => !unknown.has(fold(word)))
  const narrow = words.filter((word) => !isProduct(word, survey?.sources ?? []))
  return (narrow.length > 0 || purpose === 'list' ? narrow : words).join(' ')
}

/** The words of a request that may be about the content: those that no vocabulary has. */
function topicOf(prompt: string, sentences: Sentences): string {
  const unread = sentences.flat().filter(isPlain)
  return [...new Set(unread.map(({ start, end }) => prompt.slice(start, end)))].slice(0, 24).join(' ')
}

/** The remote tool that a request names: by its name, or by a source that is a remote server. */
function remoteToolOf(sentences: Sentences, survey: Survey | null): RemoteTool | null {
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
  const { request, remote, restriction, sentences, survey, prompt } = understood
  const filters = filtersFor(understood)
  if (remote !== null) yield designRemote(request, remote)
  if (remote === null && model !== null) {
    const plan = await draftByModel({ model, checkPlan, onFailure }, { prompt, survey, sentences }, signal)
    if (plan !== null) {
      const limited = withFilters(plan, filters)
      yield {
        plan: { ...limited, description: describePlan(limited).description, instruction: prompt.trim() },
        roles: {},
      }
    }
  }
  if (remote === null && request !== null) {
    const known = { survey, filters, versions: restriction.versions }
    yield designPlan(request, known)
    // What the documentation does not name as an owner is left out, which the result says.
    const words = request.purpose === 'look_up' ? request.owner.split(' ') : []
    for (let count = words.length - 1; request.owner !== '' && count >= 0; count--) {
      // The program alone is no owner.
      if (count === 1) continue
      const { plan, roles } = designPlan({ ...request, owner: words.slice(0, count).join(' ') }, known)
      yield { plan: { ...plan, leftOut: [words.slice(count).join(' ')] }, roles }
    }
    for (const looser of looserThan(request)) yield designPlan(looser, known)
  }
}

/** Adds the words of the owner, for the assistant, and names those that the plan does not use. */
function withWords(plan: CustomToolPlan, { request, lost, survey, prompt, sentences }: Understood): CustomToolPlan {
  const { leftOut = [] } = plan
  const isNew = (word: string) => !lost.some((part) => part.includes(word))
  const words = [...leftOut, ...lost, ...unknownOf(request, survey).filter(isNew)]
  const unused = [
    ...words,
    ...unusedOf(plan, sentences.flat(), [...words, ...(request?.avoided ?? [])].join(' ')),
  ].slice(0, MOST_LEFT_OUT)
  return { ...plan, instruction: prompt.trim(), ...(unused.length > 0 ? { leftOut: unused } : {}) }
}

/** As many as a plan may have. */
const MOST_LEFT_OUT = 20
/** Letters by which a word is recognised in another form: `releases` in `the latest release`. */
const STEM = 5

/** The words of the content that stand nowhere in a plan, as it is told to its owner, nor among those in `known`. */
function unusedOf(plan: CustomToolPlan, items: readonly Item[], known: string): string[] {
  const used = fold([paraphrase(plan), ...textsOf(plan), known].join(' '))
  // The page of a task, such as `quick start page`, is one page.
  const isCode = (item: Item) => !has(item, 'form') && codeOf(item) !== undefined && !used.includes(codeOf(item) ?? '')
  const isOfPage = (item: Item, at: number) => taskOf(item).length > 0 && thingOf(items[at + 1]) === 'page'
  const unused = items.filter(
    (item, at) =>
      (isPlain(item) ||
        isCode(item) ||
        isNamedContent(item, items[at - 1]) ||
        partOf(item).length > 0 ||
        isOfPage(item, at)) &&
      !used.includes(item.key.slice(0, STEM)),
  )
  return [...new Set(unused.map(({ text }) => text))]
}

/** All texts of a value, without the names of its fields. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : []
}

function leftOutOf({ leftOut = [] }: CustomToolPlan): string {
  return leftOut.length === 0 ? '' : ` It does not use ${listed(leftOut)}: only the assistant can use these words.`
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
