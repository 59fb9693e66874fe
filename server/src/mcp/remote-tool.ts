import { REMOTE_TOOL_NAME } from '@docent/contract/sources'
import type { RemoteTool } from '#upstream/remote-shapes.ts'

/** Whether the tool says that it only reads, and nothing against that. */
export function isReadOnly({ annotations }: RemoteTool): boolean {
  return annotations?.readOnlyHint === true && annotations.destructiveHint !== true
}

/** Names stand outside of fences, in lists and in calls. One that could hold a sentence is not shown and not called. */
export function hasPlainName({ name }: RemoteTool): boolean {
  return REMOTE_TOOL_NAME.test(name)
}
