import type { createCustomTool } from '@docent/contract/custom-tools'
import { vi } from 'vitest'
import type { z } from 'zod'
import { newId } from '#lib/ids.ts'
import { presentCustomTool } from '#operations/custom-tools/present.ts'
import { handlers } from '#operations/handlers.ts'
import { insertCustomTool } from '#store/servers/custom-tools.ts'

/** Texts of the progress that a fake build reports. */
export const BUILD_STEPS = ['Reading the sources.', 'Designing the tool.', 'Trying the tool.']

/**
 * Replaces the handler that builds custom tools until it is disposed of. It stores what a builder would, within the
 * contract of the operation. A prompt with "fail" fails in the stream.
 */
export function fakeBuilder(): Disposable {
  const build = vi.spyOn(handlers, 'customTools.create').mockImplementation(async ({ deps, actor }, { prompt }) => {
    async function* stream(): AsyncGenerator<z.input<typeof createCustomTool.output>> {
      const stages = ['reading', 'designing', 'validating'] as const
      for (const [at, stage] of stages.entries()) {
        yield { type: 'progress', stage, message: BUILD_STEPS[at] ?? '' }
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
      if (prompt.includes('fail')) return yield { type: 'error', message: 'The sources have no releases.' }
      const tool = {
        id: newId('ct'),
        accountId: actor.accountId,
        name: 'breaking_changes',
        displayName: 'Breaking changes',
        description: prompt,
        status: 'ready' as const,
        inputSchema: '{"type":"object"}',
        plan: '{"steps":[]}',
        error: null,
        createdAt: deps.clock(),
        updatedAt: deps.clock(),
      }
      await insertCustomTool(deps.store.write, tool)
      yield { type: 'tool', tool: presentCustomTool(tool) }
    }
    return stream()
  })
  return {
    [Symbol.dispose]() {
      build.mockRestore()
    },
  }
}
