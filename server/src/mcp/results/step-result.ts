import { z } from 'zod'
import { addressAt, headingPath } from '#library/library-page.ts'
import { type Phase, PHASES } from '#library/quickstart/classify-step.ts'
import type { Step } from '#library/quickstart/read-steps.ts'
import { codeMember } from '../definition/tool-result.ts'
import type { Entry } from './paged-answer.ts'

/** Members of a step in structured content. */
export const stepResult = { step: z.int(), phase: z.enum(PHASES), text: z.string(), code: z.array(codeMember) }

/** A step of a guide as a result. */
export function stepEntry(
  { phase, page, section, text, code }: Step,
  index: number,
): Entry<z.output<z.ZodObject<typeof stepResult>>> {
  const isTop = section.heading === '' || section.heading === page.title
  return {
    title: page.title,
    heading: isTop ? '' : headingPath(page, section),
    url: addressAt(page, section),
    sourceId: page.sourceId,
    text: `Step ${index + 1}, ${LABELS[phase]}:\n\n${text}`,
    data: { step: index + 1, phase, text, code },
  }
}

const LABELS: Record<Phase, string> = { install: 'install', configure: 'configure', use: 'use' }
