import { EMBED_TOOLS, type EmbedToolName } from '@docent/contract/values/embed-tools'
import type { Input, Output } from '@docent/sdk'

export type Configuration = Output<'configurations.list'>[number]

type ToolItem = { name: EmbedToolName; title: string; isOn: boolean }
/** Sources of a server: all, also later ones, or some by id. */
export type ChosenSources = 'all' | readonly string[]

export const COLORS = [
  { name: 'primary', title: 'Buttons', light: '#065a48', dark: '#5fcabc' },
  { name: 'background', title: 'Background', light: '#ffffff', dark: '#151d19' },
  { name: 'text', title: 'Text', light: '#14201b', dark: '#e9efeb' },
] as const

/** The settings that the builder changes. */
export type Draft = {
  /** Empty: any page. */
  domain: string
  isActive: boolean
  tools: readonly ToolItem[]
  /** By server. Without any, all servers answer. */
  sources: ReadonlyMap<string, ChosenSources>
  /** CSS colors by name. */
  colors: Readonly<Record<string, string>>
  layout: 'horizontal' | 'vertical'
  fontFamily: string
  /** Settings that the builder does not show, and keeps. */
  kept: { tools: readonly unknown[]; sources: readonly unknown[] }
}

export function newDraft(serverId?: string): Draft {
  return {
    domain: '',
    isActive: true,
    tools: EMBED_TOOLS.map((tool) => ({ ...tool, isOn: tool.name !== 'get_code_examples' })),
    sources: new Map(serverId === undefined ? [] : [[serverId, 'all']]),
    colors: {},
    layout: 'horizontal',
    fontFamily: '',
    kept: { tools: [], sources: [] },
  }
}

type ToolSetting = { name: string; enabled: boolean; title?: string }
type SourceSetting = { type: string; enabled: boolean; serverId?: string; sourceId?: string }

/** The service has checked the texts before it stored them. */
export function draftOf(configuration: Configuration): Draft {
  const { domain, isActive, layout, fontFamily } = configuration
  const tools = JSON.parse(configuration.tools) as ToolSetting[]
  const sources = JSON.parse(configuration.sources) as SourceSetting[]
  const chosen = new Map<string, ChosenSources>()
  for (const { serverId, sourceId, enabled } of sources) {
    if (serverId === undefined || !enabled) continue
    const before = chosen.get(serverId) ?? []
    if (sourceId === undefined || before === 'all') chosen.set(serverId, 'all')
    else chosen.set(serverId, [...before, sourceId])
  }
  return {
    domain: domain ?? '',
    isActive,
    tools: toolItems(tools),
    sources: chosen,
    colors: JSON.parse(configuration.colors) as Record<string, string>,
    layout,
    fontFamily,
    kept: {
      tools: tools.filter(({ name }) => !EMBED_TOOLS.some((tool) => tool.name === name)),
      sources: sources.filter(({ serverId, enabled }) => serverId === undefined || !enabled),
    },
  }
}

/** The configured tools in their order, then the others. Without any, the widget answers questions. */
function toolItems(settings: readonly ToolSetting[]): ToolItem[] {
  const known = settings.flatMap(({ name, title, enabled }) => {
    const tool = EMBED_TOOLS.find((one) => one.name === name)
    return tool ? [{ name: tool.name, title: title || tool.title, isOn: enabled }] : []
  })
  const others = EMBED_TOOLS.filter(({ name }) => !known.some((one) => one.name === name))
  const isEmpty = !known.some(({ isOn }) => isOn)
  return [...known, ...others.map((tool) => ({ ...tool, isOn: isEmpty && tool.name === 'ask_question' }))]
}

/** The request that saves a draft. */
export function toRequest(draft: Draft): Input<'configurations.save'> {
  const tools = draft.tools.map(({ name, title, isOn }) => ({ name, enabled: isOn, title }))
  const sources = [...draft.sources].flatMap(([serverId, chosen]): SourceSetting[] =>
    chosen === 'all'
      ? [{ type: 'all', enabled: true, serverId }]
      : chosen.map((sourceId) => ({ type: 'source', enabled: true, serverId, sourceId })),
  )
  return {
    domain: draft.domain.trim() === '' ? null : draft.domain.trim(),
    isActive: draft.isActive,
    tools: JSON.stringify([...tools, ...draft.kept.tools]),
    sources: JSON.stringify([...sources, ...draft.kept.sources]),
    colors: JSON.stringify(draft.colors),
    layout: draft.layout,
    fontFamily: draft.fontFamily.trim(),
  }
}

/** The configuration in the form in which the service sends it to the widget. */
export function previewOf({ tools, colors, layout, fontFamily }: Draft) {
  const shown = tools.filter(({ isOn }) => isOn).map(({ name, title }) => ({ name, title }))
  const [first] = EMBED_TOOLS
  return { layout, fontFamily, colors, tools: shown.length > 0 ? shown : [{ ...first }] }
}
