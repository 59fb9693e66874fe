import { type Content, SOURCE_TYPES, sourceKind } from './source-kinds.ts'
import type { SourceType } from './sources.ts'

/** The built-in tools of hosted servers, in display order. */
export const BUILT_IN_TOOLS = [
  {
    name: 'search_docs',
    title: 'Search the documentation',
    needs: 'text',
    description:
      'Find the passages of the sources that answer a question or mention a term, each with its address. Start here; ask for single facts, names, options and error messages.',
  },
  {
    name: 'query_source',
    title: 'Query one source',
    needs: 'text',
    description:
      'Ask one named source only, when you know where the answer is or want to compare sources. Sources that are MCP servers can be asked live: list their tools, then call one.',
  },
  {
    name: 'get_code_examples',
    title: 'Get code examples',
    needs: 'code',
    description:
      'Get whole code examples for a task from the sources, runnable ones first, each with its heading, the line above it and its address. Use it when you are about to write code.',
  },
  {
    name: 'summarize_content',
    title: 'Summarize a page or topic',
    needs: 'text',
    description:
      'Get the main points of one page, of everything the sources say about a topic, or of what is in a source, each with its address. Use it for an overview before you look for details.',
  },
  {
    name: 'find_api_reference',
    title: 'Find an API reference',
    needs: 'names',
    description:
      'Look up a function, class, type, option, command or endpoint by its name, exactly or nearly spelled, and get its signature, parameters, return value, errors and an example. Use it instead of search_docs when you know the name.',
  },
  {
    name: 'get_changelog',
    title: 'Get the changelog',
    needs: 'releases',
    description:
      'Get what changed in a version, a range of versions or since a day, the newest first, from changelogs, releases and migration guides. Use it for upgrades, breaking changes and when something was added.',
  },
  {
    name: 'search_issues',
    title: 'Search issues',
    needs: 'issues',
    description:
      'Find issues and pull requests of the connected repositories about a symptom, an error message or a subject, what maintainers answered first. Use it when the documentation does not explain what you see.',
  },
  {
    name: 'get_quickstart',
    title: 'Get the quickstart',
    needs: 'steps',
    description:
      'Get the steps to install, configure and first use what the sources document, in order, with their code. Use it to begin with a product or to set it up on a platform.',
  },
  {
    name: 'extract_schema',
    title: 'Extract a schema',
    needs: 'schemas',
    description:
      'Get the definition of a named type, table, message or configuration, or of the body of an endpoint, as the source has it: JSON Schema, TypeScript, SQL, GraphQL and others. Use it before you write code that reads or writes such data.',
  },
  {
    name: 'ask_question',
    title: 'Ask a question',
    needs: 'text',
    description:
      'Ask a question in plain words and get an answer put together from all sources, every statement with its citation. Says so when the sources do not answer.',
  },
] as const satisfies readonly BuiltInTool[]

/**
 * A tool that servers can have in addition to the catalogue, whose names are fixed. It counts towards `MAX_TOOLS`, and no
 * server has it by default.
 */
export const REPORT_TOOL = {
  name: 'report_problem',
  title: 'Report a problem',
  description:
    'Tell the owner of this server that you found no good answer, or that a page is wrong or out of date, with the question and what is wrong. Use it once for a question, after the other tools.',
} as const

/** Names that no custom tool can have. */
export const BUILT_IN_NAMES: readonly string[] = [...BUILT_IN_TOOLS.map(({ name }) => name), REPORT_TOOL.name]

export type BuiltInTool = {
  name: string
  title: string
  /** A server without sources that have it can select the tool, but it will find nothing. */
  needs: Content
  /** For the model that chooses a tool: its result and when to use it. */
  description: string
}

export type BuiltInToolName = (typeof BUILT_IN_TOOLS)[number]['name']

/** The kinds of source in which a tool finds something. */
export function kindsFor(tool: BuiltInToolName): SourceType[] {
  const { needs } = builtInTool(tool)
  return SOURCE_TYPES.filter((type) => sourceKind(type).gives.includes(needs))
}

export const MIN_TOOLS = 3
export const MAX_TOOLS = 10

/** Tools of a server whose creator selects none. */
export const DEFAULT_TOOLS = [
  'search_docs',
  'ask_question',
  'get_code_examples',
  'find_api_reference',
  'get_quickstart',
] as const satisfies readonly BuiltInToolName[]

/** The catalogue entry of a built-in tool. */
export function builtInTool<N extends BuiltInToolName>(name: N): BuiltInTool & { name: N } {
  const entry = BUILT_IN_TOOLS.find((tool) => tool.name === name)
  if (!entry) throw new Error(`${name} is not in the catalogue`)
  return { ...entry, name }
}
