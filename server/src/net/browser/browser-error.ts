/** A page could not be rendered. The message is a sentence for people. */
export class BrowserError extends Error {
  override name = 'BrowserError'
  /** `start`: no browser is available, as opposed to a page that failed to render. */
  readonly reason: 'start' | 'crash' | 'timeout' | 'too_large' | 'page'

  constructor(reason: BrowserError['reason'], message: string, options: ErrorOptions = {}) {
    super(message, options)
    this.reason = reason
  }
}
