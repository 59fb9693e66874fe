/**
 * Names of noise in site generators and themes. Patterns match class names and ids as a whole or at word boundaries, so
 * that `content-with-sidebar` is not a sidebar.
 */

/** Elements that never contain page text. */
export const NOISE_TAGS = new Set(
  'title nav footer button input select textarea dialog iframe object embed video audio canvas map link meta rp form-actions'.split(
    ' ',
  ),
)

export const NOISE_ROLES = new Set(
  'navigation banner contentinfo search complementary dialog alertdialog menu menubar toolbar tooltip button'.split(
    ' ',
  ),
)

/** Always dropped: marks on text rather than regions of a page. */
export const MARK_NAMES =
  /(?:^|\s)(?:header-?anchor|heading-?anchor|headerlink|hash-?link|anchor-?(?:link|js-link|icon|hash)|anchorjs-link|permalink|heading-?permalink|octicon-link|sr-only|visually-?hidden|screen-reader-text|skip-?link|skip-to-content|copy-?(?:btn|button|code|link|page)?|copybtn|btn-clipboard|clipboard|viewcode-link|viewcode-back|edit-?(?:link|page|this-page|button)|edit-on-github|src-?link|line-?numbers?(?:-wrapper|-rows)?|lineno|linenos|linenodiv|lang|source-lang|source-toolbox|hideme|src|src rightside|md-content__button|print:(?:nx-|x:)?hidden|hover-link|doc-anchor|mw-editsection|reference-count|code-?title-icon|toc-?toggle|back-?to-?top|print-?(?:only|hide)|noprint|d-print-only|rustdoc-breadcrumbs|out-of-band|source-link|test-arrow)(?:\s|$)/i

/** Dropped if they also look like noise: regions with mostly links, or with little of the page's text. */
export const REGION_NAMES =
  /(?:^|\s)(?:(?:(?:site|page|post|article|entry|main|global|top|left|right|bottom|docs?|mobile|desktop|sticky|header|footer|theme|vp|md|sl|local|blog|user|app|js|jet|is|primary|secondary|wp|block|elementor|single|inline|floating|fixed|the|my|nextra|bd|sphinx|rst|mkdocs|gitbook)[-_]+)*(?:nav|navbar|navigation|navbox|side-?bar|side-?nav|menu|bread-?crumbs?|pagination|pager|paginator|toc|table-of-contents|contents-list|on-this-page|outline|footer|cookies?|consent|gdpr|banner|announcement(?:-bar)?|announcebar|masthead|toolbar|feedback|helpful|rating|share|sharing|share-?(?:buttons?|bar|links|tools)|social|social-?(?:links|share|media|icons|buttons)|related|related-?(?:posts|articles|content|stories|links|pages)|recommended|recommendations|read-?next|read-?more|more-?stories|newsletter|subscribe|subscription|signup|sign-?up|promo|promotion|sponsors?|advert|advertisement|ads?|ad-?(?:slot|unit|container|wrapper)|popup|modal|overlay|search|search-?(?:box|bar|form)|theme-?(?:toggle|switch|switcher)|lang(?:uage)?-?(?:switcher|selector|picker)|version-?(?:switcher|selector|picker)|last-?(?:updated|modified)|edit-?(?:meta|info)|page-?meta|page-?(?:nav|navigation|actions)|post-?(?:nav|navigation|meta|footer)|entry-?(?:meta|footer|utility)|prev-?next|next-?prev|doc-?(?:nav|footer)|contributors|comments?|comment-?(?:list|form|section)|disqus(?:_thread)?|respond|discussion|trackbacks|author-?(?:box|bio|card|info)|about-?author|tags?-?(?:list|links|cloud)?|byline|dateline|login|paywall|widget-area|most-?(?:read|popular)|trending|hidden|utility|jump-?links?|sharedaddy|jp-relatedposts|addtoany\w*(?!\w)|addthis\w*(?!\w)|print-?links?|disclaimers?|pinned-post|recent-?posts|site-?(?:info|title|header)|skip-?nav|no-?search|outbrain|taboola))(?:[-_]+(?:wrapper|container|inner|bar|list|block|section|box|links?|items?|row|widget|area|left|right|top|bottom|desktop|mobile|content|component|\d+))*(?:\s|$)/i

/** Styles that hide text: not displayed, too small, transparent, off the page, or clipped. */
export const HIDDEN_STYLE =
  /display:\s*none|visibility:\s*hidden|font-size:\s*(?:0(?:\.\d+)?(?:px|em|rem|pt|%)?|1px)\s*(?:;|!|$)|opacity:\s*0(?:\.0+)?\s*(?:;|!|$)|(?:^|[\s;])color:\s*transparent|(?:left|top|right|text-indent):\s*-\d{3,}(?:px|em|rem)|(?:^|[\s;])clip:\s*rect\(\s*[01]|clip-path:\s*inset\(\s*(?:50|100)%|transform:\s*scale\(\s*0\s*\)/i

/** Names of parts that are hidden until opened. */
export const FOLDED =
  /(?:^|[\s_-])(?:tab-?(?:panel|pane|content|item)?s?|panel|collaps(?:e|ed|ible)|accordion|expand(?:able|ed)?|spoiler|toggle-content|fold(?:able|ed)?|callout-content|answer|footnotes?|footnoteContent|fna?)(?:[\s_-]|$)/i
