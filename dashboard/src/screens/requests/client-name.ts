import type { Output } from '@docent/sdk'
import { createContext } from 'preact'
import { useContext, useMemo } from 'preact/hooks'
import { call } from '../../api/call.ts'
import { useLoad } from '../../api/use-load.ts'

type Configurations = Output<'configurations.list'>

/** The log names a widget by its configuration. */
const WIDGET = /^widget (cfg_\w+)$/

export const ClientNames = createContext<(name: string | null) => string>((name) => name ?? 'without a name')
export const useClientName = () => useContext(ClientNames)

/** How clients are called: widgets by the domain of their pages, if their configuration still exists. */
export function useClientNames(clients: readonly { name: string | null }[]): (name: string | null) => string {
  const hasWidget = clients.some(({ name }) => WIDGET.test(name ?? ''))
  const { data } = useLoad(`widget names ${hasWidget}`, async (signal) =>
    hasWidget ? call('configurations.list', {}, { signal }) : [],
  )
  return useMemo(() => (name: string | null) => clientName(name, data ?? []), [data])
}

function clientName(
  name: string | null,
  configurations: Pick<Configurations[number], 'id' | 'name' | 'domain'>[],
): string {
  const [, id] = WIDGET.exec(name ?? '') ?? []
  const widget = configurations.find((one) => one.id === id)
  if (widget) return widget.domain === null ? `widget ${widget.name}` : `widget on ${widget.domain}`
  return name ?? 'without a name'
}
