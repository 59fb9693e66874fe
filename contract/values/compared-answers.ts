import { z } from 'zod'

/** A section of a page, as citations name it. */
export const sectionFields = {
  title: z.string().describe('Title of the page'),
  heading: z.string().describe('Headings of the section; empty at the start of a page'),
  url: z.string().describe('Address of the section'),
}

const AnswerSchema = z.object({
  text: z.string().describe('The answer, or the passages found, in Markdown'),
  confidence: z.string().nullable().describe('Confidence of the answer; null for a search'),
  cited: z.array(z.object(sectionFields)).describe('Places that it shows or cites, in order'),
})

/** The answers to a question before and after a change of rules or pins. */
export const ComparedSchema = z.object({
  question: z.string().describe('The question'),
  tool: z.string().describe('Name of the tool that answers it'),
  callId: z.string().nullable().describe('Id of its last call; null for a question that is not from the request log'),
  changes: z.boolean().describe('Whether the answer changes'),
  before: AnswerSchema.describe('The answer without the change'),
  after: AnswerSchema.describe('The answer with the change'),
})
