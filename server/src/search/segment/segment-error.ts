/** The bytes are no segment, or one that this program cannot read. */
export class SegmentError extends Error {
  override name = 'SegmentError'
}
