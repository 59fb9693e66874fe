import { z } from 'zod'
import { CUSTOM_TOOL } from '#limits.ts'
import { SOURCE_TYPES } from './source-kinds.ts'
import { BUILT_IN_TOOLS } from './tools.ts'

/** Bounds of a plan. A tool with more is hard for a model to call, and slow. */
export const PLAN = { maxArguments: 6, maxSteps: 5, maxChoices: 60, maxPlaces: 8, maxInstruction: 1_000 } as const

/** Operations of plans besides the built-in tools. */
export const OWN_OPERATIONS = [
  {
    name: 'find_entries',
    description:
      'Finds things by name, or else those whose text fits. Arguments: name, kinds (separated by commas), of (only those of this command, class or page), languages, exact, limit',
  },
  {
    name: 'list_entries',
    description:
      'Lists all things of some kinds in a table. Arguments: kinds, of (only those of this command, class or page), about (only those with these words)',
  },
  {
    name: 'compare_entries',
    description:
      'Compares named things in a table, one row per property. Arguments: first, second, third, fourth, aspects',
  },
  { name: 'read_checklist', description: 'Returns the list of things to check on a subject. Arguments: query, about' },
  { name: 'read_steps', description: 'Returns the steps of the guide to a task, in order. Arguments: query, about' },
  {
    name: 'read_releases',
    description:
      'Returns releases, newest first. Arguments: version (one, or latest), range, since, query, part (breaking, deprecated, removed, added, fixed, security), limit',
  },
  {
    name: 'summarize_page',
    description: 'Returns the key sentences of a page. Arguments: page (address, path or title)',
  },
] as const
export type OwnOperation = (typeof OWN_OPERATIONS)[number]['name']

/** A name of a tool or an argument that all clients accept, with room for their prefixes. */
const nameOf = (max: number) => z.string().regex(new RegExp(`^[a-z][a-z0-9_]{1,${max - 1}}$`))

const TemplateSchema = z.string().max(1_000).describe('Text in which {name} stands for an argument of the tool')

const ValueSchema = z.union([z.string().max(1_000), z.number(), z.boolean()])

const PlaceSchema = z.object({
  source: z.string().max(500).optional().describe('A source: its label or address'),
  type: z.enum(SOURCE_TYPES).optional().describe('Sources of this type'),
  path: z.string().max(500).optional().describe('Pages whose URL path starts with this; * stands for any characters'),
})

const StepSchema = z.object({
  operation: z
    .enum([...BUILT_IN_TOOLS.map(({ name }) => name), ...OWN_OPERATIONS.map(({ name }) => name)])
    .describe('The built-in tool that the step runs, or another operation of plans'),
  arguments: z
    .record(
      z.string(),
      z.union([
        ValueSchema,
        z.array(TemplateSchema).min(1).max(6),
        z.object({ json: z.record(z.string(), ValueSchema) }),
      ]),
    )
    .describe(
      'Arguments of the built-in tool as templates. Of a list, the first whose arguments are all given is used. If one of a template is not given, the argument is left out',
    ),
  filters: z
    .object({
      source: TemplateSchema.optional().describe('Only this source: its label or address'),
      type: z.enum(SOURCE_TYPES).optional().describe('Only sources of this type'),
      path: TemplateSchema.optional().describe(
        'Only pages whose URL path starts with this; * stands for any characters',
      ),
      version: TemplateSchema.optional().describe('Only pages of this version'),
      anyOf: z.array(PlaceSchema).min(1).max(PLAN.maxPlaces).optional().describe('Only pages in one of these places'),
      not: z.array(PlaceSchema).min(1).max(PLAN.maxPlaces).optional().describe('No pages in one of these places'),
    })
    .optional()
    .describe('Pages that the step can use'),
  heading: TemplateSchema.optional().describe('Heading of the results of this step'),
  when: z
    .enum(['always', 'nothing_found', 'not_named'])
    .optional()
    .describe(
      '`nothing_found`: only if no earlier step found anything. `not_named`: only if no earlier step found a thing by its name',
    ),
})

const ArgumentSchema = z.object({
  type: z.enum(['string', 'integer', 'boolean']),
  description: z.string().min(1).max(400),
  enum: z.array(z.string().min(1).max(80)).min(2).max(PLAN.maxChoices).optional(),
  minimum: z.int().optional(),
  maximum: z.int().optional(),
  minLength: z.int().min(1).optional(),
  maxLength: z.int().max(4_000).optional(),
})

/** A custom tool as data: its arguments, the built-in tools it runs, and the form of its answer. No code. */
export const CustomToolPlanSchema = z.object({
  name: nameOf(21).describe('Name for programs'),
  displayName: z.string().min(1).max(CUSTOM_TOOL.maxDisplayName).describe('Name for people'),
  description: z
    .string()
    .min(1)
    .max(CUSTOM_TOOL.maxDescription)
    .describe('What the tool does, for the model that chooses a tool'),
  inputSchema: z
    .object({
      type: z.literal('object').describe('Always an object'),
      properties: z.record(nameOf(40), ArgumentSchema).describe('The arguments by name'),
      required: z.array(z.string()).optional().describe('Names of the arguments that a call must have'),
    })
    .describe('JSON Schema of the arguments'),
  steps: z.array(StepSchema).min(1).max(PLAN.maxSteps).describe('Built-in tools to run, in order'),
  output: z
    .object({
      form: z
        .enum(['list', 'checklist', 'table', 'document', 'answer'])
        .describe('`answer` begins with an answer in sentences, `document` has the headings of the steps'),
    })
    .describe('How the results are put together'),
  instruction: z
    .string()
    .max(PLAN.maxInstruction)
    .optional()
    .describe(
      'Words of the owner on form, length and tone. They go with the result to the assistant, marked as those of the owner',
    ),
  leftOut: z
    .array(z.string().max(PLAN.maxInstruction))
    .max(20)
    .optional()
    .describe('Words of the request that the tool does not use, so that only the assistant can'),
})

export type CustomToolPlan = z.output<typeof CustomToolPlanSchema>
export type PlanStep = CustomToolPlan['steps'][number]
export type PlanPlace = z.output<typeof PlaceSchema>
export type PlanArgument = z.output<typeof ArgumentSchema>
