import type { CustomToolRow } from '#store/servers/custom-tools.ts'
import { isoTime } from '../servers/present.ts'

export function presentCustomTool(tool: CustomToolRow) {
  return {
    id: tool.id,
    name: tool.name,
    displayName: tool.displayName,
    description: tool.description,
    status: tool.status,
    inputSchema: JSON.parse(tool.inputSchema) as Record<string, unknown>,
    plan: tool.plan === null ? null : (JSON.parse(tool.plan) as Record<string, unknown>),
    ...(tool.error === null ? {} : { error: tool.error }),
    createdAt: isoTime(tool.createdAt),
    updatedAt: isoTime(tool.updatedAt),
  }
}
