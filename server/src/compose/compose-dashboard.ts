import { type Dashboard, readDashboard } from '#http/dashboard.ts'
import type { Base } from './base.ts'

/** The dashboard, from the folder that its build writes. */
export function composeDashboard({ config, log }: Base): Dashboard | null {
  if (!config.dashboard || config.role === 'worker') return null
  const dashboard = readDashboard(new URL('../../../dashboard/dist/', import.meta.url))
  if (!dashboard) log.warn('there is no dashboard, because it was not built: node scripts/build.mjs')
  return dashboard
}
