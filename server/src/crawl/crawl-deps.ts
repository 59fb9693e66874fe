import type { SiteTexts } from './site-texts.ts'
import type { HashSites } from './hash-sites.ts'
import type { Lookalikes } from './lookalikes.ts'
import type { Navigation } from './navigation.ts'
import type { RedirectTargets } from './redirect-targets.ts'
import type { RenderDeps } from './render-empty.ts'
import type { SiteRules } from './site-rules.ts'

/** Dependencies of settling a page. */
export type CrawlDeps = RenderDeps & {
  rules: SiteRules
  lookalikes: Lookalikes
  /** Page texts from llms-full.txt; these pages are not fetched. */
  texts: SiteTexts
  navigation: Navigation
  hashSites: HashSites
  redirectTargets: RedirectTargets
}
