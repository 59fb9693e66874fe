import {
  type CustomToolPlan,
  CustomToolPlanSchema,
  PLAN,
  type PlanStep,
} from '@docent/contract/values/custom-tool-plan'
import { BUILT_IN_NAMES } from '@docent/contract/values/tools'
import { isInjection } from '#answer/injections.ts'
import type { FlatProperty, FlatSchema } from '../definition/flat-schema.ts'
import { ToolError } from '../definition/tool-result.ts'
import { operationNamed, type OperationOf } from './custom-tool.ts'
import { fillArguments, placeholdersOf, templatesOf, type Values } from './run-step.ts'

/** A plan that can run, or the first problem of a draft as a sentence. */
export type CheckedPlan = { plan: CustomToolPlan } | { problem: string }

/**
 * Decides whether a draft is a plan that can run: whoever drafted it, and before anything of it is used. Checks the
 * schema, the templates against the arguments of the tool and of the built-in tools, and the words that a model reads.
 */
export function checkPlan(draft: unknown, operationOf: OperationOf): CheckedPlan {
  const parsed = CustomToolPlanSchema.safeParse(draft)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    return { problem: `The plan is malformed at ${issue?.path.join('.') || 'its top'}: ${issue?.message}.` }
  }
  const plan = parsed.data
  const isTaken = BUILT_IN_NAMES.includes(plan.name)
  const problem =
    (isTaken ? `"${plan.name}" is the name of a built-in tool.` : null) ??
    problemOfArguments(plan) ??
    plan.steps.map((step) => problemOfStep(plan, step, operationOf)).find((each) => each !== null) ??
    problemOfForm(plan) ??
    problemOfWords(plan)
  return problem === null ? { plan } : { problem }
}

function problemOfArguments({ inputSchema, steps }: CustomToolPlan): string | null {
  const { properties, required = [] } = inputSchema
  const names = Object.keys(properties)
  if (names.length > PLAN.maxArguments) return `A tool has at most ${PLAN.maxArguments} arguments.`
  const undeclared = required.find((name) => !names.includes(name))
  if (undeclared !== undefined) return `The required argument "${undeclared}" is not declared.`
  const used = new Set(steps.flatMap(placeholdersOfStep))
  const unused = names.find((name) => !used.has(name))
  if (unused !== undefined) return `No step uses the argument "${unused}".`
  const unknown = [...used].find((name) => !names.includes(name))
  return unknown === undefined ? null : `A step uses the argument "${unknown}", which is not declared.`
}

function placeholdersOfStep({ arguments: args, filters, heading }: PlanStep): string[] {
  const { source = '', path = '', version = '' } = filters ?? {}
  const templates = [...Object.values(args).flatMap(templatesOf), source, path, version, heading ?? '']
  return templates.flatMap(placeholdersOf)
}

/** The arguments must be valid for the built-in tool, with sample values of the tool's own arguments. */
function problemOfStep({ inputSchema }: CustomToolPlan, step: PlanStep, operationOf: OperationOf): string | null {
  const tool = operationNamed(step.operation, operationOf)
  if (tool === undefined) return `There is no operation "${step.operation}".`
  const { properties, required = [] } = tool.listed.inputSchema as FlatSchema
  const unknown = Object.keys(step.arguments).find((name) => properties[name] === undefined || name === 'cursor')
  if (unknown !== undefined) return `${step.operation} has no argument "${unknown}".`
  const filled = fillArguments(step.arguments, samplesOf(inputSchema, properties, step))
  const missing = required.find((name) => filled[name] === undefined)
  if (missing !== undefined) return `${step.operation} needs the argument "${missing}".`
  try {
    tool.prepare(filled)
    return null
  } catch (error) {
    if (error instanceof ToolError) return error.message
    throw error
  }
}

/** A value for each argument of the tool: of an enumeration the first, else one that the operation takes. */
function samplesOf(
  { properties }: CustomToolPlan['inputSchema'],
  taken: Readonly<Record<string, FlatProperty>>,
  step: PlanStep,
): Values {
  const choiceFor = (name: string) =>
    Object.entries(step.arguments).flatMap(([argument, value]) =>
      typeof value === 'string' && placeholdersOf(value).includes(name)
        ? (taken[argument]?.enum?.slice(0, 1) ?? [])
        : [],
    )
  return Object.fromEntries(
    Object.entries(properties).map(([name, { type, enum: choices, minimum }]) => {
      if (type === 'boolean') return [name, true]
      if (type === 'integer') return [name, minimum ?? 1]
      return [name, choices?.[0] ?? choiceFor(name).at(-1) ?? 'sample']
    }),
  )
}

function problemOfForm({ steps, output: { form } }: CustomToolPlan): string | null {
  const answers = steps.filter(({ operation }) => operation === 'ask_question').length
  if (answers > 1) return 'A plan can have one step that answers in sentences.'
  if (form === 'answer' && answers === 0) return 'An answer in sentences needs a step with ask_question.'
  return steps.every(({ when }) => when === 'nothing_found' || when === 'not_named')
    ? 'The first step must always run.'
    : null
}

/** Text for the models of clients must describe the tool, and nothing else. */
function problemOfWords(plan: CustomToolPlan): string | null {
  const {
    displayName,
    description,
    instruction = '',
    inputSchema: { properties },
  } = plan
  const texts = [displayName, description, instruction, ...Object.values(properties).map((each) => each.description)]
  const all = [...texts, ...Object.values(properties).flatMap((each) => each.enum ?? [])]
  if (all.some((text) => isInjection(text))) return 'The description gives orders to the model that reads it.'
  return texts.some((text) => /\bhttps?:\/\//i.test(text)) ? 'The description contains an address.' : null
}
