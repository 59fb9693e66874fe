import type { OwnOperation } from '@docent/contract/values/custom-tool-plan'
import type { Tool, ToolContext } from '../../definition/tool.ts'
import { compareEntriesOperation, findEntriesOperation, listEntriesOperation } from './entry-operations.ts'
import { checklistOperation, pageOperation, releasesOperation, stepsOperation } from './page-operations.ts'

/** Operations of plans besides the built-in tools. */
export const OPERATIONS: Record<OwnOperation, Tool<ToolContext>> = {
  find_entries: findEntriesOperation,
  list_entries: listEntriesOperation,
  compare_entries: compareEntriesOperation,
  read_checklist: checklistOperation,
  read_steps: stepsOperation,
  read_releases: releasesOperation,
  summarize_page: pageOperation,
}
