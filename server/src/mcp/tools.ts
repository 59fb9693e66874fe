import type { ServedServer } from '#store/served.ts'
import type { Tool } from './tool.ts'
import type { ToolContext } from './tool-context.ts'
import { askQuestion } from './tools/ask-question.ts'
import { getCodeExamples } from './tools/get-code-examples.ts'
import { querySource } from './tools/query-source.ts'
import { searchDocs } from './tools/search-docs.ts'

/** The built-in tools that are there, by the name under which a server selects them. */
export const TOOLS: ReadonlyMap<string, Tool<ToolContext>> = new Map(
  [searchDocs, querySource, getCodeExamples, askQuestion].map((tool) => [tool.listed.name, tool]),
)

/** The tools of a server in its own order; selected names that are not there are left out. */
export function toolsOf({ tools }: Pick<ServedServer, 'tools'>): Tool<ToolContext>[] {
  return tools.flatMap((name) => TOOLS.get(name) ?? [])
}
