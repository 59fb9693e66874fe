/** An unreadable pack. The message is the end of a sentence, such as "it is damaged". */
export class PackError extends Error {
  override name = 'PackError'
}
