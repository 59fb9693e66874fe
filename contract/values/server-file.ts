import { z } from 'zod'
import { PINS, RETRIEVAL_RULE } from '#limits.ts'
import { CustomToolPlanSchema } from './custom-tool-plan.ts'
import { RedactionSchema } from './redaction.ts'
import { MOST_EFFECTS, RuleEffectSchema } from './rule-effects.ts'
import { RefreshSchema, StructuredOutputSchema, WebPagesSchema } from './server-fields.ts'
import { SOURCE_TYPES } from './source-kinds.ts'
import { AllowedToolsSchema, MAX_URL, patterns } from './sources.ts'

/** Version of the format. A program reads only this one. */
export const SERVER_FILE = 1
/** Other addresses of a page. Further ones are read again with the next refresh. */
export const MOST_COPIES = 1_000

const id = z.string().min(1).max(100)
const text = (most: number) => z.string().max(most)
const url = text(MAX_URL * 2)
const offset = z.int().min(0)
const span = { start: offset, end: offset }
const divided = { ...span, continues: z.literal(true).optional() }
const resuming = { ...divided, resumes: z.int().min(1).max(6).optional() }
const anchor = text(2_000).nullable()

const Block = z.discriminatedUnion('kind', [
  z.strictObject({
    ...divided,
    kind: z.literal('heading'),
    level: z.int().min(1).max(6),
    text: text(10_000),
    anchor,
    declares: z.literal(true).optional(),
  }),
  z.strictObject({
    ...resuming,
    kind: z.literal('code'),
    codeStart: offset,
    codeEnd: offset,
    language: text(100).nullable(),
  }),
  z.strictObject({ ...resuming, kind: z.enum(['paragraph', 'list', 'table', 'definition', 'callout', 'image']) }),
])

const ENTRY_KINDS = 'member option setting command release definition endpoint schema message step question'.split(' ')
const Entry = z.strictObject({
  ...span,
  kind: z.enum(ENTRY_KINDS),
  name: z.strictObject(span),
  keys: z.array(z.int().min(0).max(0xff_ff_ff_ff)).max(1_000),
})

const Chunk = z.strictObject({
  ...span,
  headings: z.array(text(10_000)).max(64),
  anchor,
  turns: z
    .array(z.strictObject({ start: offset, anchor: text(2_000) }))
    .max(10_000)
    .optional(),
  blocks: z.array(Block).max(100_000),
  entries: z.array(Entry).max(100_000).optional(),
})

/** The lines of the file of a server, in the order in which their kinds stand here. */
export const ServerFileLine = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('docent-server'),
    format: z.literal(SERVER_FILE),
    docent: text(100).describe('Version of the program that wrote it'),
    exportedAt: z.iso.datetime(),
  }),
  z.strictObject({
    kind: z.literal('server'),
    name: z.string().trim().min(1).max(200),
    description: text(2_000).nullable(),
    visibility: z.enum(['public', 'private']),
    tools: z.array(text(200)).max(10).describe('Built-in names, or `custom:` with the id of a tool below'),
    refresh: RefreshSchema,
    structuredOutput: StructuredOutputSchema,
    redaction: RedactionSchema,
    webPages: WebPagesSchema,
  }),
  z.strictObject({
    kind: z.literal('tool'),
    id,
    name: z.string().regex(/^[a-z][a-z0-9_]{0,63}$/),
    displayName: text(200),
    description: text(2_000),
    inputSchema: text(100_000).describe('JSON Schema, as text'),
    plan: CustomToolPlanSchema,
  }),
  z.strictObject({
    kind: z.literal('source'),
    id,
    url,
    type: z.enum(SOURCE_TYPES),
    label: text(100).nullable(),
    isPrivate: z.boolean().describe('Read with a credential, which the file does not have'),
    allowedTools: AllowedToolsSchema,
    ...patterns,
  }),
  z.strictObject({
    kind: z.literal('rule'),
    source: id.nullable(),
    sentence: text(RETRIEVAL_RULE.maxSentence),
    enabled: z.boolean(),
    priority: z.int().min(RETRIEVAL_RULE.minPriority).max(RETRIEVAL_RULE.maxPriority),
    effects: z.array(RuleEffectSchema).max(MOST_EFFECTS),
  }),
  z.strictObject({
    kind: z.literal('pin'),
    source: id,
    effect: z.enum(['first', 'never']),
    questions: z.array(text(PINS.maxQuestion)).max(PINS.questions),
    url,
    title: text(2_000),
    heading: text(10_000),
  }),
  z.strictObject({
    kind: z.literal('page'),
    source: id,
    url,
    title: text(10_000),
    hash: z
      .string()
      .regex(/^[0-9a-f]{32}$/)
      .describe('Hash of the text, which only has to differ from others'),
    language: text(20).nullable(),
    version: text(100).nullable(),
    markdown: text(4_000_000).describe('The text, whose UTF-16 units the offsets count'),
    chunks: z.array(Chunk).max(100_000).describe('The index of the page: passages with blocks and named entries'),
    links: z
      .array(z.tuple([url, text(10_000)]))
      .max(100_000)
      .describe('Links to other pages, with their texts'),
    labels: z.array(text(10_000)).max(1_000).describe('Texts of links to it in menus'),
    readAt: z.iso.datetime().optional().describe('When the page was read'),
    changedAt: z.iso.datetime().optional().describe('When it last changed, by the dates of its site'),
    copies: z
      .array(url)
      .min(1)
      .max(MOST_COPIES)
      .optional()
      .describe('Other addresses with the same text, as of its other versions'),
  }),
  z.strictObject({
    kind: z.literal('end'),
    lines: z.int().min(0).describe('Lines before this one'),
    sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .describe('Hash of these lines, with their line ends'),
  }),
])

export type ServerFileLine = z.output<typeof ServerFileLine>
