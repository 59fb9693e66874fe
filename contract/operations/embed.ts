import { z } from 'zod'
import { EMBED_TOOLS } from '#values/embed-tools.ts'
import { outcome } from '#values/analytics-fields.ts'
import { ok } from '#fields.ts'
import { defineOperation } from '#operation.ts'

/** Lifetime of an embed session: a working day. A page that stays open longer opens another one. */
export const EMBED_SESSION_MS = 12 * 60 * 60 * 1000

const MINUTE_MS = 60 * 1000

/**
 * A visitor is the user of an attribution token, else a network address: of IPv6 one /64, with four times the limit for
 * its /56 and 16 times for its /48. People read an answer before they ask again. The limits of a configuration bound what
 * all visitors together cost its owner, once for those with a token and once for the others.
 */
export const EMBED_LIMITS = {
  sessionsOfVisitor: { limit: 30, windowMs: 10 * MINUTE_MS, of: 'sessions of one visitor' },
  sessionsOfConfiguration: { limit: 300, windowMs: MINUTE_MS, of: 'sessions of one widget' },
  questionsOfVisitor: { limit: 12, windowMs: MINUTE_MS, of: 'questions of one visitor' },
  questionsOfConfiguration: { limit: 120, windowMs: MINUTE_MS, of: 'questions to one widget' },
  feedbackOfVisitor: { limit: 30, windowMs: MINUTE_MS, of: 'opinions of one visitor' },
  feedbackOfConfiguration: { limit: 300, windowMs: MINUTE_MS, of: 'opinions about one widget' },
} as const

/** Questions that a widget proposes before the first one. */
export const MAX_EMBED_QUESTIONS = 3

const TOOL_NAMES = EMBED_TOOLS.map(({ name }) => name)
export const embedTool = z.enum(TOOL_NAMES)

export const embedQuestion = z.string().trim().min(1).max(2_000).describe('The question, or what to look for')

const getEmbedConfiguration = defineOperation({
  method: 'GET',
  path: '/api/embed/configurations/{configurationId}',
  auth: 'none',
  resource: 'configuration',
  summary: 'Read how a widget looks and which tools it has',
  description: 'For the widget. A page of another domain than the configuration’s gets 403 `origin_not_allowed`.',
  input: z.object({ configurationId: z.string().describe('Id of the configuration') }),
  output: z.object({
    layout: z.enum(['horizontal', 'vertical']).describe('Where the tabs are'),
    fontFamily: z.string().describe('Font; empty: that of the page'),
    colors: z.record(z.string(), z.string()).describe('CSS colors by name'),
    tools: z
      .array(
        z.object({
          name: embedTool.describe('Name of the tool'),
          title: z.string().describe('Label of its tab'),
        }),
      )
      .describe('The tools in the order of the tabs; at least one'),
    questions: z
      .array(z.string())
      .max(MAX_EMBED_QUESTIONS)
      .optional()
      .describe(
        'Questions to begin with, which public servers of the widget answer; absent if there are none, or no tool for questions',
      ),
  }),
  errors: ['configuration_not_found', 'origin_not_allowed'],
})

const openEmbedSession = defineOperation({
  method: 'POST',
  path: '/api/embed/sessions',
  auth: 'none',
  resource: 'configurationInBody',
  summary: 'Open a session of a widget, with or without an attribution token',
  description: `For the widget. An attribution token is used up by it, whether or not the session asks anything. Without
one, private servers do not answer. At most ${EMBED_LIMITS.sessionsOfVisitor.limit} sessions in 10 minutes for one visitor, and ${EMBED_LIMITS.sessionsOfConfiguration.limit} in a minute for one
configuration. A visitor is the user of the token, else a network address; visitors with a token have a limit of the
configuration apart. A refused token is not used up.`,
  input: z.object({
    configurationId: z.string().describe('Id of the configuration'),
    attributionToken: z.string().nullish().describe('Token from `POST /api/attribution/token`'),
  }),
  output: z.object({
    session: z.string().describe('Secret of the session, `des_…`, for questions'),
    expiresAt: z.iso.datetime().describe('When the session ends'),
    attributed: z.boolean().describe('Whether it belongs to the owner of an attribution token'),
  }),
  errors: [
    'invalid_input',
    'configuration_not_found',
    'origin_not_allowed',
    'attribution_token_invalid',
    'too_many_requests',
  ],
})

