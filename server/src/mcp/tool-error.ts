import { SegmentFormatError } from '#search/segment/segment-error.ts'

const REBUILDING = 'The index is being rebuilt after an update of the service. Try again in a minute.'

/** A tool's own refusal. Its message is for the caller and says how to mend the call. */
export class ToolError extends Error {
  override name = 'ToolError'
  /** `arguments`: another call can succeed; `failed`: the tool could not do its work. */
  readonly reason: 'arguments' | 'failed'

  constructor(reason: 'arguments' | 'failed', message: string) {
    super(message)
    this.reason = reason
  }
}

/** What the caller is told of an error that a call met: a tool's refusal as it is, and null for what is a bug. */
export function asToolError(error: unknown): ToolError | null {
  if (error instanceof ToolError) return error
  return error instanceof SegmentFormatError ? new ToolError('failed', REBUILDING) : null
}
