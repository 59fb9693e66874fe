import { z } from 'zod'

/*
 * Lenient schemas for remote MCP servers: optional members of the wrong type count as absent, so that one bad entry
 * does not invalidate a list. All text is untrusted.
 */

const text = z.string().nullable().catch(null)
const object = z.record(z.string(), z.unknown())

export const RemoteToolSchema = z.object({
  name: z.string().min(1),
  title: text,
  description: text,
  inputSchema: object.catch({ type: 'object' }),
  outputSchema: object.nullable().catch(null),
  annotations: z
    .object({
      title: text,
      readOnlyHint: z.boolean().nullable().catch(null),
      destructiveHint: z.boolean().nullable().catch(null),
    })
    .nullable()
    .catch(null),
})
export type RemoteTool = z.output<typeof RemoteToolSchema>

const described = { title: text, description: text, mimeType: text }

export const RemoteResourceSchema = z.object({ uri: z.string().min(1), name: text, ...described })
export type RemoteResource = z.output<typeof RemoteResourceSchema>

export const RemoteTemplateSchema = z.object({ uriTemplate: z.string().min(1), name: text, ...described })
export type RemoteTemplate = z.output<typeof RemoteTemplateSchema>

export const RemotePromptSchema = z.object({
  name: z.string().min(1),
  title: text,
  description: text,
  arguments: z
    .array(z.object({ name: z.string(), description: text, required: z.boolean().nullable().catch(null) }))
    .nullable()
    .catch(null),
})
export type RemotePrompt = z.output<typeof RemotePromptSchema>

/** A resource's contents: `text`, or `blob` in base64. */
export const RemoteContentsSchema = z.object({ uri: text, mimeType: text, text, blob: text })
export type RemoteContents = z.output<typeof RemoteContentsSchema>

/** One block of a tool's result: `text`, `image`, `audio`, `resource`, `resource_link`, or a future type. */
export const RemoteBlockSchema = z.object({
  type: z.string(),
  text,
  mimeType: text,
  uri: text,
  name: text,
  resource: RemoteContentsSchema.nullable().catch(null),
})
export type RemoteBlock = z.output<typeof RemoteBlockSchema>
