import type { Outcome } from '@docent/contract/values/outcomes'
import { type BuiltInToolName, builtInTool } from '@docent/contract/values/tools'
import { z } from 'zod'
import { explainArguments, unknownArguments, flatSchema, type FlatSchema } from './flat-schema.ts'
import { type Cited, note, paragraphs } from '../passages/format-citation.ts'
import type { AnswerPiece } from '#answer/answer.ts'
import { isObject } from '#lib/objects.ts'
import { isBlank, ToolError } from './tool-result.ts'
import type { ChatModel } from '#models/chat-model.ts'
import type { Library, Search } from '#documents/library.ts'
import type { ServedServer, ServedSource } from '#store/servers/served.ts'
import type { PageAge } from '#store/pages/pages.ts'
import type { StoredQuestion } from '#store/sources/questions.ts'
import type { RemoteSession } from '#upstream/remote-session.ts'

/** Tells the client in a sentence how far a call is, with the next piece of the answer if there is one. */
export type ReportProgress = (message: string, piece?: AnswerPiece) => void

export type ListedTool = {
  name: string
  title: string
  description: string
  inputSchema: Record<string, unknown>
  /** Schema of `structuredContent`, sent only if results have it. */
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

/** A page that an answer cites, as stored in the request log. */
export type ToolCitation = { sourceId: string; url: string; title: string; rank: number; score: number }

/** A passage of an answer, or a citation without text. Not quoted. `headings`: the path, if it is known. */
export type CitedPassage = Cited & { n: number; text: string; headings?: readonly string[] }

/** Result of a tool call. `D` is the data of its `output`. */
export type ToolAnswer<D> = {
  /** Text for a model, complete except for the notes. */
  text: string
  /** Our notes, one line each, below the text. */
  notes: readonly string[]
  /** The same content as data, for programs. */
  data: D
  /** How the call ended, as the tool knows it. */
  outcome: Outcome
  /** The passages of the text, and the text before them, for tools that use this one. */
  passages?: readonly CitedPassage[]
  lead?: string
  citations?: ToolCitation[]
  /** Answer quality, if the tool can estimate it. */
  confidence?: string
  /** For the request log: a failure despite which there is an answer. */
  failure?: string
}

export type ToolResult = Omit<ToolAnswer<unknown>, 'text' | 'notes' | 'data'> & {
  /** Complete by itself, because most clients show their model nothing else. */
  content: ContentBlock[]
  structuredContent?: Record<string, unknown> & { notes?: readonly string[] }
  /** The text says why the tool could not do its work. */
  isError?: true
}

/** A tool for the dispatcher. `C` is the context of its calls besides their arguments. */
export type Tool<C> = {
  listed: ListedTool
  /** Validates the arguments. Throws a `ToolError` with a correction. */
  prepare(args: unknown): (context: C, signal?: AbortSignal) => Promise<ToolResult>
}

/** For look-up tools: nothing changes, calls are idempotent, and only the sources are read. */
export const READ_ONLY = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }

/** For calls of remote tools that the owner allows although they are not declared read-only: they can do anything. */
export const MAY_CHANGE = { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true }

type Definition<S extends z.ZodObject, O extends z.ZodObject, C> = {
  name: string
  title: string
  description: string
  annotations: ToolAnnotations
  input: S
  output: O
  /** Checks the arguments together. Throws a `ToolError` with a correction. */
  check?: (input: z.output<S>) => void
  call: (context: C, input: z.output<S>, signal?: AbortSignal) => Promise<ToolAnswer<z.output<O>>>
}

/** Defines a built-in tool that only reads the sources of its server. */
export function defineReader<S extends z.ZodObject, O extends z.ZodObject>(
  name: BuiltInToolName,
  definition: Pick<Definition<S, O, ToolContext>, 'input' | 'output' | 'check' | 'call'>,
): Tool<ToolContext> {
  return defineTool({ ...builtInTool(name), annotations: READ_ONLY, ...definition })
}

/** Defines a tool. The clients' schema and the argument check derive from `input`; `output` types the result. */
export function defineTool<S extends z.ZodObject, O extends z.ZodObject, C>(definition: Definition<S, O, C>): Tool<C> {
  const { name, title, description, annotations, input, output, check, call } = definition
  const inputSchema = flatSchema(input)
  let schema: Record<string, unknown> | null = null
  return {
    listed: {
      name,
      title,
      description,
      inputSchema,
      annotations,
      // Lazy: it takes a millisecond that most services never need.
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
      check?.(parsed.data)
      // States which arguments the answer ignored.
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
  return {
    content: [{ type: 'text', text: paragraphs(text, all.map(note).join('\n')) }],
    structuredContent: { ...data, notes: all },
    ...kept,
  }
}

function withoutBlanks(args: Record<string, unknown>, { required = [] }: FlatSchema): Record<string, unknown> {
  return Object.fromEntries(Object.entries(args).filter(([name, value]) => required.includes(name) || !isBlank(value)))
}

const notes = z.array(z.string()).describe('Remarks on the answer, as they stand below its text')

/** Schema of a tool's data and notes: an object, as clients require, and open for later members. */
function outputSchema(output: z.ZodObject): Record<string, unknown> {
  const { type, properties, required } = z.toJSONSchema(output.extend({ notes }), { io: 'input', override: dropBounds })
  return { type, properties, required }
}

/** Override of `z.toJSONSchema` that removes bounds that merely state JavaScript's number range. */
export function dropBounds({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
}

export function citationOf({ sourceId, url, title, rank, score }: ToolCitation): ToolCitation {
  return { sourceId, url, title, rank, score }
}

/** A cited page, or one of its sections. */
export type AgedPage = Pick<ToolCitation, 'sourceId' | 'url'>

/** Dependencies of a tool call on a hosted server, besides its arguments. */
export type ToolContext = {
  server: ServedServer
  search: Search
  /** The model that writes answers. Null: answers consist of sentences from the sources. */
  model: ChatModel | null
  /** Called with errors that did not fail the call. Must not throw. */
  reportFailure: (error: unknown) => void
  /** Reports the progress of a slow call. Absent if the caller did not ask for it. */
  report?: ReportProgress
  /** Access to whole pages of the sources. */
  library: Library
  /** Questions that the sources answer. Absent where no follow-ups are wanted. */
  loadQuestions?: () => Promise<readonly StoredQuestion[]>
  /** Ages of cited pages. Absent where no ages are wanted. */
  loadAges?: (pages: readonly AgedPage[]) => Promise<readonly PageAge[]>
  /** Connects to a source of kind `mcp`. This and the session's methods throw `UpstreamError`. */
  connectRemote: (source: ServedSource, signal?: AbortSignal) => Promise<RemoteTools>
}

export type RemoteTools = Pick<RemoteSession, 'listTools' | 'callTool'> & AsyncDisposable
