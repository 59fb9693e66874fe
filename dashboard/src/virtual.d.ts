declare module 'virtual:operations' {
  import type { OperationId } from '@docent/contract/operations'
  import type { Method } from '@docent/contract/operation'

  import type { Role } from '@docent/contract/values/permissions'

  /** `role`: if not every member may. `isWide`: not for members who see only some servers. */
  type Address = {
    method: Method
    path: `/api/${string}`
    consumes?: 'application/octet-stream'
    role?: Role
    isWide?: true
  }
  export const OPERATIONS: Readonly<Record<OperationId, Address>>
}

declare module '*.css'
