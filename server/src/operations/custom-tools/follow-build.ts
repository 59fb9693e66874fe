import type { OperationDeps } from '../operation.ts'
import { presentCustomTool } from './present.ts'

const STOPPED = 'The service stops. The build continues when it has started again: read the tool by its id.'

/**
 * The events of a build, for its client. Ends with exactly one `tool` or `error`. The build continues without readers.
 */
export async function* followBuild({ builds }: Pick<OperationDeps, 'builds'>, toolId: string) {
  for await (const event of builds.follow(toolId)) {
    if (event.type === 'tool') {
      yield { type: 'tool' as const, tool: presentCustomTool(event.tool) }
      return
    }
    yield event
    if (event.type === 'error') return
  }
  yield { type: 'error' as const, message: STOPPED }
}
