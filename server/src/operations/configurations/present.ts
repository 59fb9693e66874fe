import type { Configuration } from '#store/accounts/developers.ts'
import { isoTime } from '../servers/present.ts'

export function presentConfiguration(row: Configuration) {
  const { id, developerId, name, domain, tools, sources, colors, layout, fontFamily } = row
  return {
    id,
    developerId,
    name,
    domain: domain === '' ? null : domain,
    tools,
    sources,
    colors,
    layout,
    fontFamily,
    isActive: row.isActive === 1,
    createdAt: isoTime(row.createdAt),
    updatedAt: isoTime(row.updatedAt),
  }
}
