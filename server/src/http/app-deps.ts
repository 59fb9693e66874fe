import type { Log } from '#log.ts'
import type { OperationDeps } from '#operations/operation.ts'
import type { Dashboard } from './dashboard.ts'
import type { Bodies } from './incoming-body.ts'
import type { AccountEndpointOf } from './account/account-endpoint.ts'
import type { McpEndpoints } from './mcp-handler.ts'

/** Dependencies of the HTTP side. */
export type AppDeps = {
  operations: OperationDeps
  mcp: McpEndpoints
  /** The MCP endpoint for managing an account. */
  accountMcp: AccountEndpointOf
  /** The built dashboard. Null: it is off, or was not built. */
  dashboard: Dashboard | null
  /** State shared by all request bodies in progress. */
  bodies: Bodies
  /** External address of the SDK interface, if it has its own. */
  sdkUrl: string | null
  /** Aborted on shutdown. */
  stopping: AbortSignal
  log: Log
  /** True if the store answers. Serves `/readyz`. */
  isReady: () => Promise<boolean>
}
