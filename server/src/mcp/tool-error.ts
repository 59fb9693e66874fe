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
