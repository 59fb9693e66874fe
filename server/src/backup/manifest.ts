import { z } from 'zod'
import { ENGINES } from '#store/db.ts'

/** Version of the backup format. A program reads only this version. */
export const BACKUP_FORMAT = 1

const count = z.number().int().min(0)

/** The table of contents, the last but one entry of a backup. */
export const manifestSchema = z.object({
  format: z.literal(BACKUP_FORMAT),
  /** Version of Docent that wrote it. */
  docent: z.string(),
  engine: z.enum(ENGINES),
  /** Version of the database schema. */
  schema: count,
  createdAt: z.iso.datetime(),
  /** True if it contains the key that credentials are encrypted with. */
  hasKey: z.boolean(),
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()), rows: count })),
  parts: z.array(z.object({ path: z.string(), table: z.string(), rows: count, bytes: count, sha256: z.string() })),
})

export type Manifest = z.output<typeof manifestSchema>

/** Names of the entries besides the parts. */
export const ENTRY = { manifest: 'manifest.json', checksum: 'manifest.json.sha256', key: 'secret.key' } as const
