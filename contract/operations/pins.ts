import { z } from 'zod'
import { ServerParameterSchema, createdAt, ok, sourceId } from '#fields.ts'
import { PINS } from '#limits.ts'
import { defineOperation } from '#operation.ts'
import { ComparedSchema, sectionFields } from '#values/compared-answers.ts'

const HOUR_MS = 60 * 60 * 1000

const effect = z
  .enum(['first', 'never'])
  .describe('`first`: the section is shown first and whole; `never`: it is left out')

const QuestionsSchema = z
  .array(z.string().trim().min(1).max(PINS.maxQuestion))
  .min(1)
  .max(PINS.questions)
  .describe(
    `Questions as users ask them, ${PINS.questions} at most. A question with the same content terms is the same question`,
  )

const place = { ...sectionFields, sourceId }

const PinSchema = z.object({
  id: z.string().describe('Id of the pin'),
  effect,
  questions: QuestionsSchema,
  ...place,
  isStale: z.boolean().describe('True if the section is gone from the index: the pin then does nothing'),
  createdAt,
})

const SectionSchema = ServerParameterSchema.extend({
  effect: effect.default('first'),
  questions: QuestionsSchema,
  url: z
    .string()
    .min(1)
    .max(2_000)
    .describe('Address of the section, with its anchor, as results and citations have it'),
  heading: z
    .string()
    .max(1_000)
    .optional()
    .describe('Headings of the section, as citations have them. Needed on pages whose headings have no anchors'),
  sourceId: z.string().max(60).optional().describe('Id of the source, if several have the page'),
})

export const listPins = defineOperation({
  method: 'GET',
  path: '/api/mcp/{id}/pins',
  auth: 'key',
  needs: ['viewer', 'read'],
  resource: 'server',
  summary: 'List the pins of a server, oldest first',
  input: ServerParameterSchema,
  output: z.object({
    pins: z.array(PinSchema).describe('Pins of the server'),
    limit: z.literal(PINS.perServer).describe('Pins that the server can have'),
  }),
  errors: ['unauthorized', 'server_not_found'],
})

export const createPin = defineOperation({
  method: 'POST',
  path: '/api/mcp/{id}/pins',
  auth: 'key',
  needs: ['editor', 'write'],
  resource: 'server',
  rateLimit: { limit: 200, windowMs: HOUR_MS, of: 'requests to make a pin' },
  onceByKey: true,
  summary: 'Pin a section to questions, or leave it out for them',
  description: `A pin decides about one section for some questions: it is shown first and whole, or never. Answers and
searches follow it from the next request on. The confidence of an answer is computed as without the pin. Of two pins
about one section and one question the newer one holds. [Pins](pins.md) says which questions are the same.`,
  input: SectionSchema,
  output: z.object({ pin: PinSchema.describe('The new pin') }),
  errors: [
    'unauthorized',
    'server_not_found',
    'invalid_input',
    'too_many_requests',
    'pin_section_not_found',
    'pin_limit',
    'idempotency_key_malformed',
    'idempotency_key_reused',
  ],
})

/** Calls of the log that a preview reads, and those that it runs again. */
export const PREVIEWED = { read: 1_000, run: 20 } as const

export const previewPin = defineOperation({
  method: 'POST',
  path: '/api/mcp/{id}/pins/preview',
  auth: 'key',
  needs: ['editor', 'write'],
  audited: false,
  resource: 'server',
  rateLimit: { limit: 120, windowMs: HOUR_MS, of: 'previews of a pin' },
  summary: 'Show the answers to questions with and without a pin, without saving it',
  description: `Answers the given questions, and those of the last ${PREVIEWED.read} calls that are the same, with and
without the pin. Language models and remote servers are not called: the answers are quotations.`,
  input: SectionSchema,
  output: z.object({
    section: z.object(place).describe('The section as the index has it'),
    answers: z.array(ComparedSchema).describe('The given questions'),
    past: z
      .array(ComparedSchema)
      .describe(`Calls of the log that the pin changes, ${PREVIEWED.run} at most; latest first`),
    complete: z.boolean().describe('False if there was no time for all calls, or if there are more'),
  }),
  errors: ['unauthorized', 'server_not_found', 'invalid_input', 'too_many_requests', 'pin_section_not_found'],
})

export const deletePin = defineOperation({
  method: 'DELETE',
  path: '/api/mcp/{id}/pins/{pinId}',
  auth: 'key',
  needs: ['editor', 'publish'],
  resource: 'pin',
  summary: 'Delete a pin, with effect on the next request',
  input: ServerParameterSchema.extend({ pinId: z.string().describe('Id of the pin') }),
  output: z.object({ ok }),
  errors: ['unauthorized', 'server_not_found', 'pin_not_found'],
})

export const findSections = defineOperation({
  method: 'POST',
  path: '/api/mcp/{id}/pins/sections',
  auth: 'key',
  needs: ['editor', 'write'],
  audited: false,
  resource: 'server',
  rateLimit: { limit: 600, windowMs: HOUR_MS, of: 'searches for a section to pin' },
  summary: 'Find sections that could answer a question, to pin one of them',
  description: `Says which words of the question no section has. A pin or a rule chooses among sections, so neither
helps with a question that the sources do not answer: \`remark\` then says so.`,
  input: ServerParameterSchema.extend({
    question: z.string().trim().min(1).max(PINS.maxQuestion).describe('The question'),
    query: z.string().trim().max(PINS.maxQuestion).optional().describe('Words to search for instead of the question'),
  }),
  output: z.object({
    sections: z
      .array(z.object({ ...place, text: z.string().describe('Beginning of the section, in Markdown') }))
      .describe('Sections, best first'),
    missing: z.array(z.string()).describe('Words of the question that no page has'),
    remark: z
      .string()
      .nullable()
      .describe(
        'Says so if the sources do not seem to answer the question, so that no pin and no rule helps; else null',
      ),
  }),
  errors: ['unauthorized', 'server_not_found', 'invalid_input', 'too_many_requests'],
})

export const pinOperations = {
  'pins.list': listPins,
  'pins.create': createPin,
  'pins.preview': previewPin,
  'pins.sections': findSections,
  'pins.delete': deletePin,
} as const
