import type { CustomToolPlan, PlanArgument } from '@docent/contract/values/custom-tool-plan'
import type { ChatModel } from '#models/chat-model.ts'
import { designPlan, withFilters } from './design-plan.ts'
import { draftByModel, type DraftDeps } from './draft-by-model.ts'
import tools from './kinds.json' with { type: 'json' }
import { untakenName } from './name-tool.ts'
import { findAction, type Request, readRequest } from './read-request.ts'
import { readRestriction, type Restriction } from './read-restriction.ts'
import type { Draft, Role, Survey, Trial } from './survey.ts'

export type Stage = 'reading' | 'designing' | 'validating'

/** The indexed content that a tool is designed for. */
export type Content = {
  /** Description of the content in messages, such as "2 sources". */
  about: string
  survey(topic: string, signal?: AbortSignal): Promise<Survey>
  tryPlan(plan: CustomToolPlan, inputs: Record<string, unknown>[], signal?: AbortSignal): Promise<Trial[]>
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

type Asked = { request: Request; restriction: Restriction; survey: Survey | null; prompt: string }

/** Designs the plan of a tool from a request in plain words, and tries it on the content. */
export async function buildPlan(deps: PlanDeps, prompt: string, signal?: AbortSignal): Promise<Built> {
  const { content, onProgress } = deps
  const action = actionProblem(prompt)
  if (action !== null) return { problem: action }
  const request = readRequest(prompt)
  await onProgress(
    'reading',
    content === null ? 'There is no indexed content to read yet.' : `Reading ${content.about}.`,
  )
  const survey = content === null ? null : await content.survey(request.topic, signal)
  signal?.throwIfAborted()
  const restriction = readRestriction(prompt, survey ?? { sources: [], paths: [] })
  const problem = survey === null ? null : contentProblem(request, restriction, survey)
  if (problem !== null) return { problem }

  const from = survey === null ? '' : ` for ${survey.pages} pages`
  await onProgress('designing', `Designing ${tools.kinds[request.kind].title}${from}.`)
  let failure = ''
  for await (const draft of drafts(deps, { request, restriction, survey, prompt }, signal)) {
    const checked = deps.checkPlan({ ...draft.plan, name: untakenName(draft.plan.name, deps.taken) })
    const trouble =
      'problem' in checked
        ? `${checked.problem} Describe the tool in other words.`
        : await validate(deps, { ...draft, plan: checked.plan }, survey, signal)
    signal?.throwIfAborted()
    if ('plan' in checked && trouble === null) return { plan: checked.plan }
    failure = trouble ?? ''
  }
  return { problem: failure }
}

/** The model's draft first, if there is a model, then that of the rules. */
async function* drafts(
  { model, checkPlan, onFailure, onProgress }: PlanDeps,
  { request, restriction: { filters, unread }, survey, prompt }: Asked,
  signal: AbortSignal | undefined,
): AsyncGenerator<Draft> {
  if (model !== null) {
    const plan = await draftByModel({ model, checkPlan, onFailure }, { prompt, survey }, signal)
    if (plan !== null) yield { plan: withFilters(plan, filters), roles: {} }
  }
  if (unread !== null)
    await onProgress('designing', `No address of a page matches “only from ${unread}”, so all pages are used.`)
  yield designPlan(request, { survey, prompt, filters })
}

async function validate(
  { content, onProgress }: PlanDeps,
  draft: Draft,
  survey: Survey | null,
  signal: AbortSignal | undefined,
): Promise<string | null> {
  if (content === null || survey === null) {
    await onProgress('validating', 'Checked the plan against the schema. There is no indexed content to try it on.')
    return null
  }
  const inputs = chooseInputs(draft, survey)
  const given = inputs
    .map((input) => Object.values(input).join(' and '))
    .flatMap((input) => (input === '' ? [] : [`“${input.slice(0, 60)}”`]))
  await onProgress('validating', `Trying the tool with ${given.join(', ') || 'the content'}.`)
  return trialProblem(await content.tryPlan(draft.plan, inputs, signal))
}

/** Trial calls of a plan. Fewer if the content has fewer names. */
const TRIALS = 3

/** Inputs for trial calls: names, headings and versions of the indexed content, never made up. */
function chooseInputs({ plan, roles }: Draft, survey: Survey): Record<string, unknown>[] {
  const { properties, required = [] } = plan.inputSchema
  const inputs = Array.from({ length: TRIALS }, (_, trial) =>
    Object.fromEntries(
      required.map((name, position) => {
        const argument = properties[name]
        const role = roles[name] ?? roleOf(name, argument)
        // Two arguments of the same kind get different values.
        return [name, argument && valueOf({ name, argument, role }, survey, trial + position * TRIALS)]
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
  survey: Survey,
  trial: number,
): unknown {
  if (argument.type === 'integer') return argument.minimum ?? 1
  if (argument.type === 'boolean') return true
  if (argument.enum) return argument.enum[trial % argument.enum.length]
  if (role === 'version') return versionFor(name, survey, trial)
  if (role === 'day') return '2000-01-01'
  const [best, other] = role === 'name' ? [survey.names, survey.headings] : [survey.headings, survey.names]
  const values = best.length > 0 ? best : other
  return values[trial % Math.max(1, values.length)]?.slice(0, argument.maxLength ?? 300)
}

/** The whole span of known versions in the first trial, and neighbours after that. */
function versionFor(name: string, { versions }: Survey, trial: number): string | undefined {
  const sorted = versions.toSorted((one, other) => one.localeCompare(other, 'en', { numeric: true }))
  const step = trial % TRIALS
  if (/^(?:from|old|current|since)/.test(name)) return step === 0 || sorted.length < 2 ? '0' : sorted.at(-1 - step)
  return sorted.at(step === 0 ? -1 : -step)
}

/** Example requests for messages, which work on most documentation. */
const SUGGESTION = 'such as “Look up a setting by its name and explain what it does” or “Show code examples for a task”'

/** Share of the words of a topic that the sources may lack. Some words of a request are about the tool. */
const MOST_UNKNOWN = 0.6

/** The refusal of a request that no tool can carry out, or null. */
function actionProblem(prompt: string): string | null {
  const action = findAction(prompt)
  if (action === null) return null
  return `A custom tool only looks things up in indexed sources, so it cannot ${action}. Describe what it should look up, ${SUGGESTION}.`
}

/** Why no tool can be made for a request from this content, as a sentence that says what to write instead; or null. */
function contentProblem(
  { kind, products }: Request,
  { unread, isStrict }: Restriction,
  { pages, unknownWords, words, has, languages, sources }: Survey,
): string | null {
  if (pages === 0)
    return 'The sources have no indexed pages yet. Wait until they are indexed, then send the request again.'
  if (kind === 'issues' && !has.issues)
    return 'The sources have no issues. Add the repository of the project (type repo), whose issues are read, or ask for a tool that searches the documentation.'
  if (kind === 'changes' && !has.changes)
    return 'The sources have no changelog, release notes or migration guide. Add the repository of the project (type repo), or ask for a tool that searches the documentation.'
  if (kind === 'examples' && languages.length === 0)
    return 'The sources contain no code. Ask for a tool that explains, looks up or summarises instead.'
  if (unread !== null && isStrict) {
    const names = sources.map(({ label, url }) => label ?? url)
    return `No source and no address of a page matches “${unread}”. The sources are: ${listed(names)}. Name one of them or a path, or leave out the restriction.`
  }
  const unknown = products.filter((product) => unknownWords.includes(product.toLowerCase()))
  if (products.length > 0 && unknown.length === products.length)
    return `The sources say nothing about ${listed(unknown)}. Add a source about ${unknown.length === 1 ? 'it' : 'them'}, or describe the tool with words that the sources use.`
  if (words > 0 && unknownWords.length / words > MOST_UNKNOWN)
    return `The sources say nothing about ${listed(unknownWords)}. Describe the tool with words that they use, ${SUGGESTION}.`
  return null
}

/** Why trial calls show that a plan does not work; or null. Half of the calls must find something about their input. */
function trialProblem(trials: readonly Trial[]): string | null {
  const bad = trials.filter(({ isRelevant }) => !isRelevant)
  if (trials.length > 0 && bad.length * 2 <= trials.length) return null
  const [failed] = bad
  const what =
    failed === undefined
      ? 'There was nothing to try the tool with'
      : `A trial call with “${Object.values(failed.input).join(', ').slice(0, 120)}” found nothing about it`
  const said = failed?.refusal ? ` It said: ${failed.refusal}` : ''
  return `${what}.${said} Say more precisely what the tool should look up and where, ${SUGGESTION}.`
}

function listed(words: readonly string[]): string {
  const quoted = words.slice(0, 4).map((word) => `“${word}”`)
  return quoted.join(', ')
}
