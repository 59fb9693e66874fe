import { type BuiltInToolName, REPORT_TOOL } from '@docent/contract/values/tools'
import type { ServedServer } from '#store/servers/served.ts'
import { customTool } from '../custom/custom-tool.ts'
import type { Tool, ToolContext } from '../definition/tool.ts'
import { CHATGPT_TOOLS } from './chatgpt-tools.ts'
import { askQuestion } from './ask-question.ts'
import { getCodeExamples } from './get-code-examples.ts'
import { extractSchema } from './extract-schema.ts'
import { findApiReference } from './find-api-reference.ts'
import { getChangelog } from './get-changelog.ts'
import { getQuickstart } from './get-quickstart.ts'
import { querySource, querySourceFor, type SourcesOfTool } from './query-source.ts'
import { reportProblem } from './report-problem.ts'
import { searchDocs } from './search-docs.ts'
import { searchIssues } from './search-issues.ts'
import { summarizeContent } from './summarize-content.ts'

/** Prefix of the tools that only ChatGPT is shown, inside the service. No name of a tool has a colon. */
export const CHATGPT = 'chatgpt:'

/** Built-in tools by the name that servers select. */
export const TOOLS = {
  search_docs: searchDocs,
  query_source: querySource,
  get_code_examples: getCodeExamples,
  summarize_content: summarizeContent,
  find_api_reference: findApiReference,
  get_changelog: getChangelog,
  search_issues: searchIssues,
  get_quickstart: getQuickstart,
  extract_schema: extractSchema,
  ask_question: askQuestion,
} satisfies Record<BuiltInToolName, Tool<ToolContext>>

/** The tools of a server in its order. Skips selected names that do not exist. */
export function toolsOf(server: ToolsOfServer): Tool<ToolContext>[] {
  const names = new Set<string>()
  const tools = server.tools.flatMap((name) => toolFor(name, server.sources) ?? customToolOf(server, name) ?? [])
  // Custom tools of one account have different names. If two have the same nevertheless, clients would reject both.
  return tools.filter(({ listed: { name } }) => names.size < names.add(name).size)
}

type ToolsOfServer = Pick<ServedServer, 'tools' | 'sources' | 'customTools'>

/** The tool that a call names: a built-in tool, also if the server has it no longer, or one of its custom tools. */
export function calledTool(server: ToolsOfServer, name: string): Tool<ToolContext> | undefined {
  const selected = server.tools.find((each) =>
    server.customTools?.some((tool) => tool.selected === each && tool.plan.name === name),
  )
  // A custom tool that is older than this name can have it.
  const builtIn = name === REPORT_TOOL.name && !server.tools.includes(name) ? undefined : toolFor(name, server.sources)
  return builtIn ?? (selected === undefined ? undefined : customToolOf(server, selected))
}

/** A built-in tool, adapted to the sources of the server. */
export function toolFor(name: string, sources: SourcesOfTool): Tool<ToolContext> | undefined {
  if (name.startsWith(CHATGPT)) return CHATGPT_TOOLS.find(({ listed }) => CHATGPT + listed.name === name)
  if (name === REPORT_TOOL.name) return reportProblem
  if (name === 'query_source') return querySourceFor(sources)
  return Object.hasOwn(TOOLS, name) ? TOOLS[name as BuiltInToolName] : undefined
}

function customToolOf({ customTools = [], sources }: ToolsOfServer, selected: string): Tool<ToolContext> | undefined {
  const found = customTools.find((each) => each.selected === selected)
  return found && customTool(found.plan, toolFor, sources)
}
