import type { Endpoint, EndpointTool } from './endpoint.ts'
import { RawJson } from '#mcp/protocol/raw-json.ts'
import { type ResultForm, serialiseResult } from '#mcp/definition/serialised-result.ts'
import type { ListedTool, Tool } from '#mcp/definition/tool.ts'
import { RPC, type RpcError } from '#mcp/protocol/json-rpc.ts'

/** Binds a tool to run in this thread. */
export function bindTool<C>({ listed, requires, prepare }: Tool<C>, context: C): EndpointTool {
  return {
    listed,
    ...(requires ? { requires } : {}),
    prepare(args) {
      const run = prepare(args)
      return async (form, signal) => serialiseResult(await run(context, signal), form)
    },
  }
}

/** The tools in the format of `tools/list`. */
export function listTools(tools: readonly Pick<EndpointTool, 'listed'>[], { structured }: ResultForm): RawJson {
  // A client that knows an output schema rejects results without structured content.
  return new RawJson(JSON.stringify(tools.map(({ listed }) => (structured ? listed : withoutOutput(listed)))))
}

function withoutOutput({ name, title, description, inputSchema, annotations }: ListedTool) {
  return { name, title, description, inputSchema, annotations }
}

/** Refuses a request for a list of a single page with a cursor, because no cursor is valid. Null without one. */
export function refuseCursor(method: string, { cursor }: Record<string, unknown>): RpcError | null {
  if (cursor === undefined || cursor === null || cursor === '') return null
  return { code: RPC.invalidParams, message: `The cursor is not one of ours: ${method} has a single page.` }
}

/** Capabilities of an endpoint. Lists change with the sources, without a notification. */
export function capabilitiesOf({ resources }: Endpoint): Record<string, object> {
  return { tools: {}, ...(resources === undefined ? {} : { resources: {} }) }
}
