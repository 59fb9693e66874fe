/** The bytes are not a segment, or not readable by this version. */
export class SegmentError extends Error {
  override name = 'SegmentError'
}

/** The segment has the format of another version. It can be rebuilt from the texts. */
export class SegmentFormatError extends SegmentError {
  override name = 'SegmentFormatError'
}
