import type { EndpointTool } from './endpoint.ts'
import { RawJson } from './raw-json.ts'
import { type ResultForm, serialiseResult } from './serialised-result.ts'
import type { ListedTool, Tool } from './tool.ts'

/** A tool that runs in this thread. */
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

/** The tools as `tools/list` gives them. */
export function listTools(tools: readonly Pick<EndpointTool, 'listed'>[], { structured }: ResultForm): RawJson {
  // A client that is told of a schema refuses results without structured content.
  return new RawJson(JSON.stringify(tools.map(({ listed }) => (structured ? listed : withoutOutput(listed)))))
}

function withoutOutput({ name, title, description, inputSchema, annotations }: ListedTool) {
  return { name, title, description, inputSchema, annotations }
}
