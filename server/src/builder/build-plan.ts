import type { CustomToolPlan } from '@docent/contract/values/custom-tool-plan'
import type { ChatModel } from '#models/chat-model.ts'
import { chooseInputs, designPlan } from './design-plan.ts'
import { draftByModel } from './draft-by-model.ts'
import { findAction, actionProblem, contentProblem, trialProblem } from './find-problem.ts'
import { untakenName } from './name-tool.ts'
import { type Request, readPrompt } from './read-prompt.ts'
import type { Draft, Survey, Trial } from './survey.ts'

export type Stage = 'reading' | 'designing' | 'validating'

/** The indexed content that a tool is designed for. */
export type Content = {
  /** Description of the content in messages, such as "2 sources". */
  about: string
  survey(topic: string, signal?: AbortSignal): Promise<Survey>
  tryPlan(plan: CustomToolPlan, inputs: Record<string, unknown>[], signal?: AbortSignal): Promise<Trial[]>
}

export type PlanDeps = {
  /** Null: there is no content yet. The plan is then only checked against the schema. */
  content: Content | null
  /** Decides whether a draft can run. */
  checkPlan: (draft: unknown) => { plan: CustomToolPlan } | { problem: string }
  /** Drafts the plan, if one is configured. The rules are the fallback. */
  model: ChatModel | null
  /** Receives why the model's draft was not used. */
  onFailure: (error: unknown) => void
  /** Names of the account's other tools. */
  taken: ReadonlySet<string>
  onProgress: (stage: Stage, message: string) => void | Promise<void>
}

/** A finished plan, or why there is none, as a sentence for the person who asked. */
export type Built = { plan: CustomToolPlan } | { problem: string }

/** Designs the plan of a tool from a request in plain words, and tries it on the content. */
export async function buildPlan(deps: PlanDeps, prompt: string, signal?: AbortSignal): Promise<Built> {
  const { content, onProgress } = deps
  const action = findAction(prompt)
  if (action !== null) return { problem: actionProblem(action) }
  const request = readPrompt(prompt)
  await onProgress(
    'reading',
    content === null ? 'There is no indexed content to read yet.' : `Reading ${content.about}.`,
  )
  const survey = content === null ? null : await content.survey(request.topic, signal)
  signal?.throwIfAborted()
  const problem = survey === null ? null : contentProblem(request, survey)
  if (problem !== null) return { problem }

  await onProgress('designing', designing(request, survey))
  let failure = ''
  for await (const draft of drafts(deps, { request, survey, prompt }, signal)) {
    const named = { ...draft.plan, name: untakenName(draft.plan.name, deps.taken) }
    const checked = deps.checkPlan(named)
    if ('problem' in checked) {
      failure = `${checked.problem} Describe the tool in other words.`
      continue
    }
    if (draft.ignored.length > 0)
      await onProgress(
        'designing',
        `No address of a page matches “${draft.ignored.join('”, “')}”, so all pages are used.`,
      )
    const trouble = await validate(deps, { ...draft, plan: checked.plan }, { survey, signal })
    signal?.throwIfAborted()
    if (trouble === null) return { plan: checked.plan }
    failure = trouble
  }
  return { problem: failure }
}

type Asked = { request: Request; survey: Survey | null; prompt: string }

/** The model's draft first, if there is a model, then that of the rules. */
async function* drafts(
  { model, checkPlan, onFailure }: PlanDeps,
  { request, survey, prompt }: Asked,
  signal: AbortSignal | undefined,
): AsyncGenerator<Draft> {
  if (model !== null) {
    const plan = await draftByModel({ model, checkPlan, onFailure }, { prompt, survey }, signal)
    if (plan !== null) yield { plan, roles: {}, ignored: [] }
  }
  yield designPlan(request, survey, prompt)
}

async function validate(
  { content, onProgress }: PlanDeps,
  draft: Draft,
  { survey, signal }: { survey: Survey | null; signal: AbortSignal | undefined },
): Promise<string | null> {
  if (content === null || survey === null) {
    await onProgress('validating', 'Checked the plan against the schema. There is no indexed content to try it on.')
    return null
  }
  const inputs = chooseInputs(draft, survey)
  const given = inputs.map((input) => Object.values(input).join(' and ')).map((input) => `“${input.slice(0, 60)}”`)
  await onProgress('validating', `Trying the tool with ${given.join(', ') || 'the content'}.`)
  return trialProblem(await content.tryPlan(draft.plan, inputs, signal))
}

const KIND_NAMES: Partial<Record<Request['kind'], string>> = {
  compare: 'a comparison',
  changes: 'a list of changes',
  examples: 'a tool for code examples',
  howto: 'a step-by-step guide',
  trouble: 'a troubleshooter',
  answer: 'a tool that answers questions',
  reference: 'a look-up',
  find: 'a search',
  issues: 'a search of issues',
}

function designing({ kind }: Request, survey: Survey | null): string {
  const from = survey === null ? '' : ` for ${survey.pages} pages`
  return `Designing ${KIND_NAMES[kind] ?? `a ${kind}`}${from}.`
}
