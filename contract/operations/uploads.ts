import { z } from 'zod'
import { ServerParameterSchema } from '#fields.ts'
import { MAX_UPLOAD_BYTES } from '#limits.ts'
import { defineOperation } from '#operation.ts'
import { SourceSchema } from '#values/sources.ts'

const HOUR_MS = 60 * 60 * 1000

/** Name of an upload on its server, and in the addresses that cite its files. After `@` there can be a version. */
export const UploadNameSchema = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9._-]{0,63}(?:@(?:v\d|\d+\.)[a-z0-9._-]{0,31})?$/,
    'must have 1 to 64 lower-case letters, digits, dots, hyphens and underscores, and begin with a letter or digit. A version, such as @1.2 or @v2, can follow',
  )

export const uploadSource = defineOperation({
  method: 'POST',
  path: '/api/mcp/{id}/sources/upload',
  auth: 'key',
  needs: ['editor', 'write'],
  resource: 'server',
  rateLimit: { limit: 60, windowMs: HOUR_MS, of: 'uploads' },
  consumes: 'application/octet-stream',
  summary: 'Upload files as a source of a server and start indexing them',
  description: `The body is one file, or a zip or tar archive (also compressed with gzip), of at most
${MAX_UPLOAD_BYTES >> 20} MB. Files can be Markdown, HTML, PDF, DOCX, PPTX, XLSX, ODT, EPUB, Jupyter notebooks, Org, plain text,
and whatever is read from a repository. An upload replaces the previous upload of the same name; unchanged files are not
processed again. \`handbook@2.1\` is version 2.1 of the source \`handbook\`, beside its other versions. Citations of files look like \`upload://<name>/<path>\`. Tools give the address of the file among the
pages of the server instead, unless \`webPages\` is off.`,
  input: ServerParameterSchema.extend({
    name: UploadNameSchema.describe('Name of the upload; an upload of the same name is replaced'),
    file: z
      .string()
      .min(1)
      .max(255)
      .regex(/^[^/\\\p{Cc}]+$/u, 'must be a name without folders')
      .optional()
      .describe('Name of the file, whose extension gives its type; not needed for archives and PDFs'),
    label: z.string().trim().min(1).max(100).optional().describe('Display name'),
  }),
  output: SourceSchema,
  errors: [
    'unauthorized',
    'too_many_requests',
    'server_not_found',
    'invalid_input',
    'upload_empty',
    'payload_too_large',
    'request_timeout',
    'chunks_too_small',
    'source_limit_reached',
    'source_credit_required',
    'source_size_limit_reached',
  ],
})

export const uploadOperations = {
  'sources.upload': uploadSource,
} as const
