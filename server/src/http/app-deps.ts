import type { Log } from '#log.ts'
import type { OperationDeps } from '#operations/operation.ts'
import type { BodyBudget } from './body-budget.ts'
import type { McpDoor } from './mcp-door.ts'

/** What the service hands to its HTTP side. */
export type AppDeps = {
  operations: OperationDeps
  mcp: McpDoor
  /** Memory for request bodies under way. */
  bodies: BodyBudget
  /** Aborted when the service stops. */
  stopping: AbortSignal
  log: Log
  /** Whether the store answers, for `/readyz`. */
  isReady: () => Promise<boolean>
}