export const AnswerPartSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('begin').describe('The question was accepted') }),
  z.object({
    type: z.literal('citation').describe('A source of the answer; it comes before the text that refers to it'),
    n: z.number().int().describe('Number of the citation'),
    title: z.string().describe('Title of the page'),
    heading: z.string().describe('Headings below the title; empty at the top of a page'),
    url: z.string().describe('Address of the page'),
  }),
  z.object({
    type: z.literal('text').describe('The next part of the answer'),
    text: z.string().describe('Markdown in which `[n]` refers to citation n'),
  }),
  z.object({
    type: z.literal('progress').describe('How far the answer is, while a language model writes it'),
    message: z.string().describe('A sentence for people'),
  }),
  z.object({
    type: z.literal('restart').describe('The text and the citations so far are withdrawn; others follow'),
  }),
  z.object({
    type: z.literal('end').describe('The answer is complete'),
    outcome,
    confidence: z
      .enum(['high', 'medium', 'low', 'none'])
      .nullable()
      .describe('How well the sources support an answer to a question; null for other tools'),
    followUps: z.array(z.string()).describe('Questions to ask next'),
    remark: z.string().optional().describe('How the answer was made, such as without the language model, and why'),
    call: z.string().describe('Id of the call, for feedback'),
  }),
  z.object({
    type: z.literal('error').describe('There is no answer'),
    message: z.string().describe('What happened and what to do, for people'),
  }),
])

export type AnswerPart = z.output<typeof AnswerPartSchema>

const askEmbedded = defineOperation({
  method: 'POST',
  path: '/api/embed/ask',
  auth: 'none',
  produces: 'application/x-ndjson',
  summary: 'Ask a question in a session of a widget',
  description: `For the widget. Counts as a call of the account that owns the configuration. At most ${EMBED_LIMITS.questionsOfVisitor.limit} questions in a minute
for one visitor, and ${EMBED_LIMITS.questionsOfConfiguration.limit} for one configuration.`,
  input: z.object({
    session: z.string().describe('Secret of the session'),
    question: embedQuestion,
    tool: embedTool.nullish().describe('The tool to use; by default the first one of the configuration'),
  }),
  output: AnswerPartSchema,
  errors: [
    'invalid_input',
    'embed_session_ended',
    'origin_not_allowed',
    'embed_tool_not_enabled',
    'embed_token_missing',
    'too_many_requests',
    'embed_without_sources',
  ],
})

const saveEmbedFeedback = defineOperation({
  method: 'POST',
  path: '/api/embed/feedback',
  auth: 'none',
  summary: 'Say whether an answer of a widget helped',
  description: `For the widget. The request log shows it with the call. A later one replaces it. At most ${EMBED_LIMITS.feedbackOfVisitor.limit} in a minute for one
visitor, and ${EMBED_LIMITS.feedbackOfConfiguration.limit} for one configuration.`,
  input: z.object({
    session: z.string().describe('Secret of the session'),
    call: z
      .string()
      .regex(/^call_[0-9A-Za-z]{20,40}$/, 'must be the id at the end of an answer')
      .describe('Id of the call, from the end of the answer'),
    helpful: z.boolean().describe('Whether the answer helped'),
  }),
  output: z.object({ ok }),
  errors: ['invalid_input', 'embed_session_ended', 'origin_not_allowed', 'too_many_requests'],
})

export const embedOperations = {
  'embed.configuration': getEmbedConfiguration,
  'embed.openSession': openEmbedSession,
  'embed.ask': askEmbedded,
  'embed.feedback': saveEmbedFeedback,
} as const
