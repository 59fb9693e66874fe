import { EMBED_TOOLS, type EmbedToolName } from '@docent/contract/values/embed-tools'
import { readSetting } from '@docent/contract/values/setting-texts'

/**
 * The tools of a widget in the order of its configuration. Tools that no widget has are left out. Without any tool, the
 * widget answers questions.
 */
export function widgetTools({ tools }: { tools: string }): { name: EmbedToolName; title: string }[] {
  const wanted = readSetting('tools', tools).filter(({ enabled }) => enabled)
  const offered = wanted.flatMap(({ name, title }) => {
    const tool = EMBED_TOOLS.find((one) => one.name === name)
    return tool ? [{ name: tool.name, title: title || tool.title }] : []
  })
  return offered.length > 0 ? offered : [EMBED_TOOLS[0]]
}
