/** Wrong usage of a program. The message is a sentence; the usage is printed after it. */
export class UsageError extends Error {
  override name = 'UsageError'
}
