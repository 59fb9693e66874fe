import type { EndpointTool } from '#mcp/dispatch/endpoint.ts'
import { serialiseResult } from '#mcp/definition/tool-result.ts'
import type { Tool } from '#mcp/definition/tool.ts'

/** Binds a tool to run in this thread. */
export function bindTool<C>({ listed, prepare }: Tool<C>, context: C): EndpointTool {
  return {
    listed,
    prepare(args) {
      const run = prepare(args)
      return async (form, signal) => serialiseResult(await run(context, signal), form)
    },
  }
}
