import type { Log } from '#log.ts'
import type { OperationDeps } from '#operations/operation.ts'
import type { Bodies } from './incoming-body.ts'
import type { McpDoor } from './mcp-door.ts'

/** What the service hands to its HTTP side. */
export type AppDeps = {
  operations: OperationDeps
  mcp: McpDoor
  /** What request bodies under way share. */
  bodies: Bodies
  /** Aborted when the service stops. */
  stopping: AbortSignal
  log: Log
  /** Whether the store answers, for `/readyz`. */
  isReady: () => Promise<boolean>
}
