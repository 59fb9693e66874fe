import type { SourceType } from '@docent/contract/sources'
import type { SiteLists } from './site-lists.ts'

/** Documentation generators, by their name in `<meta name="generator">`. */
const DOCS_GENERATORS =
  /docusaurus|vitepress|vuepress|starlight|mkdocs|sphinx|gitbook|mintlify|nextra|antora|javadoc|rustdoc|doxygen|docsify|typedoc|mdbook|readthedocs|redocly|fumadocs/i

const count = new Intl.NumberFormat('en')

/** Returns the type of site, and the reason as a sentence: `Website: llms.txt with 214 pages, sitemap with 403.` */
export function describeSite(seen: { guess: SourceType; generator: string | null; lists: SiteLists }): {
  type: SourceType
  reason: string
} {
  const { guess, generator, lists } = seen
  const madeWith = generator !== null && DOCS_GENERATORS.test(generator) ? ` made with ${generator.slice(0, 60)}` : ''
  const isDocs = guess === 'docs' || madeWith !== '' || lists.llmsTxt !== null
  const found = [...describeLlmsTxt(lists), ...describeSitemap(lists)].join(', ')
  const how = found === '' ? 'no list of its pages, so that its links are followed' : found
  return { type: isDocs ? 'docs' : 'website', reason: `${isDocs ? 'Documentation' : 'Website'}${madeWith}: ${how}.` }
}

function describeLlmsTxt({ llmsTxt }: SiteLists): string[] {
  return llmsTxt === null ? [] : [`llms.txt with ${pages(llmsTxt.pages)}`]
}

function describeSitemap({ llmsTxt, sitemap }: SiteLists): string[] {
  if (sitemap === null) return []
  const further = sitemap.sitemaps > 0 ? `${count.format(sitemap.sitemaps)} further sitemaps` : ''
  if (sitemap.pages === 0) return [`a sitemap that leads to ${further}`]
  const number = llmsTxt === null ? pages(sitemap.pages) : count.format(sitemap.pages)
  return [`sitemap with ${number}${further === '' ? '' : ` and ${further}`}`]
}

function pages(number: number): string {
  return number === 1 ? '1 page' : `${count.format(number)} pages`
}
