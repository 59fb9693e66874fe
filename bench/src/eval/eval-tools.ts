import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { CustomToolPlan, PlanArgument } from '@docent/contract/values/custom-tool-plan'
import { buildPlan } from '@docent/server/builder/build-plan.ts'
import { checkPlan } from '@docent/server/mcp/custom/check-plan.ts'
import { toolFor } from '@docent/server/mcp/tools/tools.ts'
import { openToolWorld, type ToolWorld } from './tool-world.ts'
import { UsageError } from '#lib/usage-error.ts'

/** A question to a tool. `values` are what a client knows, by role; `contains` needs one of the parts between `|`. */
type Question = { ask: string; values: Record<string, string>; pages: string[]; contains: string[] }
type Prompt = { id: number; docs: string; prompt: string; impossible?: true; questions: Question[] }

type Outcome = { id: number; valid: boolean; answered: number; asked: number; note: string }

/**
 * Builds the tools of `tool-prompts.json` without a model, and asks each its three questions. A prompt counts as valid
 * if it gives a plan whose trial calls find something, and an impossible one if it is refused with a sentence.
 */
export async function evalTools(args: string[]): Promise<Record<string, unknown>> {
  const { values } = parseArgs({
    args,
    options: { sets: { type: 'string' }, only: { type: 'string' }, details: { type: 'boolean' } },
  })
  const sets = setsFolder(values.sets)
  const only = values.only?.split(',').map(Number)
  const { prompts } = JSON.parse(readFileSync(new URL('./tool-prompts.json', import.meta.url), 'utf8')) as {
    prompts: Prompt[]
  }
  const worlds = new Map<string, ToolWorld>()
  const outcomes: Outcome[] = []
  for (const prompt of prompts.filter(({ id }) => only?.includes(id) ?? true)) {
    const [set = '', docset = null] = prompt.docs.split('/')
    const world = worlds.get(prompt.docs) ?? openToolWorld(join(sets, set), docset)
    worlds.set(prompt.docs, world)
    const outcome = await judge(prompt, world, { details: values.details ?? false })
    outcomes.push(outcome)
    process.stderr.write(
      `${String(outcome.id).padStart(2)} ${outcome.valid ? 'ok    ' : 'FAILED'} ${outcome.answered}/${outcome.asked} ${outcome.note}\n`,
    )
  }
  return {
    all: figures(outcomes),
    open: figures(outcomes.filter(({ id }) => id % 2 === 1)),
    heldOut: figures(outcomes.filter(({ id }) => id % 2 === 0)),
  }
}

function setsFolder(given: string | undefined): string {
  const folder = given ?? process.env['DOCENT_TEST_CORPORA']
  if (folder === undefined || !existsSync(join(folder, 'eslint-messages')))
    throw new UsageError('Name the folder of the unpacked evaluation sets with --sets or DOCENT_TEST_CORPORA.')
  return resolve(folder)
}

function figures(outcomes: readonly Outcome[]) {
  const asked = outcomes.filter((each) => each.asked > 0)
  const questions = asked.reduce((sum, each) => sum + each.asked, 0)
  const answered = asked.reduce((sum, each) => sum + each.answered, 0)
  return {
    prompts: outcomes.length,
    valid: share(outcomes.filter(({ valid }) => valid).length, outcomes.length),
    answersAllThree: share(asked.filter((each) => each.answered === each.asked).length, asked.length),
    answered: share(answered, questions),
  }
}

function share(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((1000 * part) / whole) / 1000
}

async function judge(
  { id, prompt, impossible, questions }: Prompt,
  world: ToolWorld,
  { details }: { details: boolean },
): Promise<Outcome> {
  const built = await buildPlan(
    {
      content: world.content,
      checkPlan: (draft) => checkPlan(draft, toolFor),
      model: null,
      onFailure: () => {},
      taken: new Set(),
      onProgress: () => {},
    },
    prompt,
  )
  if (impossible)
    return {
      id,
      valid: 'problem' in built,
      answered: 0,
      asked: 0,
      note: 'problem' in built ? built.problem : built.plan.name,
    }
  if ('problem' in built) return { id, valid: false, answered: 0, asked: questions.length, note: built.problem }
  const { plan } = built
  if (details) process.stderr.write(`${JSON.stringify(plan, null, 1)}\n`)
  let answered = 0
  const missed: string[] = []
  for (const question of questions) {
    const args = argumentsFor(plan, question)
    const wrong = await wrongWith(world, plan, { args, question })
    if (wrong === null) answered++
    else missed.push(`${JSON.stringify(args)}: ${wrong}`)
  }
  return {
    id,
    valid: true,
    answered,
    asked: questions.length,
    note: [`${plan.name}(${Object.keys(plan.inputSchema.properties).join(', ')})`, ...missed].join('\n     - '),
  }
}

async function wrongWith(
  world: ToolWorld,
  plan: CustomToolPlan,
  { args, question }: { args: Record<string, unknown>; question: Question },
): Promise<string | null> {
  try {
    const { text, documents } = await world.call(plan, args)
    const lower = text.toLowerCase()
    const missing = question.contains.filter(
      (each) => !each.split('|').some((part) => lower.includes(part.toLowerCase())),
    )
    const isCited = question.pages.length === 0 || question.pages.some((page) => documents.includes(page))
    if (missing.length === 0 && isCited) return null
    return missing.length > 0
      ? `lacks ${missing.join(', ')}`
      : `cites ${[...new Set(documents)].slice(0, 4).join(', ') || 'nothing'}`
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** Names of arguments by the role of the value that a client would give them. */
const ROLES: readonly (readonly [RegExp, string])[] = [
  [/^(?:first|left|a|one)(?:_|$)|_1$/, 'first'],
  [/^(?:second|right|b|other)(?:_|$)|_2$/, 'second'],
  [/from|current|old/, 'from'],
  [/^to_|_to$|target|new_version/, 'to'],
  [/since|date|day/, 'since'],
  [/language/, 'language'],
  [/error|message|symptom/, 'error'],
  [/framework/, 'framework'],
  [/command/, 'command'],
  [/flag|option/, 'option'],
]

/** Fills in the arguments from the values of a question, as a client would. */
function argumentsFor(plan: CustomToolPlan, { ask, values }: Question): Record<string, unknown> {
  const { properties, required = [] } = plan.inputSchema
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, argument]) => {
      const role = ROLES.find(([pattern]) => pattern.test(name))?.[1]
      const value = values[role ?? ''] ?? (required.includes(name) ? (values['subject'] ?? ask) : undefined)
      const given = value === undefined ? undefined : choose(argument, value)
      return given === undefined ? [] : [[name, given]]
    }),
  )
}

/** A client gives only values that the schema allows. */
function choose({ type, enum: choices }: PlanArgument, value: string): unknown {
  if (type === 'integer') return Number.parseInt(value, 10)
  if (type === 'boolean') return true
  if (!choices) return value
  return (
    choices.find((choice) => choice.toLowerCase() === value.toLowerCase()) ??
    choices.find((choice) => value.toLowerCase().includes(choice.toLowerCase()))
  )
}
