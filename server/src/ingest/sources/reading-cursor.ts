import { z } from 'zod'

const ListCursorSchema = z.object({
  /** The latest change that was seen, as the host writes times. */
  since: z.string().nullable(),
  /** Of the first page that the next reading asks for, and the address that it was had from. */
  etag: z.string().nullable(),
  url: z.string(),
  /** When the whole list was last read, in milliseconds since 1970. */
  fullAt: z.number(),
})
/** How far one list of what people say about a repository has been read. */
export type ListCursor = z.infer<typeof ListCursorSchema>

const ReadingCursorSchema = z.object({
  /** Version of the service and `TEXT_FORMAT`: others may make other documents of the same files. */
  by: z.string(),
  files: z
    .object({
      commit: z.string(),
      ref: z.string(),
      path: z.string(),
      /** What the addresses of all that was read from the files begin with. */
      prefixes: z.array(z.string()),
    })
    .nullable(),
  talk: z.record(z.string(), ListCursorSchema),
})
/** What a reading of a repository leaves for the next. */
export type ReadingCursor = z.infer<typeof ReadingCursorSchema>

/** What the last reading left, where this version left it; an empty one otherwise. */
export function parseCursor(text: string | null, by: string): ReadingCursor {
  const nothing = { by, files: null, talk: {} }
  if (text === null) return nothing
  const { data } = ReadingCursorSchema.safeParse(JSON.parse(text))
  return data?.by === by ? data : nothing
}
