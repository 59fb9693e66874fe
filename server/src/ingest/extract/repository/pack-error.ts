/** Why a pack cannot be read, as the end of a sentence: "it is damaged". */
export class PackError extends Error {
  override name = 'PackError'
}
