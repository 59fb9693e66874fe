import { SegmentFormatError } from '#search/segment/segment-error.ts'

const REBUILDING = 'The index is being rebuilt after an update of the service. Try again in a minute.'

/** A refusal by a tool. The message tells the caller how to correct the call. */
export class ToolError extends Error {
  override name = 'ToolError'
  /** `arguments`: a different call can succeed. `failed`: the tool could not do its work. */
  readonly reason: 'arguments' | 'failed'

  constructor(reason: 'arguments' | 'failed', message: string) {
    super(message)
    this.reason = reason
  }
}

/** The caller-facing error of a failed call: a tool's refusal unchanged, or null for a bug. */
export function asToolError(error: unknown): ToolError | null {
  if (error instanceof ToolError) return error
  return error instanceof SegmentFormatError ? new ToolError('failed', REBUILDING) : null
}
