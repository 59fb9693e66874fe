import { REMOTE_TOOL_NAME } from '@docent/contract/values/sources'
import type { RemoteTool } from '#upstream/remote-shapes.ts'

/** True if the tool declares itself read-only and declares nothing to the contrary. */
export function isReadOnly({ annotations }: RemoteTool): boolean {
  return annotations?.readOnlyHint === true && annotations.destructiveHint !== true
}

/**
 * Names appear outside fences, in lists and calls. A name that could contain a sentence is neither shown nor called.
 */
export function hasPlainName({ name }: RemoteTool): boolean {
  return REMOTE_TOOL_NAME.test(name)
}
