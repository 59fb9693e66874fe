import { type CustomToolPlan, PLAN, type PlanArgument, type PlanStep } from '@docent/contract/values/custom-tool-plan'
import { describePlan } from './describe-plan.ts'
import { DESIGNS } from './designs.ts'
import { nameTool, wordsOfName } from './name-tool.ts'
import type { Argument, Design, Known } from './plan-arguments.ts'
import { slug } from './read-inputs.ts'
import type { Request } from './read-request.ts'
import type { Draft, RemoteTool, Role } from './survey.ts'

/** Characters of an argument. Queries of built-in tools take up to 4,000, and versions 60. */
const LENGTHS: Record<Role, number> = {
  name: 300,
  owner: 300,
  text: 1_000,
  version: 40,
  day: 10,
  page: 1_000,
  choice: 80,
}

/** Designs a plan by rules. `filters` restrict all steps. `survey` is null if there is no content yet. */
export function designPlan(request: Request, known: Known): Draft {
  const name = nameTool(wordsOfName(request), request.givenName)
  return finished(name, DESIGNS[request.purpose](request, known), known.filters)
}

/** The plan that calls a tool of a remote MCP server with the arguments that it declares. */
export function designRemote(request: Request | null, tool: RemoteTool): Draft {
  const given = tool.arguments.map(({ name, isRequired }): Argument => {
    const description = `The ${name.replaceAll(/[_-]/g, ' ')}, as the remote tool takes it`
    return { name: slug(name) || 'value', role: 'text', isRequired, description }
  })
  const json = Object.fromEntries(tool.arguments.map(({ name }, at) => [name, `{${given[at]?.name}}`]))
  const step: PlanStep = {
    operation: 'query_source',
    arguments: { source: tool.source, tool: tool.name, arguments: { json } },
  }
  return finished(
    nameTool(['use', tool.name], request?.givenName ?? null),
    { given, steps: [step], form: 'list' },
    undefined,
  )
}

function finished(name: string, { given, steps, form }: Design, filters: PlanStep['filters']): Draft {
  const properties = Object.fromEntries(given.map((argument) => [argument.name, propertyOf(argument)]))
  const required = given.filter(({ isRequired }) => isRequired).map(({ name }) => name)
  const core = {
    inputSchema: { type: 'object' as const, properties, ...(required.length > 0 ? { required } : {}) },
    steps: steps.map((step) => (filters === undefined ? step : { ...step, filters: { ...step.filters, ...filters } })),
    output: { form },
  }
  const plan = { name, displayName: name, description: name, ...core }
  return {
    plan: { ...plan, ...describePlan(plan) },
    roles: Object.fromEntries(given.map(({ name: own, role }) => [own, role])),
  }
}

function propertyOf({ description, choices, role }: Argument): PlanArgument {
  return {
    type: 'string',
    description,
    ...(choices && choices.length > 1 ? { enum: choices.slice(0, PLAN.maxChoices) } : { maxLength: LENGTHS[role] }),
  }
}

/** Restricts all steps of a plan, whoever designed it. */
export function withFilters(plan: CustomToolPlan, filters: PlanStep['filters']): CustomToolPlan {
  if (filters === undefined) return plan
  return { ...plan, steps: plan.steps.map((step) => ({ ...step, filters: { ...step.filters, ...filters } })) }
}
