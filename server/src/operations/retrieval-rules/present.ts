import type { RuleEffect } from '@docent/contract/values/rule-effects'
import type { RuleRow } from '#store/servers/retrieval-rules.ts'
import { isoTime } from '../servers/present.ts'

export function presentRule(rule: RuleRow) {
  return {
    id: rule.id,
    enabled: rule.enabled === 1,
    priority: rule.priority,
    effects: JSON.parse(rule.effects) as RuleEffect[],
    serverId: rule.serverId,
    sourceId: rule.sourceId,
    naturalLanguage: rule.naturalLanguage,
    createdAt: isoTime(rule.createdAt),
  }
}
