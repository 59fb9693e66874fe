import type { z } from 'zod'
import { explainArguments, unknownArguments } from './explain-arguments.ts'
import { note } from './frame.ts'
import { flatSchema, type FlatSchema } from './flat-schema.ts'
import { isObject } from './is-object.ts'
import { outputSchema } from './output-schema.ts'
import { ToolError } from './tool-error.ts'

/** What a client is told about a tool, exactly as it goes out in `tools/list`. */
export type ListedTool = {
  name: string
  title: string
  description: string
  inputSchema: Record<string, unknown>
  /** Of `structuredContent`; told only where results have it. */
  outputSchema?: Record<string, unknown>
  annotations: ToolAnnotations
}

export type ToolAnnotations = {
  readOnlyHint: boolean
  destructiveHint: boolean
  idempotentHint: boolean
  openWorldHint: boolean
}

export type ContentBlock = { type: string; [member: string]: unknown }

/** A page an answer rests on, as the request log keeps it. */
export type ToolCitation = { sourceId: string; url: string; title: string; rank: number; score: number }

/** What a call of a tool gives: `D` is the data of its `output`. */
export type ToolAnswer<D> = {
  /** What a model reads, complete in itself but for the notes. */
  text: string
  /** Remarks of ours, one line each, which stand below the text. */
  notes: readonly string[]
  /** The same as data, for programs. */
  data: D
  citations?: ToolCitation[]
  /** How well the sources answered, where the tool can tell. */
  confidence?: string
}

export type ToolResult = {
  /** Complete in itself: most clients show their model nothing else. */
  content: ContentBlock[]
  structuredContent?: Record<string, unknown>
  citations?: ToolCitation[]
  /** How well the sources answered, where the tool can tell. */
  confidence?: string
}

/** A tool as the dispatcher runs it. `C` is what calls of it need besides their arguments. */
export type Tool<C> = {
  listed: ListedTool
  /** Capabilities of the client without which a modern call is refused. */
  requires?: Record<string, Record<string, unknown>>
  /** Checks the arguments; throws a `ToolError` that says how to mend them. */
  prepare(args: unknown): (context: C, signal?: AbortSignal) => Promise<ToolResult>
}

/** For tools that only look things up: nothing changes, asking twice gives the same, and only the sources are read. */
export const READ_ONLY: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
}

/**
 * Makes a tool from two zod objects. `input` is flat: the schema that clients see and the check of arguments are one
 * thing. `output` has the members of the structured content but `notes`, and is the type of what the call gives.
 */
export function defineTool<S extends z.ZodObject, O extends z.ZodObject, C>(definition: {
  name: string
  title: string
  description: string
  annotations: ToolAnnotations
  input: S
  output: O
  call: (context: C, input: z.output<S>, signal?: AbortSignal) => Promise<ToolAnswer<z.output<O>>>
}): Tool<C> {
  const { name, title, description, annotations, input, output, call } = definition
  const inputSchema = flatSchema(input)
  let schema: Record<string, unknown> | null = null
  return {
    listed: {
      name,
      title,
      description,
      inputSchema,
      annotations,
      // A millisecond that most services never need.
      get outputSchema() {
        return (schema ??= outputSchema(output))
      },
    },
    prepare(args = {}) {
      if (!isObject(args)) throw new ToolError('arguments', `The arguments of ${name} must be a JSON object.`)
      const parsed = input.safeParse(withoutBlanks(args, inputSchema))
      const unknown = Object.keys(args).filter((each) => !Object.hasOwn(inputSchema.properties, each))
      if (!parsed.success)
        throw new ToolError('arguments', explainArguments(name, inputSchema, parsed.error.issues, unknown))
      // An answer to less than was asked says so.
      const without = `The call was made without ${unknown.length === 1 ? 'it' : 'them'}.`
      const remarks = unknown.length > 0 ? [`${unknownArguments(name, inputSchema, unknown)} ${without}`] : []
      return async (context, signal) => resultOf(await call(context, parsed.data, signal), remarks)
    },
  }
}

function resultOf(
  { text, notes, data, ...kept }: ToolAnswer<Record<string, unknown>>,
  remarks: readonly string[],
): ToolResult {
  const all = [...notes, ...remarks]
  const below = all.map(note).join('\n')
  return {
    content: [{ type: 'text', text: [text, below].filter(Boolean).join('\n\n') }],
    structuredContent: { ...data, notes: all },
    ...kept,
  }
}

/** Many clients fill optional arguments with null or "" instead of leaving them out. */
function withoutBlanks(args: Record<string, unknown>, schema: FlatSchema): Record<string, unknown> {
  const blank = (name: string, value: unknown) =>
    (value === null || value === '') && !(schema.required?.includes(name) ?? false)
  return Object.fromEntries(Object.entries(args).filter(([name, value]) => !blank(name, value)))
}
