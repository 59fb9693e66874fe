declare module 'virtual:operations' {
  import type { OperationId } from '@docent/contract/operations'
  import type { Method } from '@docent/contract/operation'

  export const OPERATIONS: Readonly<Record<OperationId, { method: Method; path: `/api/${string}` }>>
}

declare module '*.css'
