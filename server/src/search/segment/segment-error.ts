/** The bytes are no segment, or one that this program cannot read. */
export class SegmentError extends Error {
  override name = 'SegmentError'
}

/** Another version of this program wrote the segment, in a format of its own. It can be built anew from the texts. */
export class SegmentFormatError extends SegmentError {
  override name = 'SegmentFormatError'
}
