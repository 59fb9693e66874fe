import type { Log } from '#log.ts'
import type { OperationDeps } from '#operations/operation.ts'
import type { McpDoor } from './mcp-door.ts'

/** What the service hands to its HTTP side. */
export type AppDeps = {
  operations: OperationDeps
  mcp: McpDoor
  log: Log
  /** Whether the store answers, for `/readyz`. */
  isReady: () => Promise<boolean>
}
