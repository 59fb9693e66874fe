import type { SiteTexts } from './site-texts.ts'
import type { HashRouting } from './hash-routing.ts'
import type { SimilarPages } from './similar-pages.ts'
import type { Navigation } from './navigation.ts'
import type { RedirectTargets } from './redirect-targets.ts'
import type { RenderDeps } from './render-empty.ts'
import type { SiteRules } from './site-rules.ts'

/** Dependencies of settling a page. */
export type CrawlDeps = RenderDeps & {
  rules: SiteRules
  similarPages: SimilarPages
  /** Page texts from llms-full.txt; these pages are not fetched. */
  texts: SiteTexts
  navigation: Navigation
  hashRouting: HashRouting
  redirectTargets: RedirectTargets
}
