import { z } from 'zod'

const ListCursorSchema = z.object({
  /** Time of the latest known change, in the host's format. */
  since: z.string().nullable(),
  /** ETag and URL of the first page. */
  etag: z.string().nullable(),
  url: z.string(),
  /** Time of the last full reading, in milliseconds since 1970. */
  fullAt: z.number(),
})
/** Cursor of one list of issues, releases or similar. */
export type ListCursor = z.infer<typeof ListCursorSchema>

const ReadingCursorSchema = z.object({
  /** Version of the service and `TEXT_FORMAT`: another version may produce other documents from the same files. */
  by: z.string(),
  files: z
    .object({
      commit: z.string(),
      ref: z.string(),
      path: z.string(),
      /** URL prefixes of all documents from the files. */
      prefixes: z.array(z.string()),
    })
    .nullable(),
  talk: z.record(z.string(), ListCursorSchema),
})
/** State kept from one reading of a repository to the next. */
export type ReadingCursor = z.infer<typeof ReadingCursorSchema>

/** Parses the state of the last reading. Returns an empty one if another version wrote it. */
export function parseCursor(text: string | null, by: string): ReadingCursor {
  const nothing = { by, files: null, talk: {} }
  if (text === null) return nothing
  const { data } = ReadingCursorSchema.safeParse(JSON.parse(text))
  return data?.by === by ? data : nothing
}
