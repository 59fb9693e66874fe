import type { OperationId } from '@docent/contract/operations'
import type { ComponentChildren } from 'preact'
import { useWhyRefused } from '../api/may.ts'

/** What a member sees who may call an operation. Others see nothing, or with `says` the reason. */
export function Allowed({ to, says, children }: { to: OperationId; says?: boolean; children: ComponentChildren }) {
  const why = useWhyRefused()(to)
  if (why === null) return <>{children}</>
  return says ? <p class="mute reason">{why}</p> : null
}
