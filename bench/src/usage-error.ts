/** A program was called in a way that it cannot be. The message is a sentence; how it is called is said behind it. */
export class UsageError extends Error {
  override name = 'UsageError'
}
