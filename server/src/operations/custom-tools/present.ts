import { type CustomToolPlan, CustomToolPlanSchema } from '@docent/contract/values/custom-tool-plan'
import { z } from 'zod'
import type { CustomToolRow } from '#store/servers/custom-tools.ts'
import { isoTime } from '../servers/present.ts'

const ProgressSchema = z.array(z.object({ stage: z.enum(['reading', 'designing', 'validating']), message: z.string() }))

export function presentCustomTool(tool: CustomToolRow) {
  const progress =
    tool.status === 'building' ? ProgressSchema.parse(JSON.parse(tool.progress ?? '[]')).at(-1) : undefined
  return {
    id: tool.id,
    name: tool.name,
    displayName: tool.displayName,
    description: tool.description,
    status: tool.status,
    inputSchema: JSON.parse(tool.inputSchema) as Record<string, unknown>,
    plan: planOf(tool),
    prompt: tool.prompt,
    ...(progress === undefined ? {} : { progress }),
    ...(tool.error === null ? {} : { error: tool.error }),
    createdAt: isoTime(tool.createdAt),
    updatedAt: isoTime(tool.updatedAt),
  }
}

/** A plan that this version cannot run is not shown as one. */
function planOf({ plan }: CustomToolRow): CustomToolPlan | null {
  const parsed = plan === null ? null : CustomToolPlanSchema.safeParse(JSON.parse(plan))
  return parsed?.success ? parsed.data : null
}
